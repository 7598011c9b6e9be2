import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Game } from "../domain/Game.js"
import { seedOf } from "../domain/Randomness.js"
import type { RolloutSettings } from "../domain/Settings.js"
import type { StopReason, Trajectory, Turn } from "../domain/Trajectory.js"
import type { ChatFormatError } from "../services/ChatFormat.js"
import { ChatFormat } from "../services/ChatFormat.js"
import type { Observation } from "../services/Environment.js"
import { Environment, EnvironmentError } from "../services/Environment.js"
import type { PolicyError, Sampler } from "../services/Policy.js"

export interface RolloutRequest {
  readonly game: Game
  /** Number of the playthrough inside its group, from 0. */
  readonly attempt: number
  /** The frozen policy that plays. */
  readonly sampler: Sampler
  readonly settings: RolloutSettings
  /** The run's seed. */
  readonly seed: number
  /** The update the trajectory belongs to; 0 in an evaluation. */
  readonly step: number
  /** Time after which the trajectory ends where it is, with stop reason `deadline`. None by default. */
  readonly deadline?: Duration.DurationInput
}

export type RolloutError = EnvironmentError | PolicyError | ChatFormatError

/** Seed of one turn's sampling: depends on what the turn is, not on when it runs. */
export const turnSeed = (request: RolloutRequest, turn: number): number =>
  seedOf("rollout", request.seed, request.game.id, request.attempt, request.step, turn)

const listed = (observation: Observation, settings: RolloutSettings): ReadonlyArray<string> =>
  settings.includeAdmissibleActions ? observation.admissibleCommands.filter((command) => command !== "help") : []

/** Plays games: alternates the policy's actions and the environment's answers until one of the stop reasons holds. */
export class Rollout extends Context.Tag("agentopsd/Rollout")<Rollout, {
  readonly play: (request: RolloutRequest) => Effect.Effect<Trajectory, RolloutError>
}>() {
  static readonly layer = Layer.effect(
    Rollout,
    Effect.gen(function*() {
      const environment = yield* Environment
      const chat = yield* ChatFormat

      const play = Effect.fn("Rollout.play")(function*(request: RolloutRequest) {
        const { game, sampler, settings } = request
        const ends = request.deadline === undefined
          ? Number.POSITIVE_INFINITY
          : (yield* Clock.currentTimeMillis) + Duration.toMillis(request.deadline)

        /** Runs a part of the trajectory; none when the deadline came first. */
        const inTime = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
          ends === Number.POSITIVE_INFINITY
            ? Effect.asSome(part)
            : Effect.flatMap(Clock.currentTimeMillis, (now) =>
              now >= ends ? Effect.succeedNone : Effect.timeoutOption(part, Duration.millis(ends - now)))

        const opened = yield* inTime(environment.open(game))
        if (Option.isNone(opened)) {
          return yield* new EnvironmentError({
            gameId: game.id,
            operation: "open",
            reason: "it did not open before the trajectory's deadline",
            retryable: true
          })
        }
        const episode = opened.value
        const openingCommands = listed(episode.initial, settings)
        const opening = yield* chat.start({
          task: episode.task,
          observation: episode.initial.text,
          admissibleCommands: openingCommands
        })

        const ids = opening.slice()
        const turns: Array<Turn> = []
        let last = episode.initial
        let stopReason: StopReason | undefined = last.won ? "won" : last.done ? "lost" : undefined

        while (stopReason === undefined) {
          if (ids.length + settings.maxActionTokens > settings.maxTrajectoryTokens) {
            stopReason = "token_budget"
            break
          }
          const sampled = yield* inTime(sampler.sample({
            prompt: ids.slice(),
            count: 1,
            params: {
              temperature: settings.temperature,
              topP: settings.topP,
              maxTokens: settings.maxActionTokens,
              stopTokens: chat.stopTokens
            },
            seed: turnSeed(request, turns.length)
          }))
          if (Option.isNone(sampled)) {
            stopReason = "deadline"
            break
          }
          const action = sampled.value[0] ?? { ids: [], logprobs: [] }
          const parsed = chat.parse(action.ids)
          const answered = parsed._tag === "Command"
            ? yield* inTime(episode.step(parsed.command))
            : Option.some({ ...last, text: parsed.reason })
          // A step that the deadline cut off leaves its action in the trajectory: its ids were received.
          const next = Option.getOrElse(answered, () => ({ ...last, text: "" }))
          const start = ids.length
          ids.push(...action.ids)
          turns.push({
            start,
            end: ids.length,
            logprobs: action.logprobs.map((logprob) => Number.isFinite(logprob) ? logprob : null),
            command: parsed._tag === "Command" ? parsed.command : null,
            invalidReason: parsed._tag === "Command" ? null : parsed.reason,
            admissible: parsed._tag === "Command" && last.admissibleCommands.includes(parsed.command),
            observation: next.text,
            won: next.won,
            score: next.score
          })
          last = next
          if (Option.isNone(answered)) stopReason = "deadline"
          else if (next.won) stopReason = "won"
          else if (next.done) stopReason = "lost"
          else if (turns.length >= settings.maxTurns) stopReason = "max_turns"
          else {
            ids.push(...(yield* chat.extend(action.ids, {
              text: next.text,
              admissibleCommands: listed(next, settings)
            })))
          }
        }

        const trajectory: Trajectory = {
          gameId: game.id,
          split: game.split,
          taskType: game.taskType,
          attempt: request.attempt,
          snapshotId: sampler.snapshotId,
          task: episode.task,
          initialObservation: episode.initial.text,
          openingCommands,
          openingLength: opening.length,
          ids,
          turns,
          stopReason,
          won: stopReason === "won",
          reward: stopReason === "won" ? 1 : 0
        }
        return trajectory
      }, Effect.scoped)

      return Rollout.of({ play })
    })
  )
}
