import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Game } from "../domain/Game.js"
import type { Metrics } from "../domain/Metrics.js"
import type { Checkpoint, EpisodeRecord } from "../domain/RunRecords.js"
import type { ScheduledGame } from "../domain/Schedule.js"
import { makeSchedule } from "../domain/Schedule.js"
import type { TrainSettings } from "../domain/Settings.js"
import type { ChatFormatError } from "../services/ChatFormat.js"
import { ChatFormat } from "../services/ChatFormat.js"
import type { EnvironmentError } from "../services/Environment.js"
import type { GamesError } from "../services/Games.js"
import type { PolicyError, Sampler, Trainer } from "../services/Policy.js"
import { Policy } from "../services/Policy.js"
import { Progress } from "../services/Progress.js"
import type { Run, RunStoreError } from "../services/RunStore.js"
import { RunStore } from "../services/RunStore.js"
import type { SkillMissingError } from "../services/SkillBank.js"
import { SkillBank } from "../services/SkillBank.js"
import { CreditAssignment } from "../stages/CreditAssignment.js"
import { PpoUpdate } from "../stages/PpoUpdate.js"
import { Rollout } from "../stages/Rollout.js"
import type { TeacherError, TeacherScores } from "../stages/Teacher.js"
import { Teacher } from "../stages/Teacher.js"
import { journaled } from "./JournaledOptimizer.js"
import { checkedGames, requireContext } from "./Requirements.js"
import { patientSampler, retryInfrastructure } from "./Retries.js"
import { tracking } from "./Tracking.js"
import type { UpdateEpisode } from "./UpdateMetrics.js"
import { creditMetrics, rolloutMetrics, teacherMetrics, updateMetrics } from "./UpdateMetrics.js"

export type TrainError =
  | PolicyError
  | ChatFormatError
  | EnvironmentError
  | GamesError
  | SkillMissingError
  | RunStoreError

export interface TrainOptions {
  /** Go on with an existing run instead of making a new one. */
  readonly resume: boolean
  /** Ends each trajectory that takes longer, with stop reason `deadline`. None by default. */
  readonly trajectoryDeadline?: Duration.DurationInput
}

export interface TrainSummary {
  readonly place: string
  /** Updates that are in the run now. */
  readonly steps: number
  readonly checkpoint: Checkpoint | undefined
  /** Metrics of the updates that this call made, in order. */
  readonly metrics: ReadonlyArray<Metrics>
}

/**
 * Trains with AgentOPSD until `settings.maxSteps` updates are in the run.
 *
 * One update: the schedule's next games; a group of trajectories a game, all by one frozen snapshot; the Teacher's
 * second reading of each group whose rewards differ, as soon as the group is complete; turn credit; PPO; records.
 */
export const train = Effect.fn("train")(function*(settings: TrainSettings, options: TrainOptions) {
  const policy = yield* Policy
  const progress = yield* Progress
  const games = yield* checkedGames(settings.trainSplit)
  yield* requireContext(settings.maxTrajectoryTokens)
  const schedule = makeSchedule(games.games, {
    seed: settings.seed,
    maxGames: settings.maxTrainGames,
    tasksPerUpdate: settings.tasksPerUpdate
  })
  yield* requireSkills(games.games)

  const run = yield* (yield* RunStore).open({
    settings,
    manifestHash: games.manifestHash,
    policy: `${policy.backend}:${settings.baseModel}`,
    resume: options.resume
  })
  let checkpoint = run.checkpoint
  const first = (checkpoint?.step ?? 0) + 1
  yield* progress.report({
    _tag: "RunOpened",
    place: run.place,
    step: first - 1,
    maxSteps: settings.maxSteps,
    games: schedule.size
  })
  const metrics: Array<Metrics> = []
  if (first <= settings.maxSteps) {
    const { log } = yield* tracking({ name: settings.runName, config: settings })
    const trainer = yield* retryInfrastructure(policy.openTrainer(
      checkpoint === undefined
        ? {
          _tag: "Fresh",
          baseModel: settings.baseModel,
          runName: settings.runName,
          loraRank: settings.loraRank,
          trainUnembed: settings.trainUnembed,
          seed: settings.seed
        }
        : { _tag: "Checkpoint", path: checkpoint.statePath, runName: settings.runName }
    ))
    yield* run.journal({ _tag: "opened", step: first - 1 })
    for (let step = first; step <= settings.maxSteps; step++) {
      const recorded = yield* update(settings, options, { trainer, run, step, games: schedule.gamesOf(step) })
      metrics.push(recorded)
      yield* log(step, recorded)
      if (step === settings.maxSteps || (settings.saveEvery > 0 && step % settings.saveEvery === 0)) {
        checkpoint = yield* save(trainer, run, step)
      }
    }
  }
  if (!run.finished) yield* run.journal({ _tag: "finished", step: Math.max(first - 1, settings.maxSteps) })
  const summary: TrainSummary = { place: run.place, steps: Math.max(first - 1, settings.maxSteps), checkpoint, metrics }
  return summary
}, Effect.scoped)

interface Update {
  readonly trainer: Trainer
  readonly run: Run
  readonly step: number
  readonly games: ReadonlyArray<ScheduledGame>
}

