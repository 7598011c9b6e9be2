import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TrajectoryCredit } from "../domain/Credit.js"
import { generator, seedOf, shuffledBy } from "../domain/Randomness.js"
import type { UpdateSettings } from "../domain/Settings.js"
import type { Trajectory } from "../domain/Trajectory.js"
import type { Capabilities, Datum, Optimizer, PpoLoss } from "../services/Policy.js"
import { Policy, PolicyError } from "../services/Policy.js"
import { studentFlaw } from "./CreditAssignment.js"

/** A trajectory and its credit: what an update learns from. */
export interface CreditedTrajectory {
  readonly trajectory: Trajectory
  readonly credit: TrajectoryCredit
}

export interface UpdateRequest<E = PolicyError> {
  readonly optimizer: Optimizer<E>
  readonly episodes: ReadonlyArray<CreditedTrajectory>
  readonly settings: UpdateSettings
  /** The run's seed and the update's number decide which trajectories share a mini-batch. */
  readonly seed: number
  readonly step: number
}

/** What one update did. Ratios ρ are those of each mini-batch before its own optimiser step. */
export interface UpdateReport {
  /** False where no trajectory had an advantage, and so nothing was done. */
  readonly updated: boolean
  readonly trainedTrajectories: number
  /** Action ids with an advantage. */
  readonly trainedTokens: number
  readonly optimizerSteps: number
  /** Means over the trained tokens; `undefined` where there were none. */
  readonly loss: number | undefined
  readonly ratioMean: number | undefined
  readonly clipFraction: number | undefined
  /** Mean of ρ − 1 − ln ρ: an estimate of KL(old ‖ new) in nats a token. */
  readonly approximateKl: number | undefined
  /** Mean over the optimiser steps, where the backend tells. */
  readonly gradNorm: number | undefined
}

/** A trajectory as data, and how many usable action tokens it has: what its mean is taken over. */
export interface TrainingSequence {
  readonly datum: Datum
  readonly actionTokens: number
}

/** Advantages and old log-probabilities laid along a trajectory's ids; everything that is no action gets 0. */
export const sequenceOf = ({ credit, trajectory }: CreditedTrajectory): TrainingSequence => {
  const logprobs = trajectory.ids.map(() => 0)
  const advantages = trajectory.ids.map(() => 0)
  let actionTokens = 0
  trajectory.turns.forEach((turn, k) => {
    if (studentFlaw(turn) !== undefined) return
    actionTokens += turn.logprobs.length
    turn.logprobs.forEach((logprob, i) => {
      logprobs[turn.start + i] = logprob ?? 0
      advantages[turn.start + i] = credit.turns[k].advantage
    })
  })
  return { datum: { ids: trajectory.ids, logprobs, advantages }, actionTokens }
}

/**
 * Advantages scaled so that the backend's own reduction yields the paper's: the mean over each trajectory's action
 * tokens, then over trajectories. (The clipped surrogate is homogeneous in A, so scaling A scales the loss.)
 */
export const sequenceMean = (
  sequences: ReadonlyArray<TrainingSequence>,
  reduction: Capabilities["lossReduction"]
): ReadonlyArray<Datum> => {
  const total = sequences.reduce((sum, { datum }) => sum + trainedTokens(datum), 0)
  const undo = reduction === "sum" ? 1 : total
  return sequences.map(({ actionTokens, datum }) => {
    const scale = undo / (actionTokens * sequences.length)
    return { ...datum, advantages: datum.advantages.map((advantage) => advantage * scale) }
  })
}

/** Items dealt into `parts` bunches of nearly equal size, in a seeded random order. */
export const minibatches = <A>(
  items: ReadonlyArray<A>,
  parts: number,
  seed: number
): ReadonlyArray<ReadonlyArray<A>> => {
  const count = Math.min(parts, items.length)
  const dealt = shuffledBy(generator(seed), items)
  return Array.from({ length: count }, (_, part) => dealt.filter((_, i) => i % count === part))
}

/** −min(ρA, clip(ρ)A) of one token, and whether the clip decided it. */
export const clippedSurrogate = (ratio: number, advantage: number, loss: PpoLoss) => {
  const free = ratio * advantage
  const held = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh) * advantage
  return { loss: -Math.min(free, held), clipped: held < free }
}

