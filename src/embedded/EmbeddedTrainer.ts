import * as Effect from "effect/Effect"
import type {
  AdamParams,
  Datum,
  ForwardBackwardResult,
  PolicyError,
  PpoLoss,
  Sampler,
  Trainer
} from "../services/Policy.js"
import type { AdapterState } from "./AdapterFile.js"
import { checksumOf, encodeAdapter } from "./AdapterFile.js"
import type { BaseModel } from "./BaseModels.js"
import type { Checkpoints } from "./Checkpoints.js"
import { idsProblem, makeSampler } from "./EmbeddedSampler.js"
import type { Engine } from "./Engine.js"
import { addGradient } from "./Engine.js"
import type { ModelShape } from "./ModelShape.js"
import { clearGradients, stepParameters } from "./OptimizerStep.js"
import { momentProblem, parameterProblem } from "./ParameterCheck.js"
import { readTensors } from "./Parameters.js"
import { backend, destroyed, engineFailed, refused } from "./PolicyFailure.js"
import type { SampleQueue } from "./SampleQueue.js"

/** Epsilon of Adam. */
const epsilon = 1e-8

/** More than there are ever calls at a time: a step takes all permits, every other use one. */
const manyPermits = 1_000_000

/** Data that cannot be learnt from, in words. */
const datumProblem = (shape: ModelShape, { advantages, ids, logprobs }: Datum): string | undefined => {
  const problem = idsProblem(shape, ids)
  if (problem !== undefined) return problem
  if (logprobs.length !== ids.length || advantages.length !== ids.length) {
    const counts = `${ids.length} ids, ${logprobs.length} log-probabilities, ${advantages.length} advantages`
    return `its arrays differ in length (${counts})`
  }
  if (advantages[0] !== 0) return "the first token has an advantage, but nothing predicts it"
  const bad = ids.findIndex((_, t) =>
    advantages[t] !== 0 && !(Number.isFinite(advantages[t]) && Number.isFinite(logprobs[t]))
  )
  return bad < 0 ? undefined : `position ${bad} has advantage ${advantages[bad]} and log-probability ${logprobs[bad]}`
}

const lossProblem = ({ clipHigh, clipLow }: PpoLoss): string | undefined =>
  clipLow > 0 && clipLow <= 1 && clipHigh >= 1 && clipHigh < Infinity
    ? undefined
    : `the clip range is [${clipLow}, ${clipHigh}], which does not contain 1`

/** Settings that no step can be made with, in words. */
const adamProblem = ({ beta1, beta2, gradClipNorm, learningRate, weightDecay }: AdamParams): string | undefined => {
  if (!(learningRate > 0 && learningRate < Infinity)) return `learningRate is ${learningRate}, not a positive number`
  if (!(beta1 >= 0 && beta1 < 1)) return `beta1 is ${beta1}, not in [0, 1)`
  if (!(beta2 >= 0 && beta2 < 1)) return `beta2 is ${beta2}, not in [0, 1)`
  if (!(weightDecay >= 0 && weightDecay < Infinity)) return `weightDecay is ${weightDecay}, not 0 or more`
  return gradClipNorm >= 0 && gradClipNorm < Infinity ? undefined : `gradClipNorm is ${gradClipNorm}, not 0 or more`
}

/** A state that nothing can be done with any more, in words. */
const stateProblem = ({ optimizer, parameters }: AdapterState): string | undefined =>
  parameterProblem(parameters) ??
    (optimizer && (momentProblem(optimizer.firstMoments) ?? momentProblem(optimizer.secondMoments)))

/** What a trainer is made of. */
export interface TrainerParts {
  readonly engine: Engine
  readonly queue: SampleQueue
  readonly checkpoints: Checkpoints
  readonly base: BaseModel
  readonly rank: number
  readonly runName: string
  /** Optimiser steps made before (of a restored state). */
  readonly steps: number
}

