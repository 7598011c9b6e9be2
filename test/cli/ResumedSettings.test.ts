import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { embeddedTrainDefaults } from "../../src/domain/Defaults.js"
import { flagName, trainFlags } from "../../src/cli/Flags.js"
import { fromFlags } from "../../src/cli/GivenSettings.js"
import { resumedSettings } from "../../src/cli/ResumedSettings.js"
import type { TrainSettings } from "../../src/domain/Settings.js"

const own: TrainSettings = { ...embeddedTrainDefaults, runName: "mine", maxSteps: 20, seed: 7 }

const resume = (flags: Readonly<Record<string, string | boolean>>) =>
  Either.mapLeft(resumedSettings(own, fromFlags(trainFlags, flags)), ({ problems }) => problems)

/** A legal value of each setting that differs from the run's own. */
const other: Readonly<Partial<Record<keyof TrainSettings, string | boolean>>> = {
  baseModel: "strong",
  dataRoot: "games",
  trainSplit: "valid_seen",
  maxTrainGames: "5",
  tasksPerUpdate: "3",
  groupSize: "3",
  maxTurns: "3",
  maxTrajectoryTokens: "512",
  maxActionTokens: "3",
  temperature: "0.5",
  topP: "0.5",
  includeAdmissibleActions: true,
  teacherConcurrency: "3",
  rolloutConcurrency: "3",
  gamma: "0.5",
  reshapeLambda: "0",
  weightBound: "0.1",
  epsilon: "0.001",
  ppoClipLow: "0.5",
  ppoClipHigh: "1.5",
  ppoMinibatches: "1",
  learningRate: "0.1",
  beta1: "0.5",
  beta2: "0.5",
  weightDecay: "0.5",
  gradClipNorm: "0.5",
  loraRank: "4",
  trainUnembed: true,
  skillsDir: "skills",
  saveEvery: "5",
  seed: "8",
  runName: "other",
  swanlabProject: "other"
}

describe("resumedSettings", () => {
  it("are the run's own", () => {
    assert.deepStrictEqual(resume({}), Either.right(own))
  })

  it("agree with flags that repeat them", () => {
    assert.deepStrictEqual(resume({ seed: "7", maxSteps: "20", runName: "mine" }), Either.right(own))
  })

  it("take more updates, never fewer", () => {
    assert.deepStrictEqual(resume({ maxSteps: "21" }), Either.right({ ...own, maxSteps: 21 }))
    assert.deepStrictEqual(
      resume({ maxSteps: "19" }),
      Either.left(["--max-steps: the run was made for 20; only more is possible"])
    )
  })

  it("keep the place where the run was found", () => {
    assert.deepStrictEqual(resume({ runDir: "elsewhere" }), Either.right(own))
  })

  it.each(Object.entries(other))("refuse another %s by name", (key, value) => {
    const problems = Either.match(resume({ [key]: value }), { onLeft: (found) => found, onRight: () => [] })
    assert.lengthOf(problems, 1)
    assert.isTrue(problems[0].startsWith(`--${flagName(key)}: the run was made with `), problems[0])
  })
})
