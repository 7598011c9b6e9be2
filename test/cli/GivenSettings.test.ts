import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { embeddedEvalDefaults, embeddedTrainDefaults } from "../../src/domain/Defaults.js"
import { evalFlags, flagEntries, flagName, trainFlags } from "../../src/cli/Flags.js"
import {
  decodeSettings,
  fromEnvironment,
  fromFile,
  fromFlags,
  mergeGiven
} from "../../src/cli/GivenSettings.js"
import { EvalSettings, TrainSettings } from "../../src/domain/Settings.js"

const decodeTrain = (flags: Readonly<Record<string, string | boolean>>) =>
  decodeSettings(TrainSettings, embeddedTrainDefaults, fromFlags(trainFlags, flags))

const decodeEval = (flags: Readonly<Record<string, string | boolean>>) =>
  decodeSettings(EvalSettings, embeddedEvalDefaults, fromFlags(evalFlags, flags))

const problemsOf = <A>(result: Either.Either<A, { readonly problems: ReadonlyArray<string> }>) =>
  Either.match(result, { onLeft: ({ problems }) => problems, onRight: () => [] })

/** A value of each setting that no rule allows. */
const badTrain: Readonly<Record<keyof TrainSettings, string>> = {
  backend: "abacus",
  baseModel: "",
  dataRoot: "",
  trainSplit: "",
  maxTrainGames: "-1",
  maxSteps: "0",
  tasksPerUpdate: "2.5",
  groupSize: "many",
  maxTurns: "-3",
  maxTrajectoryTokens: "1e999",
  maxActionTokens: "0",
  temperature: "-0.1",
  topP: "1.5",
  includeAdmissibleActions: "perhaps",
  teacherConcurrency: "0",
  rolloutConcurrency: "x",
  gamma: "1.01",
  reshapeLambda: "-0.5",
  weightBound: "2",
  epsilon: "0",
  ppoClipLow: "1.2",
  ppoClipHigh: "0.9",
  ppoMinibatches: "0",
  learningRate: "-3",
  beta1: "1",
  beta2: "NaN",
  weightDecay: "-1",
  gradClipNorm: "Infinity",
  loraRank: "1.5",
  trainUnembed: "2",
  skillsDir: "",
  saveEvery: "-1",
  seed: "-1",
  runName: "../elsewhere",
  runDir: "",
  swanlabProject: "",
  swanlabMode: "loud"
}

const badEval: Readonly<Record<keyof EvalSettings, string>> = {
  backend: "abacus",
  baseModel: "",
  modelPath: "",
  dataRoot: "",
  split: "test",
  limitPerSplit: "-1",
  gamesPerBatch: "0",
  maxTurns: "x",
  maxTrajectoryTokens: "",
  maxAssistantTokens: "0",
  temperature: "hot",
  topP: "0",
  includeAdmissibleActions: "perhaps",
  seed: "0.5",
  output: "",
  overwriteOutput: "perhaps",
  runName: "a b",
  runDir: "",
  swanlabProject: "",
  swanlabMode: "loud"
}

describe("every setting", () => {
  it.each(Object.entries(badTrain))("train refuses a bad value of %s and names the flag", (key, bad) => {
    const problems = problemsOf(decodeTrain({ [key]: bad }))
    assert.lengthOf(problems, 1)
    assert.isTrue(problems[0].startsWith(`--${flagName(key)}: expected `), problems[0])
    assert.include(problems[0], "actual ")
    assert.notMatch(problems[0], /null|undefined|\n/)
  })

  it.each(Object.entries(badEval))("eval refuses a bad value of %s and names the flag", (key, bad) => {
    const problems = problemsOf(decodeEval({ [key]: bad }))
    assert.lengthOf(problems, 1)
    assert.isTrue(problems[0].startsWith(`--${flagName(key)}: expected `), problems[0])
    assert.notMatch(problems[0], /null|undefined|\n/)
  })

  it("is refused alike from flag, environment and file", () => {
    for (const [key, bad] of Object.entries(badTrain)) {
      const name = flagName(key)
      const variable = `AGENTOPSD_${name.toUpperCase().replaceAll("-", "_")}`
      const fromVariable = Either.flatMap(
        fromEnvironment(trainFlags, [trainFlags, evalFlags], new Map([[variable, bad]])),
        (given) => decodeSettings(TrainSettings, embeddedTrainDefaults, given)
      )
      assert.isTrue(problemsOf(fromVariable)[0].startsWith(`--${name} (from ${variable}): expected `))
      const inFile = Either.flatMap(
        fromFile(trainFlags, "train.json", JSON.stringify({ [name]: bad })),
        (given) => decodeSettings(TrainSettings, embeddedTrainDefaults, given)
      )
      assert.isTrue(problemsOf(inFile)[0].startsWith(`--${name} (from train.json): expected `))
    }
  })

  it("is listed with its default and its description", () => {
    assert.sameMembers(Object.keys(trainFlags), Object.keys(TrainSettings.fields))
    assert.sameMembers(Object.keys(evalFlags), Object.keys(EvalSettings.fields))
    for (const [, flag] of [...flagEntries(trainFlags), ...flagEntries(evalFlags)]) {
      assert.isAbove(flag.description.length, 10)
      assert.notInclude(flag.description, "\n")
    }
  })
})

