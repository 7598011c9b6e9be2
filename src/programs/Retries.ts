import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { EnvironmentError } from "../services/Environment.js"
import type { Sampler } from "../services/Policy.js"
import { PolicyError } from "../services/Policy.js"

/** Four more tries, after about 0.5, 1, 2 and 4 seconds. */
const patience = Schedule.intersect(Schedule.jittered(Schedule.exponential("500 millis")), Schedule.recurs(4))

/**
 * Repeats what failed for the infrastructure's sake alone: an error that says of itself that it had no effect. Never an
 * outcome that nobody knows.
 */
export const retryInfrastructure = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(self, { while: isInfrastructure, schedule: patience })

/** A sampler whose single calls are repeated, so that one lost answer does not cost the turns before it. */
export const patientSampler = (sampler: Sampler): Sampler => ({
  ...sampler,
  sample: (request) => retryInfrastructure(sampler.sample(request)),
  logprobs: (ids) => retryInfrastructure(sampler.logprobs(ids))
})

const isInfrastructure = (error: unknown): boolean =>
  (error instanceof EnvironmentError && error.retryable) ||
  (error instanceof PolicyError && error.kind === "retryable")
