import * as Schema from "effect/Schema"

/**
 * Credit of one turn (AgentOPSD, arXiv 2608.05987, section 3). `null` where there is none: the Teacher was not
 * asked, or the turn was rejected.
 */
export const TurnCredit = Schema.Struct({
  /** e_k in nats: sum over the action's ids of Teacher minus student log-probability. */
  evidence: Schema.NullOr(Schema.Number),
  /** B_k: relative support for success after this turn, in (0, 1). Not a calibrated probability. */
  belief: Schema.NullOr(Schema.Number),
  /** ΔB_k = B_k − B_{k−1}. */
  beliefChange: Schema.NullOr(Schema.Number),
  /** w_k in [1 − b, 1 + b]; exactly 1 where there is no evidence. */
  weight: Schema.Number,
  /** Ã_k = A·((1 − λ) + λ·w_k), shared by all ids of the action. */
  advantage: Schema.Number,
  /** Why the turn's evidence was refused (lengths differ, a missing or non-finite log-probability, no ids). */
  rejected: Schema.NullOr(Schema.String)
})
export type TurnCredit = typeof TurnCredit.Type

/** Credit of one trajectory. `turns` has one entry a turn. */
export const TrajectoryCredit = Schema.Struct({
  /** A: (R − mean R)/(std R + ε) over the group (population std); 0 in a constant group and in a group of one. */
  sequenceAdvantage: Schema.Number,
  /** B₀: the group's success rate, clipped to [ε, 1 − ε]. */
  prior: Schema.Number,
  turns: Schema.Array(TurnCredit)
})
export type TrajectoryCredit = typeof TrajectoryCredit.Type
