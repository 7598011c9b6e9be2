import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Metrics } from "../domain/Metrics.js"
import type { TrackedRun, TrackerError } from "../services/Tracker.js"
import { Tracker } from "../services/Tracker.js"

export type TrackedEvent =
  | { readonly _tag: "Started"; readonly run: TrackedRun }
  | { readonly _tag: "Logged"; readonly step: number; readonly metrics: Metrics }
  | { readonly _tag: "Finished" }

/** What the tracker was told, in order. */
export class TrackerLog extends Context.Tag("agentopsd/testing/TrackerLog")<TrackerLog, {
  readonly events: ReadonlyArray<TrackedEvent>
}>() {}

/** A Tracker that remembers. `before` runs ahead of each event: let it fail, wait or hang. */
export const layerRecordingTracker = (
  before: (event: TrackedEvent) => Effect.Effect<void, TrackerError> = () => Effect.void
): Layer.Layer<Tracker | TrackerLog> =>
  Layer.effectContext(Effect.sync(() => {
    const events: Array<TrackedEvent> = []
    const remember = (event: TrackedEvent) =>
      Effect.zipRight(
        before(event),
        Effect.sync(() => {
          events.push(event)
        })
      )
    return Context.empty().pipe(
      Context.add(TrackerLog, { events }),
      Context.add(Tracker, {
        start: (run) => remember({ _tag: "Started", run }),
        log: (step, metrics) => remember({ _tag: "Logged", step, metrics }),
        finish: remember({ _tag: "Finished" })
      })
    )
  }))
