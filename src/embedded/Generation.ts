import type { Generator } from "../domain/Randomness.js"
import { generator } from "../domain/Randomness.js"
import type { Segment } from "./Forward.js"
import { computeLogits, embedTokens, forward, normalizeRow } from "./Forward.js"
import { batchesOf } from "./Gradient.js"
import type { Machine } from "./Machine.js"
import { slotCache } from "./MemoryPlan.js"
import { paddedVocabularyOf } from "./ModelShape.js"
import { drawToken, mostProbable } from "./TokenChoice.js"

/** One continuation to draw. */
export interface SampleTask {
  /** The slot whose keys and values are used, and how many of the prompt's tokens it already holds. */
  readonly slot: number
  readonly cached: number
  readonly prompt: ReadonlyArray<number>
  readonly temperature: number
  readonly topP: number
  readonly maxTokens: number
  readonly stopTokens: ReadonlyArray<number>
  readonly seed: number
}

/** A continuation. The slot now holds the prompt and all of `ids` but the last. */
export interface SampleOutcome {
  readonly ids: ReadonlyArray<number>
  readonly logprobs: ReadonlyArray<number>
  readonly stopReason: "stop" | "length"
}

/** Temperatures up to this pick the most probable token. */
export const greedyTemperature = 1e-6

interface Live {
  readonly task: SampleTask
  readonly random: Generator
  readonly ids: Array<number>
  readonly logprobs: Array<number>
  /** Tokens whose keys and values are in the slot. */
  fed: number
  stopReason: "stop" | "length" | undefined
}

/** Draws a token from row `index` of the logits; `probabilities` of the row are normalised already. */
const chooseToken = (machine: Machine, live: Live, index: number, logits: Float32Array): number => {
  const { floats, kernels, plan: { shape }, workspace } = machine
  const { task } = live
  if (task.temperature <= greedyTemperature) return mostProbable(logits)
  const vocabulary = paddedVocabularyOf(shape)
  const size = shape.vocabularySize
  let row = workspace.logits + index * vocabulary * 4
  if (task.temperature !== 1) {
    row = workspace.drawRow
    floats.set(logits, row / 4)
    kernels.softmax(row, size, vocabulary, 1 / task.temperature, workspace.maxAndSum)
  }
  return drawToken(floats.subarray(row / 4, row / 4 + size), task.topP, live.random())
}

/** Feeds what the sequences have pending and draws one token for each. */
const advance = (machine: Machine, batch: ReadonlyArray<Live>): void => {
  const segments: Array<Segment> = []
  const lastRows: Array<number> = []
  let rows = 0
  for (const live of batch) {
    const pending = live.ids.length - live.fed
    embedTokens(machine, live.ids, live.fed, live.ids.length, rows)
    const cache = slotCache(machine.plan, live.task.slot)
    segments.push({ row: rows, rows: pending, position: live.fed, cache })
    rows += pending
    lastRows.push(rows - 1)
    live.fed = live.ids.length
  }
  const hidden = forward(machine, rows, segments, false)
  computeLogits(machine, hidden, lastRows)
  const { contextLength } = machine.plan.shape
  batch.forEach((live, index) => {
    const { logits, logprob } = normalizeRow(machine, index)
    const token = chooseToken(machine, live, index, logits)
    live.ids.push(token)
    live.logprobs.push(logprob(token))
    if (live.task.stopTokens.includes(token)) {
      live.stopReason = "stop"
    } else if (live.logprobs.length >= live.task.maxTokens || live.ids.length >= contextLength) {
      live.stopReason = "length"
    }
  })
}

/**
 * Draws the continuations together. Each has its own random numbers, and no value depends on the others, so the result
 * is the same however continuations are grouped. Prompts are shorter than the context, slots are distinct.
 */
export const generate = (machine: Machine, tasks: ReadonlyArray<SampleTask>): ReadonlyArray<SampleOutcome> => {
  const all = tasks.map((task): Live => ({
    task,
    random: generator(task.seed),
    ids: task.prompt.slice(),
    logprobs: [],
    fed: task.cached,
    stopReason: undefined
  }))
  const pendingOf = (live: Live): number => live.ids.length - live.fed
  for (;;) {
    const running = all.filter((live) => live.stopReason === undefined)
    if (running.length === 0) break
    for (const batch of batchesOf(running, pendingOf, machine.workspace.maxRows)) advance(machine, batch)
  }
  return all.map((live) => ({
    ids: live.ids.slice(live.task.prompt.length),
    logprobs: live.logprobs,
    stopReason: live.stopReason ?? "length"
  }))
}