/** One PPO update: the clipped surrogate on the turn-reshaped advantages, one optimiser step a mini-batch. */
export class PpoUpdate extends Context.Tag("agentopsd/PpoUpdate")<PpoUpdate, {
  readonly update: <E>(request: UpdateRequest<E>) => Effect.Effect<UpdateReport, E | PolicyError>
}>() {
  static readonly layer = Layer.effect(
    PpoUpdate,
    Effect.gen(function*() {
      const { backend, capabilities } = yield* Policy

      const update = Effect.fn("PpoUpdate.update")(function*<E>(request: UpdateRequest<E>) {
        const { optimizer, settings } = request
        const loss = { clipLow: settings.ppoClipLow, clipHigh: settings.ppoClipHigh }
        const sequences = request.episodes.map(sequenceOf).filter(({ datum }) => trainedTokens(datum) > 0)
        const batches = minibatches(sequences, settings.ppoMinibatches, seedOf("minibatches", request.seed, request.step))
        const seen = tally()

        for (const batch of batches) {
          const { logprobs } = yield* optimizer.forwardBackward(sequenceMean(batch, capabilities.lossReduction), loss)
          const flaw = seen.add(batch.map(({ datum }) => datum), logprobs, loss)
          if (flaw !== undefined) {
            return yield* new PolicyError({
              backend,
              operation: "forwardBackward",
              reason: flaw,
              fix: "No optimiser step was made. Resume the run from its last saved state, with a lower learning rate " +
                "if the policy diverged",
              kind: "corrupt"
            })
          }
          const { gradNorm } = yield* optimizer.optimStep({
            learningRate: settings.learningRate,
            beta1: settings.beta1,
            beta2: settings.beta2,
            weightDecay: settings.weightDecay,
            gradClipNorm: settings.gradClipNorm
          })
          seen.stepped(gradNorm)
        }
        return seen.report(sequences.length)
      })

      return PpoUpdate.of({ update })
    })
  )
}

const trainedTokens = (datum: Datum): number =>
  datum.advantages.reduce((n, advantage) => n + (advantage === 0 ? 0 : 1), 0)

/** Gathers the loss metrics on our side, from the log-probabilities that the backend returns. */
const tally = () => {
  let tokens = 0
  let lossSum = 0
  let ratioSum = 0
  let clipped = 0
  let kl = 0
  let steps = 0
  const gradNorms: Array<number> = []
  const share = (sum: number): number | undefined => tokens === 0 ? undefined : sum / tokens

  return {
    /** Returns why the answer cannot be trusted, if so. */
    add: (
      batch: ReadonlyArray<Datum>,
      answer: ReadonlyArray<ReadonlyArray<number | null>>,
      loss: PpoLoss
    ): string | undefined => {
      if (answer.length !== batch.length) return `${batch.length} sequences were sent, ${answer.length} came back`
      for (const [i, datum] of batch.entries()) {
        const fresh = answer[i]
        if (fresh.length !== datum.ids.length) {
          return `sequence ${i} has ${datum.ids.length} ids but ${fresh.length} log-probabilities came back`
        }
        for (const [t, advantage] of datum.advantages.entries()) {
          if (advantage === 0) continue
          const logprob = fresh[t]
          if (logprob === null || !Number.isFinite(logprob)) {
            return `sequence ${i} has no finite log-probability at position ${t}`
          }
          const logRatio = logprob - datum.logprobs[t]
          const ratio = Math.exp(logRatio)
          const surrogate = clippedSurrogate(ratio, advantage, loss)
          if (!Number.isFinite(surrogate.loss)) return `the loss of sequence ${i} is not finite at position ${t}`
          tokens++
          lossSum += surrogate.loss
          ratioSum += ratio
          clipped += surrogate.clipped ? 1 : 0
          kl += ratio - 1 - logRatio
        }
      }
      return undefined
    },
    stepped: (gradNorm: number | undefined): void => {
      steps++
      if (gradNorm !== undefined) gradNorms.push(gradNorm)
    },
    report: (trajectories: number): UpdateReport => ({
      updated: steps > 0,
      trainedTrajectories: trajectories,
      trainedTokens: tokens,
      optimizerSteps: steps,
      loss: share(lossSum),
      ratioMean: share(ratioSum),
      clipFraction: share(clipped),
      approximateKl: share(kl),
      gradNorm: gradNorms.length === 0 ? undefined : gradNorms.reduce((a, b) => a + b, 0) / gradNorms.length
    })
  }
}
