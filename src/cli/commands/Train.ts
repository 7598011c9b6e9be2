import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TrainSettings } from "../../domain/Settings.js"
import { isRun, readSettings } from "../../files/RunConfig.js"
import { train } from "../../programs/Train.js"
import { embeddedTrainDefaults } from "../../domain/Defaults.js"
import { trainFlags } from "../Flags.js"
import { decodeSettings, type GivenSettings } from "../GivenSettings.js"
import { layerTrain } from "../Layers.js"
import type { FlagValues } from "../Options.js"
import { Output } from "../Output.js"
import * as ProgressReport from "../ProgressReport.js"
import { resumedSettings } from "../ResumedSettings.js"
import { freeRunName } from "../RunNames.js"
import { givenSettings } from "../SettingsSources.js"
import { resumeCommandFor, trainReport } from "../TrainReport.js"

const newSettings = Effect.fn("trainCommand.newSettings")(function*(given: GivenSettings) {
  const settings = yield* decodeSettings(TrainSettings, embeddedTrainDefaults, given)
  if (given.runName !== undefined) return settings
  return { ...settings, runName: yield* freeRunName(settings.runDir, settings.runName) }
})

const settingsOf = Effect.fn("trainCommand.settingsOf")(function*(given: GivenSettings, resume: string | undefined) {
  if (resume === undefined) return yield* newSettings(given)
  const { runDir } = given.runDir === undefined
    ? embeddedTrainDefaults
    : yield* decodeSettings(TrainSettings, embeddedTrainDefaults, { runDir: given.runDir })
  return yield* resumedSettings(yield* readSettings(resume, runDir), given)
})

/** Tells how to go on, where there is a run to go on with. */
const stopped = Effect.fn("trainCommand.stopped")(function*(settings: TrainSettings) {
  const output = yield* Output
  const path = yield* Path.Path
  const exists = yield* isRun(path.join(settings.runDir, settings.runName)).pipe(Effect.orElseSucceed(() => false))
  if (exists) yield* output.note(`stopped; go on with: ${resumeCommandFor(settings)}`)
})

/** `agentopsd train`. */
export const trainCommand = Effect.fn("trainCommand")(function*(flags: FlagValues) {
  const output = yield* Output
  const resume = typeof flags.resume === "string" ? flags.resume : undefined
  const settings = yield* settingsOf(yield* givenSettings(trainFlags, flags), resume)
  const started = yield* Clock.currentTimeMillis
  const summary = yield* train(settings, { resume: resume !== undefined }).pipe(
    Effect.provide([layerTrain(settings), ProgressReport.layer]),
    Effect.onInterrupt(() => stopped(settings))
  )
  const ended = yield* Clock.currentTimeMillis
  yield* output.result(trainReport(settings, summary, ended - started))
})
