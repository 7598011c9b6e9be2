import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { EnvironmentError } from "../services/Environment.js"
import { PolicyError } from "../services/Policy.js"

/** Four more tries, after about 0.5, 1, 2 and 4 seconds. */
const patience = Schedule.intersect(Schedule.jittered(Schedule.exponential("500 millis")), Schedule.recurs(4))

/**
 * Repeats what failed for the infrastructure's sake alone. Rollouts and readings change nothing, and their random
 * numbers depend on what they are: a repetition gives what the first try would have given.
 */
export const retryInfrastructure = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(self, { while: isInfrastructure, schedule: patience })

const isInfrastructure = (error: unknown): boolean =>
  (error instanceof EnvironmentError && error.retryable) ||
  (error instanceof PolicyError && error.kind === "retryable")
