import type { Metrics } from "../domain/Metrics.js"
import { definedMetrics, mean } from "../domain/Metrics.js"
import { outcomeMetrics, outcomeOfTrajectory } from "../domain/Outcome.js"
import type { CreditSettings } from "../domain/Settings.js"
import type { Trajectory } from "../domain/Trajectory.js"
import { StopReason } from "../domain/Trajectory.js"
import type { CreditedTrajectory, UpdateReport } from "../stages/PpoUpdate.js"
import type { TeacherScores } from "../stages/Teacher.js"

/** A trajectory with all that an update found out about it. */
export interface UpdateEpisode extends CreditedTrajectory {
  /** `undefined` where the Teacher was not asked. */
  readonly scores: TeacherScores | undefined
}

const rate = (part: number, whole: number): number | undefined => whole === 0 ? undefined : part / whole

const count = <A>(items: ReadonlyArray<A>, holds: (item: A) => boolean): number =>
  items.reduce((n, item) => n + (holds(item) ? 1 : 0), 0)

/** A turn whose standardised credit reaches the weight's bound is one the update leans on. */
const isAtBound = (weight: number, bound: number): boolean => bound > 0 && Math.abs(weight - 1) >= bound * (1 - 1e-12)

/** Diagnostics of the credit: is the evidence alive, has the belief saturated, do weights stand at their bounds? */
export const creditMetrics = (
  groups: ReadonlyArray<ReadonlyArray<UpdateEpisode>>,
  settings: CreditSettings
): Metrics => {
  const episodes = groups.flat()
  const turns = episodes.flatMap(({ credit }) => credit.turns)
  const judged = turns.flatMap(({ belief, evidence, weight }) =>
    evidence === null || belief === null ? [] : [{ evidence, belief, weight }])
  const weighted = episodes.flatMap(({ credit, trajectory }) =>
    credit.turns.map((turn, k) => ({
      weight: turn.weight,
      tokens: trajectory.turns[k].end - trajectory.turns[k].start,
      judged: turn.evidence !== null
    }))).filter((turn) => turn.judged)
  const tokens = weighted.reduce((n, turn) => n + turn.tokens, 0)
  return definedMetrics({
    "credit/constant_groups": count(groups, (group) => group.every(({ credit }) => credit.sequenceAdvantage === 0)),
    "credit/groups": groups.length,
    "credit/evidence_mean": mean(judged.map(({ evidence }) => evidence)),
    "credit/evidence_abs_mean": mean(judged.map(({ evidence }) => Math.abs(evidence))),
    "credit/belief_saturation_ratio": rate(
      count(judged, ({ belief }) => belief < 0.01 || belief > 0.99),
      judged.length
    ),
    "credit/weight_mean": mean(judged.map(({ weight }) => weight)),
    "credit/weight_token_mean": rate(weighted.reduce((sum, turn) => sum + turn.weight * turn.tokens, 0), tokens),
    "credit/weight_clip_ratio": rate(
      count(judged, ({ weight }) => isAtBound(weight, settings.weightBound)),
      judged.length
    ),
    "credit/rejected_turns": count(turns, (turn) => turn.rejected !== null),
    "credit/advantage_abs_mean": mean(turns.map((turn) => Math.abs(turn.advantage)))
  })
}

/** What the Teacher was asked, and what it could not be asked. */
export const teacherMetrics = (episodes: ReadonlyArray<UpdateEpisode>): Metrics => {
  const scored = episodes.flatMap(({ scores }) => scores?._tag === "Scored" ? [scores] : [])
  return {
    "teacher/scored_trajectories": scored.length,
    "teacher/scored_tokens": scored.reduce((n, { tokens }) => n + tokens, 0),
    "teacher/skipped_trajectories": count(episodes, ({ scores }) => scores === undefined),
    "teacher/too_long_trajectories": count(episodes, ({ scores }) => scores?._tag === "TooLong")
  }
}

/** The optimiser's side. Values that do not exist in a skipped update are absent. */
export const updateMetrics = (report: UpdateReport): Metrics =>
  definedMetrics({
    "update/skipped": report.updated ? 0 : 1,
    "update/trained_trajectories": report.trainedTrajectories,
    "update/trained_tokens": report.trainedTokens,
    "update/optimizer_steps": report.optimizerSteps,
    "update/loss": report.loss,
    "update/ratio_mean": report.ratioMean,
    "update/clip_fraction": report.clipFraction,
    "update/approximate_kl": report.approximateKl,
    "update/grad_norm": report.gradNorm
  })

/** How the rollouts went, why they ended, and how many tokens were fed and drawn. */
export const rolloutMetrics = (trajectories: ReadonlyArray<Trajectory>): Metrics => ({
  ...outcomeMetrics("train", trajectories.map(outcomeOfTrajectory)),
  ...Object.fromEntries(StopReason.literals.map((reason) => [
    `train/stopped/${reason}`,
    count(trajectories, (trajectory) => trajectory.stopReason === reason)
  ])),
  "train/tokens": trajectories.reduce((n, { ids }) => n + ids.length, 0),
  "train/sampled_tokens": trajectories.reduce(
    (n, { turns }) => n + turns.reduce((sum, turn) => sum + turn.end - turn.start, 0),
    0
  )
})
