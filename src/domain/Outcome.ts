import type { EvaluationRecord } from "./EvaluationRecords.js"
import type { Metrics } from "./Metrics.js"
import { definedMetrics, mean } from "./Metrics.js"
import type { Trajectory } from "./Trajectory.js"
import { invalidActionCount, isTruncated } from "./Trajectory.js"

/** What remains of a trajectory once it is recorded: enough for every success table and rate. */
export interface Outcome {
  readonly split: string
  readonly taskType: string
  readonly won: boolean
  readonly truncated: boolean
  readonly reward: number
  readonly turns: number
  /** Turns whose action held a command. */
  readonly validFormats: number
  /** Turns whose command the environment listed. */
  readonly admissible: number
  readonly invalidActions: number
}

export const outcomeOfTrajectory = (trajectory: Trajectory): Outcome => ({
  split: trajectory.split,
  taskType: trajectory.taskType,
  won: trajectory.won,
  truncated: isTruncated(trajectory),
  reward: trajectory.reward,
  turns: trajectory.turns.length,
  validFormats: trajectory.turns.filter((turn) => turn.invalidReason === null).length,
  admissible: trajectory.turns.filter((turn) => turn.admissible).length,
  invalidActions: invalidActionCount(trajectory)
})

export const outcomeOfRecord = (record: EvaluationRecord): Outcome => ({
  split: record.split,
  taskType: record.task_type,
  won: record.won,
  truncated: record.truncated,
  reward: record.reward,
  turns: record.steps.length,
  validFormats: record.steps.filter((step) => step.valid_format).length,
  admissible: record.steps.filter((step) => step.admissible).length,
  invalidActions: record.invalid_action_count
})

/** The task types that occur, sorted. */
export const taskTypesOf = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> =>
  [...new Set(outcomes.map(({ taskType }) => taskType))].sort()

/** How games went, under `<prefix>/…`. */
export const outcomeMetrics = (prefix: string, outcomes: ReadonlyArray<Outcome>): Metrics => {
  const total = (value: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + value(outcome), 0)
  const turns = total((outcome) => outcome.turns)
  const success = (among: ReadonlyArray<Outcome>) => mean(among.map(({ won }) => won ? 1 : 0))
  return definedMetrics({
    [`${prefix}/games`]: outcomes.length,
    [`${prefix}/reward_mean`]: mean(outcomes.map(({ reward }) => reward)),
    [`${prefix}/success_rate`]: success(outcomes),
    [`${prefix}/steps_mean`]: mean(outcomes.map((outcome) => outcome.turns)),
    [`${prefix}/truncated_rate`]: mean(outcomes.map(({ truncated }) => truncated ? 1 : 0)),
    [`${prefix}/valid_tool_call_rate`]: turns === 0 ? undefined : total((o) => o.validFormats) / turns,
    [`${prefix}/admissible_action_rate`]: turns === 0 ? undefined : total((o) => o.admissible) / turns,
    [`${prefix}/invalid_actions_mean`]: mean(outcomes.map((outcome) => outcome.invalidActions)),
    ...Object.fromEntries(taskTypesOf(outcomes).map((taskType) => [
      `${prefix}/success_rate/${taskType}`,
      success(outcomes.filter((outcome) => outcome.taskType === taskType))
    ]))
  })
}
