import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import type { Engine } from "./Engine.js"
import { addGradient, EngineError, makeEngine, scoreSequence } from "./Engine.js"
import type { ModelShape } from "./ModelShape.js"
import { standardShape } from "./ModelShape.js"
import { clearGradients, stepParameters } from "./OptimizerStep.js"
import { initializeBase, packParameters, readTensors, writeTensors } from "./Parameters.js"
import type { ModelWeights } from "./WeightFile.js"

/** A sequence to imitate. `weights` is as long as `ids`; the first token's weight is ignored (nothing predicts it). */
export interface CloningSequence {
  readonly ids: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** Where cloning begins: random weights, or a model that exists. */
export type CloningStart =
  | {
    readonly _tag: "Fresh"
    readonly vocabulary: ReadonlyArray<string>
    readonly seed: number
    /** The standard shape (3 layers, 4 heads, context 1,024) where absent. */
    readonly shape?: ModelShape
  }
  | { readonly _tag: "Model"; readonly model: ModelWeights }

/** Settings of one step. Weight decay is decoupled and spares the norms' gains. */
export interface CloningStep {
  readonly learningRate: number
  /** Default 0.9. */
  readonly beta1?: number
  /** Default 0.98. */
  readonly beta2?: number
  /** Default 0.05. */
  readonly weightDecay?: number
  /** Default 1. */
  readonly gradClipNorm?: number
}

/**
 * Behaviour cloning: trains all parameters with cross-entropy.
 *
 * ```ts
 * const program = Effect.gen(function*() {
 *   const trainer = yield* makeCloningTrainer({ _tag: "Fresh", vocabulary: words, seed: 0 })
 *   for (const batch of batches) {                  // about 4,000 tokens each
 *     const { loss } = yield* trainer.step(batch, { learningRate: 2e-3 })
 *   }
 *   const bytes = encodeWeights(yield* trainer.exportWeights("strong"))
 * }).pipe(Effect.scoped)
 * ```
 */
export interface CloningTrainer {
  /**
   * One AdamW step on the batch's mean loss Σ w·(−log p) / Σ w. Gives that loss and the gradient's norm before
   * clipping. Sequences may have any lengths up to the context's. Results do not depend on the number of workers.
   */
  readonly step: (
    batch: ReadonlyArray<CloningSequence>,
    settings: CloningStep
  ) => Effect.Effect<{ readonly loss: number; readonly gradNorm: number }, EngineError>
  /** The mean loss Σ w·(−log p) / Σ w, without training. */
  readonly evaluate: (batch: ReadonlyArray<CloningSequence>) => Effect.Effect<number, EngineError>
  /** A copy of the weights as they are now. */
  readonly exportWeights: (name: string) => Effect.Effect<ModelWeights>
}

/** Epsilon of Adam. */
const epsilon = 1e-8

const prepare = (engine: Engine, start: CloningStart): void => {
  const { machine } = engine
  if (start._tag === "Fresh") {
    initializeBase(machine, start.seed)
  } else {
    writeTensors(machine, machine.plan.model.base.tensors, start.model.tensors)
  }
  packParameters(machine)
}

const totalWeight = ({ ids, weights }: CloningSequence): number => {
  let sum = 0
  for (let t = 1; t < ids.length; t++) sum += weights[t]
  return sum
}

/** Sequences the network cannot take, in words. */
const problemOf = (shape: ModelShape, batch: ReadonlyArray<CloningSequence>): string | undefined => {
  for (const [index, { ids, weights }] of batch.entries()) {
    if (ids.length !== weights.length) return `sequence ${index} has ${ids.length} ids and ${weights.length} weights`
    if (ids.length > shape.contextLength) return `sequence ${index} is longer than ${shape.contextLength} tokens`
    for (let t = 0; t < ids.length; t++) {
      const id = ids[t]
      if (!Number.isInteger(id) || id < 0 || id >= shape.vocabularySize) return `sequence ${index} holds the id ${id}`
    }
  }
  return batch.reduce((sum, sequence) => sum + totalWeight(sequence), 0) > 0
    ? undefined
    : "the batch has no weight"
}

/** Starts a trainer on worker threads, which end with the scope. `workers` defaults to the number of cores. */
export const makeCloningTrainer = Effect.fn("CloningTrainer.make")(function*(
  start: CloningStart,
  options?: { readonly workers?: number }
) {
  const vocabulary = start._tag === "Fresh" ? start.vocabulary : start.model.vocabulary
  const shape = start._tag === "Fresh" ? start.shape ?? standardShape(vocabulary.length) : start.model.shape
  const workers = options?.workers ?? availableParallelism()
  const engine = yield* makeEngine({ shape, rank: 0, training: "base", workers, slots: 0 })
  prepare(engine, start)
  const oneAtATime = yield* Effect.makeSemaphore(1)
  let steps = 0

  const check = (batch: ReadonlyArray<CloningSequence>): Effect.Effect<void, EngineError> => {
    const problem = problemOf(shape, batch)
    return problem === undefined
      ? Effect.void
      : Effect.fail(new EngineError({ operation: "cloning", reason: problem, fix: "Correct the training data" }))
  }

  const step = Effect.fn("CloningTrainer.step")(function*(
    batch: ReadonlyArray<CloningSequence>,
    settings: CloningStep
  ) {
    yield* check(batch)
    const scale = 1 / batch.reduce((sum, sequence) => sum + totalWeight(sequence), 0)
    const data = batch.map(({ ids, weights }) => ({ ids, oldLogprobs: [], weights }))
    const { loss } = yield* addGradient(engine, data, { kind: "cross-entropy", scale }).pipe(
      Effect.tapError(() => Effect.sync(() => clearGradients(engine.machine)))
    )
    const gradNorm = stepParameters(engine.machine, {
      step: steps + 1,
      learningRate: settings.learningRate,
      beta1: settings.beta1 ?? 0.9,
      beta2: settings.beta2 ?? 0.98,
      epsilon,
      weightDecay: settings.weightDecay ?? 0.05,
      gradClipNorm: settings.gradClipNorm ?? 1
    })
    if (!Number.isFinite(gradNorm)) {
      const fix = "Lower the learning rate"
      return yield* new EngineError({ operation: "step", reason: `the gradient's norm is ${gradNorm}`, fix })
    }
    steps += 1
    return { loss, gradNorm }
  })

  const evaluate = Effect.fn("CloningTrainer.evaluate")(function*(batch: ReadonlyArray<CloningSequence>) {
    yield* check(batch)
    const losses = yield* Effect.forEach(batch, ({ ids, weights }) =>
      Effect.map(scoreSequence(engine, Array.from(ids)), (logprobs) =>
        logprobs.reduce((sum, logprob, index) => sum - weights[index + 1] * logprob, 0)), { concurrency: "unbounded" })
    const weight = batch.reduce((sum, sequence) => sum + totalWeight(sequence), 0)
    return losses.reduce((sum, loss) => sum + loss, 0) / weight
  })

  const exportWeights = (name: string): Effect.Effect<ModelWeights> =>
    Effect.sync(() => ({
      name,
      vocabulary,
      shape,
      tensors: readTensors(engine.machine, engine.machine.plan.model.base.tensors)
    }))

  const trainer: CloningTrainer = {
    step: (batch, settings) => Effect.uninterruptible(oneAtATime.withPermits(1)(step(batch, settings))),
    evaluate: (batch) => oneAtATime.withPermits(1)(evaluate(batch)),
    exportWeights: (name) => oneAtATime.withPermits(1)(exportWeights(name))
  }
  return trainer
})
