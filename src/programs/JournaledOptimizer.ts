import * as Effect from "effect/Effect"
import type { Optimizer, PolicyError } from "../services/Policy.js"
import type { Run, RunStoreError } from "../services/RunStore.js"
import { retryInfrastructure } from "./Retries.js"

/**
 * The optimiser of one update, with a journal line before and after each of its calls. The stage that uses it need
 * not know. A crash leaves a `begin` without its `end`: that call is never repeated, the run goes on from its last
 * saved state.
 */
export const journaled = (optimizer: Optimizer, run: Run, step: number): Optimizer<PolicyError | RunStoreError> => {
  let minibatch = 0
  const around = <A>(effect: "forwardBackward" | "optimStep", call: Effect.Effect<A, PolicyError>) =>
    Effect.suspend(() => {
      const line = { step, effect, minibatch }
      return run.journal({ _tag: "begin", ...line }).pipe(
        Effect.zipRight(retryInfrastructure(call)),
        Effect.zipLeft(run.journal({ _tag: "end", ...line }))
      )
    })
  return {
    forwardBackward: (data, loss) => around("forwardBackward", optimizer.forwardBackward(data, loss)),
    optimStep: (adam) =>
      Effect.tap(around("optimStep", optimizer.optimStep(adam)), () => {
        minibatch++
      })
  }
}
