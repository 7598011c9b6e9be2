import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

export interface SharedLookupOptions<Key, A, E, R> {
  /** How many results are kept; the one that was used longest ago makes room. */
  readonly capacity: number
  readonly lookup: (key: Key) => Effect.Effect<A, E, R>
}

/**
 * A lookup whose results are kept and shared by all who ask for equal keys, also while it runs. It runs in the scope
 * rather than in the fiber of the one who asked first, so that interrupting one who waits leaves the others waiting.
 * A failure is told to those who wait for it, or if there are none to the next who asks, and is not kept.
 */
export const makeSharedLookup = Effect.fnUntraced(function*<Key, A, E, R>(
  options: SharedLookupOptions<Key, A, E, R>
): Effect.fn.Return<(key: Key) => Effect.Effect<A, E>, never, R | Scope.Scope> {
  const scope = yield* Effect.scope
  const running = yield* Cache.make({
    capacity: options.capacity,
    lookup: (key: Key) => Effect.forkIn(Effect.interruptible(options.lookup(key)), scope),
    timeToLive: Duration.infinity
  })
  return Effect.fnUntraced(function*(key: Key) {
    // Starting a fiber takes no time, and must not be interrupted halfway: others may be waiting for it already.
    const fiber = yield* Effect.uninterruptible(running.get(key))
    const exit = yield* Fiber.await(fiber)
    if (Exit.isFailure(exit)) yield* running.invalidateWhen(key, (kept) => kept === fiber)
    return yield* exit
  })
})