/** One update, recorded: from the next games to the next snapshot. */
const update = Effect.fn("train.update")(function*(
  settings: TrainSettings,
  options: TrainOptions,
  { games, run, step, trainer }: Update
) {
  const progress = yield* Progress
  const ppo = yield* PpoUpdate
  const started = yield* Clock.currentTimeMillis
  yield* progress.report({ _tag: "UpdateStarted", step, trajectories: games.length * settings.groupSize })

  const groups = yield* Effect.scoped(
    Effect.flatMap(retryInfrastructure(trainer.snapshot), (sampler) =>
      creditedGroups(settings, options, { sampler: patientSampler(sampler), step, games }))
  )
  const episodes = groups.flat()
  const played = yield* Clock.currentTimeMillis
  const report = yield* ppo.update({
    optimizer: journaled(trainer, run, step),
    episodes: episodes.filter(({ credit }) => credit.sequenceAdvantage !== 0),
    settings,
    seed: settings.seed,
    step
  })
  const ended = yield* Clock.currentTimeMillis

  const metrics: Metrics = {
    ...rolloutMetrics(episodes.map(({ trajectory }) => trajectory)),
    ...creditMetrics(groups, settings),
    ...teacherMetrics(episodes),
    ...updateMetrics(report),
    "time/rollout_seconds": (played - started) / 1000,
    "time/update_seconds": (ended - played) / 1000
  }
  yield* run.recordUpdate(step, episodes.map((episode) => episodeRecord(step, episode)), metrics)
  yield* progress.report({ _tag: "UpdateFinished", step, metrics, skipped: !report.updated })
  return metrics
})

interface Play {
  readonly sampler: Sampler
  readonly step: number
  readonly games: ReadonlyArray<ScheduledGame>
}

/**
 * Plays and credits all groups of an update. Trajectories are independent: each takes one of `rolloutConcurrency`
 * places as it becomes free, whatever group it belongs to, and the Teacher reads a group while others still play.
 */
const creditedGroups = Effect.fn("train.groups")(function*(
  settings: TrainSettings,
  options: TrainOptions,
  { games, sampler, step }: Play
) {
  const progress = yield* Progress
  const rollout = yield* Rollout
  const teacher = yield* Teacher
  const credit = yield* CreditAssignment
  const places = yield* Effect.makeSemaphore(settings.rolloutConcurrency)
  const readings = yield* Effect.makeSemaphore(settings.teacherConcurrency)

  const playGroup = ({ game, occurrence }: ScheduledGame) =>
    Effect.forEach(
      Array.from({ length: settings.groupSize }, (_, i) => occurrence * settings.groupSize + i),
      (attempt) =>
        rollout.play({
          game,
          attempt,
          sampler,
          settings,
          seed: settings.seed,
          step,
          ...(options.trajectoryDeadline === undefined ? {} : { deadline: options.trajectoryDeadline })
        }).pipe(
          places.withPermits(1),
          retryInfrastructure,
          Effect.tap(({ turns, won }) =>
            progress.report({ _tag: "TrajectoryFinished", gameId: game.id, won, turns: turns.length })
          )
        ),
      { concurrency: "unbounded" }
    )

  return yield* Effect.forEach(games, (scheduled) =>
    Effect.gen(function*() {
      const trajectories = yield* playGroup(scheduled)
      const asked = credit.needsTeacher(trajectories, settings)
      const scored = yield* Effect.forEach(
        trajectories,
        (trajectory) => {
          const scores: Effect.Effect<TeacherScores | undefined, TeacherError> = asked
            ? readings.withPermits(1)(teacher.rescore(trajectory, sampler))
            : Effect.succeed(undefined)
          return Effect.map(scores, (given) => ({ trajectory, scores: given }))
        },
        { concurrency: "unbounded" }
      )
      yield* progress.report({ _tag: "GroupScored", gameId: scheduled.game.id, constant: !asked })
      const credits = credit.assign(scored, settings)
      return scored.map((item, i): UpdateEpisode => ({ ...item, credit: credits[i] }))
    }), { concurrency: "unbounded" })
})

/** Saves state and weights under the step's name, journaled. */
const save = Effect.fn("train.save")(function*(trainer: Trainer, run: Run, step: number) {
  const name = `step-${String(step).padStart(6, "0")}`
  yield* run.journal({ _tag: "begin", step, effect: "save", minibatch: 0 })
  const statePath = yield* retryInfrastructure(trainer.saveState(name))
  const samplerPath = yield* retryInfrastructure(trainer.saveSamplerWeights(name))
  const checkpoint: Checkpoint = { step, statePath, samplerPath }
  yield* run.journal({ _tag: "end", step, effect: "save", minibatch: 0 })
  yield* run.journal({ _tag: "saved", ...checkpoint })
  yield* (yield* Progress).report({ _tag: "Saved", checkpoint })
  return checkpoint
})

/** Every task type that may be played must find a skill that the policy can read, or the run does not start. */
const requireSkills = Effect.fn("train.requireSkills")(function*(games: ReadonlyArray<Game>) {
  const chat = yield* ChatFormat
  const skills = yield* SkillBank
  const nothing = { task: "", observation: "", admissibleCommands: [] }
  for (const taskType of new Set(games.map((game) => game.taskType))) {
    yield* chat.startWithSkill(nothing, yield* skills.skillFor(taskType))
  }
})

const episodeRecord = (step: number, { credit, scores, trajectory }: UpdateEpisode): EpisodeRecord => ({
  step,
  ...trajectory,
  teacherLogprobs: scores?._tag === "Scored" ? scores.logprobs : null,
  credit
})
