import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Metrics } from "../domain/Metrics.js"
import { Progress } from "../services/Progress.js"
import type { TrackedRun, TrackerError } from "../services/Tracker.js"
import { Tracker } from "../services/Tracker.js"

/** How many updates may wait for a slow dashboard before the oldest are dropped (the run folder has them all). */
const backlog = 256

type Waiting = { readonly step: number; readonly metrics: Metrics } | "end"

/**
 * Sends metrics to the Tracker beside the run: offering never waits and never fails, and whatever the Tracker does,
 * defects included, becomes a notice. At the scope's end it has a few seconds to take what is left and to finish.
 */
export const tracking = Effect.fn("Tracking.start")(function*(run: TrackedRun) {
  const tracker = yield* Tracker
  const progress = yield* Progress
  const waiting = yield* Queue.sliding<Waiting>(backlog)

  const harmless = (call: Effect.Effect<void, TrackerError>) =>
    Effect.catchAllCause(call, (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : progress.report({ _tag: "Notice", text: `${Cause.pretty(cause).split("\n", 1)[0]} (the run goes on)` }))

  const deliverNext: Effect.Effect<void> = Effect.flatMap(Queue.take(waiting), (next) =>
    next === "end" ? Effect.void : Effect.zipRight(harmless(tracker.log(next.step, next.metrics)), deliverNext))
  const delivery = yield* Effect.forkScoped(Effect.zipRight(harmless(tracker.start(run)), deliverNext))

  yield* Effect.addFinalizer(() =>
    Queue.offer(waiting, "end").pipe(
      Effect.zipRight(Effect.timeoutOption(Effect.interruptible(delivery.await), "4 seconds")),
      Effect.zipRight(Effect.timeoutOption(Effect.interruptible(harmless(tracker.finish)), "2 seconds"))
    )
  )
  return {
    log: (step: number, metrics: Metrics): Effect.Effect<boolean> => Queue.offer(waiting, { step, metrics })
  }
})
