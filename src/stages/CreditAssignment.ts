import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { TrajectoryCredit, TurnCredit } from "../domain/Credit.js"
import type { CreditSettings } from "../domain/Settings.js"
import type { Trajectory, Turn } from "../domain/Trajectory.js"
import type { TeacherScores } from "./Teacher.js"

/**
 * AgentOPSD's credit (arXiv 2608.05987): who did well (group-relative advantage), and which of its turns the same
 * policy would have supported more had it read the skill (turn weight). All functions here are pure.
 */

/** A trajectory with what the Teacher thinks of it; `undefined` where the Teacher was not asked. */
export interface ScoredTrajectory {
  readonly trajectory: Trajectory
  readonly scores: TeacherScores | undefined
}

/** Rewards that differ by rounding alone teach nothing: ε must not blow them up into an advantage. */
export const isConstant = (rewards: ReadonlyArray<number>): boolean => {
  const least = Math.min(...rewards)
  const most = Math.max(...rewards)
  return rewards.length < 2 || most - least <= 1e-9 * Math.max(1, Math.abs(most), Math.abs(least))
}

/** A_i = (R_i − mean R)/(std R + ε), population std; zeros for a constant group and for a group of one. */
export const groupAdvantages = (rewards: ReadonlyArray<number>, epsilon: number): ReadonlyArray<number> => {
  if (isConstant(rewards)) return rewards.map(() => 0)
  const { mean, std } = moments(rewards)
  return rewards.map((reward) => (reward - mean) / (std + epsilon))
}

/** B₀ = clip(S/G, ε, 1 − ε), from success flags and never from rewards. */
export const successPrior = (wins: ReadonlyArray<boolean>, epsilon: number): number =>
  clip(wins.filter((won) => won).length / wins.length, epsilon, 1 - epsilon)

/** σ(to) − σ(from), exact in both tails (the difference of two rounded sigmoids is not). */
export const sigmoidChange = (from: number, to: number): number =>
  to === from ? 0 : to > from
    ? sigmoid(to) * sigmoid(-from) * -Math.expm1(from - to)
    : -sigmoid(from) * sigmoid(-to) * -Math.expm1(to - from)

/** B_k and ΔB_k of a turn. */
export interface BeliefStep {
  readonly belief: number
  readonly change: number
}

/** ℓ_k = logit(B₀) + c_k with c_0 = 0, c_k = γ·c_{k−1} + e_k; B_k = σ(ℓ_k), ΔB_k = B_k − B_{k−1}. */
export const beliefSteps = (evidence: ReadonlyArray<number>, prior: number, gamma: number): ReadonlyArray<BeliefStep> => {
  const start = Math.log(prior) - Math.log1p(-prior)
  let accumulated = 0
  let logit = start
  return evidence.map((e) => {
    accumulated = gamma * accumulated + e
    const next = start + accumulated
    const step = { belief: sigmoid(next), change: sigmoidChange(logit, next) }
    logit = next
    return step
  })
}

/**
 * w_k = clip(1 + b·z_k, 1 − b, 1 + b), where z standardises q_k = sign(A)·ΔB_k over the turns of this trajectory
 * (population std + ε). Equal q give weights of exactly 1.
 */
export const turnWeights = (
  changes: ReadonlyArray<number>,
  sequenceAdvantage: number,
  weightBound: number,
  epsilon: number
): ReadonlyArray<number> => {
  const signed = changes.map((change) => Math.sign(sequenceAdvantage) * change)
  if (signed.every((q) => q === signed[0])) return signed.map(() => 1)
  const { mean, std } = moments(signed)
  return signed.map((q) => clip(1 + weightBound * ((q - mean) / (std + epsilon)), 1 - weightBound, 1 + weightBound))
}

/** Ã = A·((1 − λ) + λ·w). With λ = 0 it is A, bit for bit. */
export const reshaped = (sequenceAdvantage: number, weight: number, lambda: number): number =>
  sequenceAdvantage * (1 - lambda + lambda * weight)

