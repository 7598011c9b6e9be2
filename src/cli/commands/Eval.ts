import * as Effect from "effect/Effect"
import { EvalSettings } from "../../domain/Settings.js"
import { evaluate } from "../../programs/Evaluate.js"
import { embeddedEvalDefaults } from "../../domain/Defaults.js"
import { evalReport } from "../EvalReport.js"
import { evalFlags } from "../Flags.js"
import { decodeSettings } from "../GivenSettings.js"
import { layerEval } from "../Layers.js"
import type { FlagValues } from "../Options.js"
import { Output } from "../Output.js"
import * as ProgressReport from "../ProgressReport.js"
import { givenSettings } from "../SettingsSources.js"

/** `agentopsd eval`. */
export const evalCommand = Effect.fn("evalCommand")(function*(flags: FlagValues) {
  const output = yield* Output
  const settings = yield* decodeSettings(EvalSettings, embeddedEvalDefaults, yield* givenSettings(evalFlags, flags))
  const report = yield* evaluate(settings).pipe(
    Effect.provide([layerEval(settings), ProgressReport.layer]),
    Effect.onInterrupt(() => output.note("stopped; the same command goes on where it was"))
  )
  yield* output.result(evalReport(report))
})