describe("decodeSettings", () => {
  it("accepts the defaults as they are", () => {
    assert.deepStrictEqual(decodeTrain({}), Either.right(embeddedTrainDefaults))
    assert.deepStrictEqual(decodeEval({}), Either.right(embeddedEvalDefaults))
  })

  it("reports every problem at once", () => {
    assert.deepStrictEqual(problemsOf(decodeTrain({ learningRate: "-3", gamma: "2", seed: "7" })), [
      "--gamma: expected a number between 0 and 1, actual 2",
      "--learning-rate: expected a positive number, actual -3"
    ])
  })

  it("keeps text as text where a flag takes text", () => {
    const settings = Either.getOrThrow(decodeTrain({ runName: "007", trainSplit: "1" }))
    assert.strictEqual(settings.runName, "007")
    assert.strictEqual(settings.trainSplit, "1")
  })

  it("reads every finite number as JavaScript writes it", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      (value) => Either.getOrThrow(decodeTrain({ temperature: String(value) })).temperature === value
    ))
  })

  it("never takes text for a number that is none", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.string().filter((text) => !/^\s*[+-]?[\d.]/.test(text)),
      (text) => problemsOf(decodeTrain({ temperature: text })).length === 1
    ))
  })

  it("reads switches from words", () => {
    const switchOf = (word: string) =>
      Either.flatMap(
        fromEnvironment(trainFlags, [trainFlags], new Map([["AGENTOPSD_TRAIN_UNEMBED", word]])),
        (given) => decodeSettings(TrainSettings, embeddedTrainDefaults, given)
      ).pipe(Either.map(({ trainUnembed }) => trainUnembed))
    for (const word of ["true", "1", "yes", "ON"]) assert.deepStrictEqual(switchOf(word), Either.right(true))
    for (const word of ["false", "0", "no", "Off"]) assert.deepStrictEqual(switchOf(word), Either.right(false))
  })
})

describe("sources", () => {
  it("flags win over the environment, and that over the file", () => {
    const file = Either.getOrThrow(fromFile(trainFlags, "f.json", `{"seed": 1, "gamma": 0.1, "max-steps": 1}`))
    const variables = new Map([["AGENTOPSD_SEED", "2"], ["AGENTOPSD_GAMMA", "0.2"]])
    const environment = Either.getOrThrow(fromEnvironment(trainFlags, [trainFlags], variables))
    const given = mergeGiven(fromFlags(trainFlags, { seed: "3" }), environment, file)
    const settings = Either.getOrThrow(decodeSettings(TrainSettings, embeddedTrainDefaults, given))
    assert.deepStrictEqual(
      { seed: settings.seed, gamma: settings.gamma, maxSteps: settings.maxSteps },
      { seed: 3, gamma: 0.2, maxSteps: 1 }
    )
  })

  it("an unknown key of the file is refused by name, with what was probably meant", () => {
    assert.deepStrictEqual(problemsOf(fromFile(trainFlags, "f.json", `{"lerning-rate": 1, "split": "all"}`)), [
      `--config f.json: unknown setting "lerning-rate"; did you mean learning-rate?`,
      `--config f.json: unknown setting "split"`
    ])
  })

  it("keys that every object has are unknown too", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      assert.lengthOf(problemsOf(fromFile(trainFlags, "f.json", `{"${key}": 1}`)), 1)
    }
  })

  it.each(["", "[]", "3", "null", "{", `"text"`])("a file with %j is refused by name", (content) => {
    assert.include(problemsOf(fromFile(trainFlags, "f.json", content))[0], "--config f.json: ")
  })

  it("an unknown variable is refused by name, another command's is left alone", () => {
    const read = (name: string) => fromEnvironment(trainFlags, [trainFlags, evalFlags], new Map([[name, "1"]]))
    assert.deepStrictEqual(problemsOf(read("AGENTOPSD_SEEDS")), [
      "environment variable AGENTOPSD_SEEDS is no setting of agentopsd; did you mean AGENTOPSD_SEED?"
    ])
    assert.deepStrictEqual(read("AGENTOPSD_LIMIT_PER_SPLIT"), Either.right({}))
    assert.deepStrictEqual(read("PATH"), Either.right({}))
  })
})
