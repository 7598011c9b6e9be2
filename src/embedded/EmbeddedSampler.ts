import * as Effect from "effect/Effect"
import { seedOf } from "../domain/Randomness.js"
import type { TokenIds } from "../services/ChatFormat.js"
import type { PolicyError, Sample, SampleRequest, Sampler } from "../services/Policy.js"
import type { Engine } from "./Engine.js"
import { scoreSequence } from "./Engine.js"
import type { ModelShape } from "./ModelShape.js"
import { destroyed, engineFailed, refused } from "./PolicyFailure.js"
import type { SampleOrder, SampleQueue } from "./SampleQueue.js"

/** Ids that the network cannot take, in words. */
export const idsProblem = (shape: ModelShape, ids: TokenIds): string | undefined => {
  if (ids.length === 0) return "there are no token ids"
  const stranger = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= shape.vocabularySize)
  if (stranger !== undefined) return `the vocabulary has no id ${stranger} (it has ${shape.vocabularySize} words)`
  return ids.length > shape.contextLength
    ? `${ids.length} tokens do not fit the context of ${shape.contextLength}`
    : undefined
}

const requestProblem = (shape: ModelShape, { count, params, prompt }: SampleRequest): string | undefined => {
  const { maxTokens, temperature, topP } = params
  const problem = idsProblem(shape, prompt)
  if (problem !== undefined) return problem
  if (prompt.length >= shape.contextLength) {
    return `a prompt of ${prompt.length} tokens leaves no room in the context of ${shape.contextLength}`
  }
  if (!Number.isInteger(count) || count < 1) return `count is ${count}, not a positive integer`
  if (!Number.isInteger(maxTokens) || maxTokens < 1) return `maxTokens is ${maxTokens}, not a positive integer`
  if (!(temperature >= 0 && temperature < Infinity)) return `temperature is ${temperature}, not 0 or more`
  return topP > 0 && topP <= 1 ? undefined : `topP is ${topP}, not in (0, 1]`
}

/** Log-probabilities that are no numbers, in words. */
const logprobsProblem = (logprobs: ArrayLike<number>): string | undefined => {
  const values = Array.from(logprobs)
  const bad = values.findIndex((value) => !Number.isFinite(value))
  return bad < 0 ? undefined : `the weights are damaged: log-probability ${bad} is ${values[bad]}`
}

const draw = (queue: SampleQueue, order: SampleOrder): Effect.Effect<Sample, PolicyError> =>
  Effect.async((resume) => {
    const cancel = queue.submit(order, (answer) => {
      if (answer._tag === "Failed") {
        const fix = "Start again from the last saved state"
        resume(Effect.fail(refused("sample", answer.reason, fix)))
        return
      }
      const { ids, logprobs, stopReason } = answer.outcome
      const problem = logprobsProblem(logprobs)
      if (problem !== undefined) {
        resume(Effect.fail(destroyed("sample", problem)))
        return
      }
      resume(Effect.succeed({ ids, logprobs, stopReason, cachedTokens: answer.cached }))
    })
    return Effect.sync(cancel)
  })

/** What a sampler is made of. */
export interface SamplerParts {
  readonly snapshotId: string
  readonly engine: Engine
  readonly queue: SampleQueue
  /** Wraps every use: refuses where the weights are no longer those of the snapshot. */
  readonly guarded: <A>(use: Effect.Effect<A, PolicyError>) => Effect.Effect<A, PolicyError>
}

/**
 * A sampler on an engine. Each continuation has random numbers of its own and no value depends on its neighbours, so
 * the same request gives the same answer at any concurrency, batching, cache content and number of workers.
 */
export const makeSampler = ({ engine, guarded, queue, snapshotId }: SamplerParts): Sampler => {
  const { shape } = engine.machine.plan

  const sample = Effect.fn("EmbeddedSampler.sample")(function*(request: SampleRequest) {
    const problem = requestProblem(shape, request)
    if (problem !== undefined) {
      return yield* refused("sample", problem, "Correct the request, or end the trajectory earlier")
    }
    const { count, params, prompt, seed } = request
    const orders = Array.from({ length: count }, (_, index): SampleOrder => ({
      prompt,
      ...params,
      seed: seedOf("embedded continuation", seed, index)
    }))
    return yield* guarded(Effect.forEach(orders, (order) => draw(queue, order), { concurrency: "unbounded" }))
  })

  const logprobs = Effect.fn("EmbeddedSampler.logprobs")(function*(ids: TokenIds) {
    const problem = idsProblem(shape, ids)
    if (problem !== undefined) {
      return yield* refused("logprobs", problem, "Score a shorter sequence of the model's own tokens")
    }
    const scored = yield* guarded(
      scoreSequence(engine, ids).pipe(Effect.mapError(engineFailed("logprobs", "refused")))
    )
    const damage = logprobsProblem(scored)
    if (damage !== undefined) return yield* destroyed("logprobs", damage)
    const values: ReadonlyArray<number | null> = [null, ...scored]
    return values
  })

  return { snapshotId, sample, logprobs }
}
