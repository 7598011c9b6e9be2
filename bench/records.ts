import * as Either from "effect/Either"
import { EpisodeRecord } from "../src/domain/RunRecords.js"
import { encodeLine, jsonlStart, readChunk } from "../src/files/Jsonl.js"

// Time to write and to read an episode's line: 30 turns of 12 ids, 20 ids of observation between them.
const turns = Array.from({ length: 30 }, (_, k) => ({
  start: 100 + 32 * k,
  end: 112 + 32 * k,
  logprobs: Array.from({ length: 12 }, (_, i) => -1 / (i + k + 2)),
  command: "go to desk 1",
  invalidReason: null,
  admissible: true,
  observation: "You arrive at desk 1. On the desk 1, you see a mug 1, and a pen 2.",
  won: k === 29,
  score: null
}))
const record: EpisodeRecord = {
  step: 1,
  gameId: "train:game",
  split: "train",
  taskType: "pick_and_place_simple",
  attempt: 0,
  snapshotId: "snapshot",
  task: "put a mug on the desk",
  initialObservation: "You are in the middle of a room.",
  openingCommands: [],
  openingLength: 100,
  ids: Array.from({ length: 1060 }, (_, i) => i % 300),
  turns,
  stopReason: "won",
  won: true,
  reward: 1,
  teacherLogprobs: turns.map((turn) => turn.logprobs),
  credit: {
    sequenceAdvantage: 1,
    prior: 0.5,
    turns: turns.map(() => ({
      evidence: 0.1,
      belief: 0.5,
      beliefChange: 0.1,
      weight: 1.1,
      advantage: 1.05,
      rejected: null
    }))
  }
}

const time = (name: string, times: number, run: () => void) => {
  run()
  const start = performance.now()
  for (let i = 0; i < times; i++) run()
  const each = (performance.now() - start) / times
  console.log(`${name}: ${each.toFixed(3)} ms`)
  return each
}

const line = Either.getOrThrow(encodeLine(EpisodeRecord, record))
console.log(`line: ${(line.length / 1024).toFixed(1)} KiB`)
const plain = time("JSON.stringify alone", 200, () => JSON.stringify(record))
const encoded = time("encodeLine", 200, () => encodeLine(EpisodeRecord, record))
const bytes = new TextEncoder().encode(line)
time("readChunk", 200, () => readChunk(jsonlStart, bytes))
console.log(`ratio of encodeLine to JSON.stringify: ${(encoded / plain).toFixed(1)}`)
