import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Metrics } from "../domain/Metrics.js"
import type { Checkpoint } from "../domain/RunRecords.js"

/** What a program tells while it works. */
export type ProgressEvent =
  | {
    readonly _tag: "RunOpened"
    readonly place: string
    /** Updates already done. */
    readonly step: number
    readonly maxSteps: number
    readonly games: number
  }
  | { readonly _tag: "UpdateStarted"; readonly step: number; readonly trajectories: number }
  | { readonly _tag: "TrajectoryFinished"; readonly gameId: string; readonly won: boolean; readonly turns: number }
  | { readonly _tag: "GroupScored"; readonly gameId: string; readonly constant: boolean }
  | { readonly _tag: "UpdateFinished"; readonly step: number; readonly metrics: Metrics; readonly skipped: boolean }
  | { readonly _tag: "Saved"; readonly checkpoint: Checkpoint }
  | { readonly _tag: "EvaluationOpened"; readonly place: string; readonly games: number; readonly finished: number }
  | { readonly _tag: "Notice"; readonly text: string }

/** Where progress is shown; nowhere unless provided. */
export class Progress extends Context.Reference<Progress>()("agentopsd/Progress", {
  defaultValue: (): { readonly report: (event: ProgressEvent) => Effect.Effect<void> } => ({
    report: () => Effect.void
  })
}) {}
