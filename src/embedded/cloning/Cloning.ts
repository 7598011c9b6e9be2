import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { words } from "../chat/Vocabulary.js"
import type { CloningSequence, CloningStart } from "../CloningTrainer.js"
import { makeCloningTrainer } from "../CloningTrainer.js"
import type { EngineError } from "../Engine.js"
import { type ModelShape, standardShape } from "../ModelShape.js"
import { decodeWeights, encodeWeights, type ModelWeights } from "../WeightFile.js"
import { CloningDataError, demonstrations, firstClonedGame, type Phase } from "./CloningData.js"

/** How far cloning has come, told after every step. */
export interface CloningProgress {
  readonly phase: string
  readonly step: number
  /** Tokens of the phase so far, and in all. */
  readonly tokens: number
  readonly phaseTokens: number
  /** Mean loss of the step's batch: actions weigh 1, observations 0.1. */
  readonly loss: number
  readonly learningRate: number
}

export interface CloningOptions {
  readonly name: string
  readonly seed: number
  /** Multiplies the phases' sizes; 1 for the real thing. */
  readonly scale?: number
  /** Tokens of a step's batch, instead of the phases' own. */
  readonly batchTokens?: number
  readonly workers?: number
  readonly shape?: ModelShape
  readonly onStep?: (progress: CloningProgress) => Effect.Effect<void>
}

const warmUpSteps = 50

/** The learning rate falls linearly to this share of itself. */
const lastShare = 0.02

/** Linear warm-up over the first steps, then a linear fall over the phase. */
export const learningRateAt = (phase: Phase, step: number, share: number): number =>
  phase.learningRate * Math.min(1, (step + 1) / warmUpSteps) * Math.max(lastShare, 1 - share)

/**
 * Gathers the next batch: demonstrations until there are `batchTokens` tokens or, with the last one, more. Gives the
 * number of the next unused game. Throws what the source throws.
 */
const nextBatch = (
  source: Iterator<CloningSequence & { readonly nextGame: number }>,
  batchTokens: number
): { readonly batch: ReadonlyArray<CloningSequence>; readonly tokens: number; readonly nextGame: number } => {
  const batch: Array<CloningSequence> = []
  let tokens = 0
  let nextGame = 0
  while (tokens < batchTokens) {
    const item = source.next()
    if (item.done === true) break
    batch.push(item.value)
    tokens += item.value.ids.length
    nextGame = item.value.nextGame
  }
  return { batch, tokens, nextGame }
}

/** Where a phase begins: what its predecessor left. */
interface Stage {
  readonly start: CloningStart
  readonly firstGame: number
}

const runPhase = Effect.fn("Cloning.phase")(function*(stage: Stage, phase: Phase, options: CloningOptions) {
  const trainer = yield* makeCloningTrainer(
    stage.start,
    options.workers === undefined ? {} : { workers: options.workers }
  )
  const batchTokens = options.batchTokens ?? phase.batchTokens
  const maxTokens = options.shape?.contextLength ?? 1024
  const phaseTokens = phase.tokens * (options.scale ?? 1)
  const source = demonstrations(phase, { seed: options.seed, firstGame: stage.firstGame, maxTokens })
  let tokens = 0
  let firstGame = stage.firstGame
  const gather = Effect.sync(() => nextBatch(source, batchTokens)).pipe(
    Effect.catchSomeDefect((defect) =>
      defect instanceof CloningDataError ? Option.some(Effect.fail(defect)) : Option.none())
  )
  let gathered = yield* gather
  for (let step = 0; tokens < phaseTokens; step++) {
    const learningRate = learningRateAt(phase, step, tokens / phaseTokens)
    // The next batch is played while the workers compute this one's gradient.
    const [{ loss }, upcoming] = yield* Effect.all([
      trainer.step(gathered.batch, { learningRate }),
      gather
    ], { concurrency: 2 })
    tokens += gathered.tokens
    firstGame = gathered.nextGame
    gathered = upcoming
    if (options.onStep !== undefined) {
      yield* options.onStep({ phase: phase.name, step, tokens, phaseTokens, loss, learningRate })
    }
  }
  const model = asStored(yield* trainer.exportWeights(options.name))
  return { model, firstGame }
}, Effect.scoped)

/** Weights as a file would hold them, rounded: a phase can so be repeated from the file of the one before. */
const asStored = (model: ModelWeights): ModelWeights =>
  Either.getOrThrow(decodeWeights(encodeWeights(model), "in memory"))

/**
 * Makes a base model: behaviour cloning of demonstrations on generated games, which are played as training goes on.
 * Every game is used once; each phase begins with a fresh optimiser. Equal phases, seed and scale give equal weights.
 */
export const clone: (
  phases: ReadonlyArray<Phase>,
  options: CloningOptions
) => Effect.Effect<ModelWeights, EngineError | CloningDataError> = Effect.fn("Cloning.clone")(
  function*(phases: ReadonlyArray<Phase>, options: CloningOptions) {
    const shape = options.shape ?? standardShape(words.length)
    let stage: Stage = {
      start: { _tag: "Fresh", vocabulary: words, seed: options.seed, shape },
      firstGame: firstClonedGame
    }
    let result: ModelWeights | undefined
    for (const phase of phases) {
      const { firstGame, model } = yield* runPhase(stage, phase, options)
      stage = { start: { _tag: "Model", model }, firstGame }
      result = model
    }
    return result ?? (yield* Effect.dieMessage("A model is made in one phase at least"))
  }
)