/** A trainer on an engine whose parameters and moments are in place. */
export const makeTrainer = Effect.fn("EmbeddedTrainer.make")(function*(parts: TrainerParts) {
  const { base, checkpoints, engine, queue, rank, runName } = parts
  const { machine } = engine
  const { shape } = machine.plan
  const { adapter } = machine.plan.model
  /** Held by whatever changes gradients or reads all parameters: one such call at a time. */
  const exclusive = yield* Effect.makeSemaphore(1)
  /** One permit for every use of the weights, all of them for a step. */
  const weightsInUse = yield* Effect.makeSemaphore(manyPermits)
  let steps = parts.steps

  const snapshot: Trainer["snapshot"] = Effect.gen(function*() {
    const taken = steps
    let released = false
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        released = true
      })
    )
    const parameters = readTensors(machine, adapter.tensors)
    const problem = parameterProblem(parameters)
    if (problem !== undefined) return yield* destroyed("snapshot", problem)
    const checksum = checksumOf(parameters)
    const valid = Effect.suspend(() => {
      const fix = "Take a new snapshot after every optimiser step, and use it inside its scope"
      if (released) return Effect.fail(refused("sample", "the snapshot's scope is closed", fix))
      return taken === steps
        ? Effect.void
        : Effect.fail(refused("sample", "the snapshot's weights have been trained further", fix))
    })
    const sampler: Sampler = makeSampler({
      snapshotId: `${backend}:${base.weights.name}+${checksum.slice(0, 16)}`,
      engine,
      queue,
      guarded: (use) => weightsInUse.withPermits(1)(Effect.zipRight(valid, use))
    })
    return sampler
  }).pipe(Effect.withSpan("EmbeddedTrainer.snapshot"))

  const forwardBackward = Effect.fn("EmbeddedTrainer.forwardBackward")(function*(
    data: ReadonlyArray<Datum>,
    loss: PpoLoss
  ) {
    const problems = data.map((datum) => datumProblem(shape, datum))
    const problem = lossProblem(loss) ?? problems.find((each) => each !== undefined)
    if (problem !== undefined) return yield* refused("forwardBackward", problem, "Correct the data")
    const { logprobs } = yield* addGradient(
      engine,
      data.map(({ advantages, ids, logprobs: oldLogprobs }) => ({ ids, oldLogprobs, weights: advantages })),
      { kind: "ppo", clipLow: loss.clipLow, clipHigh: loss.clipHigh, scale: 1 }
    ).pipe(
      Effect.tapError(() => Effect.sync(() => clearGradients(machine))),
      Effect.mapError(engineFailed("forwardBackward", "unknown-outcome"))
    )
    const result: ForwardBackwardResult = { logprobs: logprobs.map((values) => [null, ...values]) }
    return result
  })

  const optimStep = Effect.fn("EmbeddedTrainer.optimStep")(function*(adam: AdamParams) {
    const wrong = adamProblem(adam)
    if (wrong !== undefined) return yield* refused("optimStep", wrong, "Correct the optimiser's settings")
    const gradNorm = stepParameters(machine, { ...adam, step: steps + 1, epsilon })
    if (!Number.isFinite(gradNorm)) {
      return yield* refused(
        "optimStep",
        `the gradient's norm is ${gradNorm}; no step was made`,
        "Look for log-probabilities or advantages that are not finite, or lower the learning rate"
      )
    }
    steps += 1
    queue.forget()
    const problem = parameterProblem(readTensors(machine, adapter.tensors))
    if (problem !== undefined) return yield* destroyed("optimStep", problem)
    return { gradNorm }
  })

  const stateNow = (withOptimizer: boolean): AdapterState => {
    const moments = (start: number): ReturnType<typeof readTensors> =>
      readTensors(
        machine,
        adapter.tensors.map((tensor) => ({ ...tensor, address: start + tensor.address - adapter.start }))
      )
    return {
      baseModel: base.weights.name,
      baseChecksum: base.checksum,
      rank,
      parameters: readTensors(machine, adapter.tensors),
      optimizer: withOptimizer
        ? {
          steps,
          firstMoments: moments(machine.plan.firstMoments),
          secondMoments: moments(machine.plan.secondMoments)
        }
        : undefined
    }
  }

  const save = (kind: "state" | "weights", name: string): Effect.Effect<string, PolicyError> =>
    Effect.suspend(() => {
      const state = stateNow(kind === "state")
      const problem = stateProblem(state)
      return problem === undefined
        ? checkpoints.write(runName, kind, name, encodeAdapter(shape, state))
        : Effect.fail(destroyed("save", problem))
    })

  const trainer: Trainer = {
    snapshot,
    forwardBackward: (data, loss) => exclusive.withPermits(1)(forwardBackward(data, loss)),
    optimStep: (adam) => exclusive.withPermits(1)(weightsInUse.withPermits(manyPermits)(optimStep(adam))),
    saveState: (name) => exclusive.withPermits(1)(save("state", name)),
    saveSamplerWeights: (name) => exclusive.withPermits(1)(save("weights", name))
  }
  return trainer
})
