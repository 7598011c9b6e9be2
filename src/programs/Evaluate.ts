import * as Effect from "effect/Effect"
import type { EvaluationRecord } from "../domain/EvaluationRecords.js"
import type { Game } from "../domain/Game.js"
import { wilson } from "../domain/Intervals.js"
import type { Metrics } from "../domain/Metrics.js"
import { mean } from "../domain/Metrics.js"
import type { Outcome } from "../domain/Outcome.js"
import { outcomeMetrics, outcomeOfRecord, taskTypesOf } from "../domain/Outcome.js"
import type { EvalSettings, RolloutSettings } from "../domain/Settings.js"
import type { Trajectory } from "../domain/Trajectory.js"
import { invalidActionCount, isTruncated } from "../domain/Trajectory.js"
import type { ChatFormatError } from "../services/ChatFormat.js"
import { ChatFormat } from "../services/ChatFormat.js"
import type { EnvironmentError } from "../services/Environment.js"
import { EvaluationStore } from "../services/EvaluationStore.js"
import type { GamesError } from "../services/Games.js"
import type { PolicyError } from "../services/Policy.js"
import { Policy } from "../services/Policy.js"
import { Progress } from "../services/Progress.js"
import type { RunStoreError } from "../services/RunStore.js"
import { Rollout } from "../stages/Rollout.js"
import { checkedGames, requireContext } from "./Requirements.js"
import { patientSampler, retryInfrastructure } from "./Retries.js"
import { tracking } from "./Tracking.js"

export type EvaluateError = PolicyError | ChatFormatError | EnvironmentError | GamesError | RunStoreError

/** Success of one task type in one split; `taskType` is `all` for the split's total, `split` is `all` for everything. */
export interface EvaluationRow {
  readonly split: string
  readonly taskType: string
  readonly wins: number
  readonly games: number
  /** Wilson's 95 % interval of the success rate, in [0, 1]. */
  readonly interval: readonly [number, number]
}

export interface EvaluationReport {
  readonly place: string
  readonly rows: ReadonlyArray<EvaluationRow>
  readonly metrics: Metrics
}

/**
 * Plays every game of the chosen splits once, without any skill text, and records each as it ends. A game's random
 * numbers depend on the seed and the game alone: neither `gamesPerBatch` nor an interruption changes a record.
 */
export const evaluate = Effect.fn("evaluate")(function*(settings: EvalSettings) {
  const policy = yield* Policy
  const progress = yield* Progress
  const rollout = yield* Rollout
  const chat = yield* ChatFormat
  const splits = settings.split === "all" ? ["valid_seen", "valid_unseen"] : [settings.split]
  const lists = yield* Effect.forEach(splits, checkedGames)
  yield* requireContext(settings.maxTrajectoryTokens)
  const games = lists.flatMap((list) =>
    settings.limitPerSplit > 0 ? list.games.slice(0, settings.limitPerSplit) : list.games
  )
  const sampler = yield* policy.openSampler(
    settings.modelPath === null
      ? { _tag: "BaseModel", baseModel: settings.baseModel }
      : { _tag: "Weights", path: settings.modelPath, baseModel: settings.baseModel }
  ).pipe(retryInfrastructure, Effect.map(patientSampler))
  const file = yield* (yield* EvaluationStore).open({
    type: "configuration",
    settings,
    manifests: Object.fromEntries(splits.map((split, i) => [split, lists[i].manifestHash])),
    policy_snapshot_id: sampler.snapshotId
  })
  const finished = new Map(file.finished.map((record) => [record.game_id, outcomeOfRecord(record)]))
  yield* progress.report({
    _tag: "EvaluationOpened",
    place: file.place,
    games: games.length,
    finished: finished.size
  })
  const { log } = yield* tracking({ name: settings.runName, config: settings })

  const playing: RolloutSettings = { ...settings, maxActionTokens: settings.maxAssistantTokens }
  const playAndRecord = Effect.fn("evaluate.game")(function*(game: Game, index: number) {
    const known = finished.get(game.id)
    if (known !== undefined) return known
    const trajectory = yield* rollout.play({
      game,
      attempt: 0,
      sampler,
      settings: playing,
      seed: settings.seed,
      step: 0
    }).pipe(retryInfrastructure)
    const record = evaluationRecord(trajectory, index, chat.decode)
    yield* file.append(record)
    yield* progress.report({
      _tag: "TrajectoryFinished",
      gameId: game.id,
      won: trajectory.won,
      turns: trajectory.turns.length
    })
    return outcomeOfRecord(record)
  })
  const outcomes = yield* Effect.forEach(games, playAndRecord, { concurrency: settings.gamesPerBatch })

  const metrics: Metrics = Object.fromEntries(splitsOf(outcomes).flatMap((split) =>
    Object.entries(outcomeMetrics(`eval/${split}`, outcomes.filter((outcome) => outcome.split === split)))
  ))
  yield* file.complete({
    type: "summary",
    base_model: settings.baseModel,
    model_path: settings.modelPath,
    skill_free: true,
    metrics
  })
  yield* log(0, metrics)
  const report: EvaluationReport = { place: file.place, rows: evaluationRows(outcomes), metrics }
  return report
}, Effect.scoped)

/** A trajectory in the format of evaluation files. */
export const evaluationRecord = (
  trajectory: Trajectory,
  groupIndex: number,
  decode: (ids: ReadonlyArray<number>) => string
): EvaluationRecord => ({
  type: "trajectory",
  game_id: trajectory.gameId,
  split: trajectory.split,
  task_type: trajectory.taskType,
  group_index: groupIndex,
  policy_snapshot_id: trajectory.snapshotId,
  task: trajectory.task,
  initial_observation: trajectory.initialObservation,
  won: trajectory.won,
  truncated: isTruncated(trajectory),
  stop_reason: trajectory.stopReason,
  invalid_action_count: invalidActionCount(trajectory),
  reward: trajectory.reward,
  student_tokens: trajectory.ids.length,
  steps: trajectory.turns.map((turn, k) => ({
    step: k + 1,
    assistant_text: decode(trajectory.ids.slice(turn.start, turn.end)),
    action: turn.command,
    valid_format: turn.invalidReason === null,
    admissible: turn.admissible,
    valid_action: turn.invalidReason === null && turn.admissible,
    next_observation: turn.observation,
    environment_score: turn.score,
    won: turn.won,
    prompt_tokens: turn.start,
    completion_tokens: turn.end - turn.start,
    mean_old_logprob: mean(turn.logprobs.filter((logprob) => logprob !== null)) ?? null
  }))
})

/** Success by split and task type, the totals after each split and at the end. */
export const evaluationRows = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<EvaluationRow> => {
  const row = (split: string, taskType: string, among: ReadonlyArray<Outcome>): EvaluationRow => {
    const wins = among.filter(({ won }) => won).length
    return { split, taskType, wins, games: among.length, interval: wilson(wins, among.length) }
  }
  const splits = splitsOf(outcomes)
  const rows = splits.flatMap((split) => {
    const ofSplit = outcomes.filter((outcome) => outcome.split === split)
    return [
      ...taskTypesOf(ofSplit).map((taskType) => row(split, taskType, ofSplit.filter((o) => o.taskType === taskType))),
      row(split, "all", ofSplit)
    ]
  })
  return splits.length > 1 ? [...rows, row("all", "all", outcomes)] : rows
}

const splitsOf = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> =>
  [...new Set(outcomes.map(({ split }) => split))]
