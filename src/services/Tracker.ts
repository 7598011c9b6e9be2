import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Metrics } from "../domain/Metrics.js"

/** The dashboard could not be reached. The run goes on: its records are in the run folder. */
export class TrackerError extends Schema.TaggedError<TrackerError>("agentopsd/TrackerError")("TrackerError", {
  operation: Schema.Literal("start", "log", "finish"),
  reason: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `Tracker: ${this.operation} failed: ${this.reason}`
  }
}

export interface TrackedRun {
  readonly name: string
  /** The run's configuration, flat enough for a dashboard. Never holds secrets. */
  readonly config: Readonly<Record<string, unknown>>
}

/** A copy of the metrics for a dashboard. Never the only record. */
export class Tracker extends Context.Tag("agentopsd/Tracker")<Tracker, {
  readonly start: (run: TrackedRun) => Effect.Effect<void, TrackerError>
  readonly log: (step: number, metrics: Metrics) => Effect.Effect<void, TrackerError>
  readonly finish: Effect.Effect<void, TrackerError>
}>() {
  /** No dashboard. */
  static readonly layerDisabled = Layer.succeed(Tracker, {
    start: () => Effect.void,
    log: () => Effect.void,
    finish: Effect.void
  })
}
