import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Metrics } from "../domain/Metrics.js"
import { Progress } from "../services/Progress.js"
import type { TrackedRun } from "../services/Tracker.js"
import { Tracker } from "../services/Tracker.js"

/** How many updates may wait for a slow dashboard before the oldest are dropped (the run folder has them all). */
const backlog = 256

/**
 * Sends metrics to the Tracker beside the run: offering never waits and never fails. The scope's end gives the
 * dashboard a few seconds to take what is left.
 */
export const tracking = Effect.fn("Tracking.start")(function*(run: TrackedRun) {
  const tracker = yield* Tracker
  const progress = yield* Progress
  const waiting = yield* Queue.sliding<{ readonly step: number; readonly metrics: Metrics }>(backlog)
  let delivered = 0
  let offered = 0

  const notice = (error: { readonly message: string }) =>
    progress.report({ _tag: "Notice", text: `${error.message} (the run goes on)` })
  const deliver = tracker.start(run).pipe(
    Effect.zipRight(
      Queue.take(waiting).pipe(
        Effect.flatMap(({ metrics, step }) => Effect.catchAll(tracker.log(step, metrics), notice)),
        Effect.zipRight(Effect.sync(() => delivered++)),
        Effect.forever
      )
    ),
    Effect.catchAll(notice)
  )
  const drained = Effect.iterate(undefined, {
    while: () => delivered < offered,
    body: () => Effect.sleep("20 millis")
  })
  const fiber = yield* Effect.forkScoped(deliver)
  yield* Effect.addFinalizer(() =>
    Effect.race(drained, fiber.await).pipe(
      Effect.zipRight(Effect.catchAll(tracker.finish, notice)),
      Effect.interruptible,
      Effect.timeoutOption("5 seconds")
    )
  )
  return {
    log: (step: number, metrics: Metrics) =>
      Effect.zipRight(
        Effect.sync(() => {
          offered++
        }),
        Queue.offer(waiting, { step, metrics })
      )
  }
})
