import * as Layer from "effect/Layer"
import type { EvalSettings, TrainSettings } from "../src/domain/Settings.js"
import { CreditAssignment } from "../src/stages/CreditAssignment.js"
import { PpoUpdate } from "../src/stages/PpoUpdate.js"
import { Rollout } from "../src/stages/Rollout.js"
import { Teacher } from "../src/stages/Teacher.js"
import { layerSkills, layerWords, lockGame, vocabularyOf } from "../src/testing/index.js"

/** A small world for tests of stages and programs: locks that open with one colour after another. */
export const colours = ["red", "green", "blue", "grey"]
export const words = ["open", "the", "lock", "a", "still", "closed", "press", "twice", ...colours]

/** An untrained policy that names colours and ends its actions more often than not. */
export const toy = {
  order: 7,
  vocabularySize: vocabularyOf(words).length,
  bias: Object.fromEntries(["<end>", ...colours].map((word) => [vocabularyOf(words).indexOf(word), 3]))
}

export const lock = (id: string, code: ReadonlyArray<string>, split = "train") =>
  lockGame({
    id,
    split,
    taskType: code.length === 1 ? "single" : "double",
    task: `open the ${code[code.length - 1]} lock`,
    code,
    keys: colours
  })

export const locks = [
  ...colours.map((colour) => lock(`train:${colour}`, [colour])),
  lock("train:twice-red", ["red", "red"]),
  lock("train:twice-blue", ["blue", "blue"]),
  ...colours.map((colour) => lock(`valid_seen:${colour}`, [colour], "valid_seen")),
  ...colours.map((colour) => lock(`valid_unseen:${colour}`, [colour, colour], "valid_unseen"))
]

export const skills = layerSkills({ single: "press red green blue grey", double: "press twice" })
export const chat = layerWords(words)
export const stages = Layer.mergeAll(CreditAssignment.layer, PpoUpdate.layer, Rollout.layer, Teacher.layer)

export const trainSettings: TrainSettings = {
  backend: "embedded",
  baseModel: "toy",
  dataRoot: null,
  trainSplit: "train",
  maxTrainGames: 0,
  maxSteps: 3,
  tasksPerUpdate: 4,
  groupSize: 4,
  maxTurns: 3,
  maxTrajectoryTokens: 200,
  maxActionTokens: 2,
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false,
  teacherConcurrency: 2,
  rolloutConcurrency: 5,
  gamma: 0.95,
  reshapeLambda: 0.5,
  weightBound: 0.2,
  epsilon: 1e-4,
  ppoClipLow: 0.8,
  ppoClipHigh: 1.24,
  ppoMinibatches: 2,
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.95,
  weightDecay: 0,
  gradClipNorm: 1,
  loraRank: 8,
  trainUnembed: false,
  skillsDir: null,
  saveEvery: 2,
  seed: 7,
  runName: "locks",
  runDir: "runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}

export const evalSettings: EvalSettings = {
  backend: "embedded",
  baseModel: "toy",
  modelPath: null,
  dataRoot: null,
  split: "all",
  limitPerSplit: 0,
  gamesPerBatch: 3,
  maxTurns: 3,
  maxTrajectoryTokens: 200,
  maxAssistantTokens: 2,
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false,
  seed: 7,
  output: "eval.jsonl",
  overwriteOutput: false,
  runName: "locks-eval",
  runDir: "runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}