/** e_k = Σ_t (Teacher − student), or why the two cannot be compared. Nothing is cut to fit. */
export const turnEvidence = (
  turn: Turn,
  teacher: ReadonlyArray<number | null>
): { readonly evidence: number } | { readonly rejected: string } => {
  const length = turn.end - turn.start
  if (length === 0) return { rejected: "the action has no ids" }
  const flaw = studentFlaw(turn)
  if (flaw !== undefined) return { rejected: flaw }
  if (teacher.length !== length) {
    return { rejected: `${length} action ids but ${teacher.length} Teacher log-probabilities` }
  }
  let evidence = 0
  for (let t = 0; t < length; t++) {
    const scored = teacher[t]
    const own = turn.logprobs[t]
    if (scored === null || own === null || !Number.isFinite(scored)) {
      return { rejected: `no finite Teacher log-probability for action id ${t}` }
    }
    evidence += scored - own
  }
  return { evidence }
}

/** Why a turn cannot be trained on at all, if so. */
export const studentFlaw = (turn: Turn): string | undefined => {
  const length = turn.end - turn.start
  if (turn.logprobs.length !== length) return `${length} action ids but ${turn.logprobs.length} log-probabilities`
  const gap = turn.logprobs.findIndex((logprob) => logprob === null || !Number.isFinite(logprob))
  return gap === -1 ? undefined : `no finite log-probability for action id ${gap}`
}

/** Credit of one trajectory, given its advantage inside the group and the group's prior. */
export const trajectoryCredit = (
  scored: ScoredTrajectory,
  sequenceAdvantage: number,
  prior: number,
  settings: CreditSettings
): TrajectoryCredit => {
  const { turns } = scored.trajectory
  const plain = (turn: Turn, rejected: string | null): TurnCredit => ({
    evidence: null,
    belief: null,
    beliefChange: null,
    weight: 1,
    advantage: studentFlaw(turn) === undefined ? sequenceAdvantage : 0,
    rejected
  })
  if (scored.scores === undefined) {
    return { sequenceAdvantage, prior, turns: turns.map((turn) => plain(turn, studentFlaw(turn) ?? null)) }
  }
  if (scored.scores._tag === "TooLong") {
    return { sequenceAdvantage, prior, turns: turns.map((turn) => plain(turn, "too long with the skill in front")) }
  }
  const teacher = scored.scores.logprobs
  const judged = turns.map((turn, k) => turnEvidence(turn, teacher[k] ?? []))
  const evidence = judged.flatMap((judgement) => "evidence" in judgement ? [judgement.evidence] : [])
  const beliefs = beliefSteps(evidence, prior, settings.gamma)
  const weights = turnWeights(
    beliefs.map((step) => step.change),
    sequenceAdvantage,
    settings.weightBound,
    settings.epsilon
  )
  let used = 0
  return {
    sequenceAdvantage,
    prior,
    turns: turns.map((turn, k): TurnCredit => {
      const judgement = judged[k]
      if ("rejected" in judgement) return plain(turn, judgement.rejected)
      const { belief, change } = beliefs[used]
      const weight = weights[used]
      used++
      return {
        evidence: judgement.evidence,
        belief,
        beliefChange: change,
        weight,
        advantage: reshaped(sequenceAdvantage, weight, settings.reshapeLambda),
        rejected: null
      }
    })
  }
}

/** Credit of a group: the trajectories of one game under one snapshot. */
export const groupCredit = (
  group: ReadonlyArray<ScoredTrajectory>,
  settings: CreditSettings
): ReadonlyArray<TrajectoryCredit> => {
  if (group.length === 0) return []
  const advantages = groupAdvantages(group.map(({ trajectory }) => trajectory.reward), settings.epsilon)
  const prior = successPrior(group.map(({ trajectory }) => trajectory.won), settings.epsilon)
  return group.map((scored, i) => trajectoryCredit(scored, advantages[i], prior, settings))
}

/** Turns a group's rewards and the Teacher's scores into advantages. */
export class CreditAssignment extends Context.Tag("agentopsd/CreditAssignment")<CreditAssignment, {
  /** Whether a group can teach anything, and so whether the Teacher is asked about it. */
  readonly needsTeacher: (group: ReadonlyArray<Trajectory>, settings: CreditSettings) => boolean
  readonly assign: (
    group: ReadonlyArray<ScoredTrajectory>,
    settings: CreditSettings
  ) => ReadonlyArray<TrajectoryCredit>
}>() {
  static readonly layer = Layer.succeed(CreditAssignment, {
    needsTeacher: (group, settings) =>
      settings.reshapeLambda > 0 && !isConstant(group.map(({ reward }) => reward)),
    assign: groupCredit
  })
}

const clip = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

const sigmoid = (x: number): number => x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))

const moments = (values: ReadonlyArray<number>): { readonly mean: number; readonly std: number } => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, std: Math.sqrt(variance) }
}
