import * as Layer from "effect/Layer"
import { embeddedEvalDefaults, embeddedTrainDefaults } from "../src/domain/Defaults.js"
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
  ...embeddedTrainDefaults,
  baseModel: "toy",
  maxSteps: 3,
  tasksPerUpdate: 4,
  groupSize: 4,
  maxTurns: 3,
  maxTrajectoryTokens: 200,
  maxActionTokens: 2,
  teacherConcurrency: 2,
  rolloutConcurrency: 5,
  ppoMinibatches: 2,
  learningRate: 0.1,
  saveEvery: 2,
  seed: 7,
  runName: "locks"
}

export const evalSettings: EvalSettings = {
  ...embeddedEvalDefaults,
  baseModel: "toy",
  gamesPerBatch: 3,
  maxTurns: 3,
  maxTrajectoryTokens: 200,
  maxAssistantTokens: 2,
  seed: 7,
  output: "eval.jsonl",
  runName: "locks-eval"
}
