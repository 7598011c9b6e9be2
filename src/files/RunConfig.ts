import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TrainSettings } from "../domain/Settings.js"
import type { RunRequest } from "../services/RunStore.js"
import { RunStoreError } from "../services/RunStore.js"
import { describeDifferences, differences } from "./Differences.js"
import { replaceFile } from "./DurableFiles.js"
import { cannotRead } from "./FileFailure.js"
import { describeParseError } from "./ParseProblem.js"
import { currentVersions, Versions } from "./Versions.js"

/** The content of a run folder's `config.json`, which is written last when a run is made: no run is without it. */
export const RunConfig = Schema.Struct({
  settings: TrainSettings,
  manifestHash: Schema.String,
  policy: Schema.String,
  versions: Versions
})
export type RunConfig = typeof RunConfig.Type

export const configName = "config.json"

const RawConfig = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const unreadable = (path: string, cause: ParseResult.ParseError) =>
  new RunStoreError({
    path,
    reason: `it is not the configuration of a run that this version can read: ${
      describeParseError(cause)
    }`,
    fix: "Restore it from a copy, or start a new run with another --run-name.",
    cause
  })

/** `config.json` as it stands there, so that fields this version does not know are compared too. */
const readRaw = Effect.fn("RunConfig.readRaw")(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(folder, configName)
  const text = yield* fs.readFileString(file).pipe(Effect.mapError(cannotRead(file)))
  return yield* Schema.decode(RawConfig)(text).pipe(Effect.mapError((error) => unreadable(file, error)))
})

/** Whether a folder holds a run. */
export const isRun = Effect.fn("RunConfig.isRun")(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* fs.exists(path.join(folder, configName)).pipe(Effect.mapError(cannotRead(folder)))
})

/** The configuration in a run folder. */
export const readRunConfig = Effect.fn("RunConfig.read")(function*(folder: string) {
  const path = yield* Path.Path
  const raw = yield* readRaw(folder)
  return yield* Schema.decodeUnknown(RunConfig)(raw).pipe(
    Effect.mapError((error) => unreadable(path.join(folder, configName), error))
  )
})

const write = Effect.fn("RunConfig.write")(function*(folder: string, content: unknown) {
  const path = yield* Path.Path
  const text = `${JSON.stringify(content, null, 2)}\n`
  yield* replaceFile(path.join(folder, configName), Stream.succeed(new TextEncoder().encode(text)))
})

const comparable = ({ manifestHash, policy, settings }: RunRequest) => ({
  settings: Schema.encodeSync(TrainSettings)(settings),
  manifestHash,
  policy
})

/** Makes the folder a run. */
export const writeRunConfig = Effect.fn("RunConfig.create")(function*(folder: string, request: RunRequest) {
  yield* write(folder, { ...comparable(request), versions: yield* currentVersions })
})

/**
 * Compares a run's configuration with the one it is to go on with. Only two things may differ: `maxSteps` may have
 * grown, and is then recorded; and the folder that holds the run may have another path (`runDir`).
 */
export const continueRunConfig = Effect.fn("RunConfig.continue")(function*(folder: string, request: RunRequest) {
  const path = yield* Path.Path
  const raw = yield* readRaw(folder)
  const given = comparable(request)
  const recorded = { settings: raw.settings, manifestHash: raw.manifestHash, policy: raw.policy }
  const found = differences(recorded, given).filter((difference) => difference.path !== "settings.runDir")
  const grown = found.some((difference) =>
    difference.path === "settings.maxSteps" && typeof difference.recorded === "number" &&
    difference.recorded < request.settings.maxSteps
  )
  const refused = grown ? found.filter((difference) => difference.path !== "settings.maxSteps") : found
  if (refused.length > 0) {
    return yield* new RunStoreError({
      path: path.join(folder, configName),
      reason: `the run was made with another configuration: ${describeDifferences(refused)}`,
      fix: "Resume it with what it was made with (only maxSteps may be raised), or start a new run with another " +
        "--run-name."
    })
  }
  if (grown) {
    const decoded = yield* readRunConfig(folder)
    const settings = { ...decoded.settings, maxSteps: request.settings.maxSteps }
    yield* write(folder, { ...raw, settings: Schema.encodeSync(TrainSettings)(settings) })
  }
})

/**
 * The settings of a run to resume. `run` is a name under `runDir`, or the path of a run folder; `runDir` of the
 * result is the folder in which the run was found.
 */
export const readSettings = Effect.fn("RunConfig.readSettings")(function*(run: string, runDir: string) {
  const path = yield* Path.Path
  const named = path.join(runDir, run)
  const found = yield* Effect.findFirst([named, run], (folder) => isRun(folder))
  if (Option.isNone(found)) {
    return yield* new RunStoreError({
      path: run,
      reason: `no run was found: neither ${path.join(named, configName)} nor ${path.join(run, configName)} exists`,
      fix: `Give the name of a run in ${runDir}, or the path of a run's folder.`
    })
  }
  const folder = path.resolve(found.value)
  const { settings } = yield* readRunConfig(found.value)
  if (path.basename(folder) !== settings.runName) {
    return yield* new RunStoreError({
      path: found.value,
      reason: `the folder holds the run ${settings.runName}, whose checkpoints are looked up by that name`,
      fix: `Name the folder ${settings.runName} again.`
    })
  }
  const place = found.value === path.join(runDir, settings.runName) ? runDir : path.dirname(folder)
  const settingsThere: TrainSettings = { ...settings, runDir: place }
  return settingsThere
})
