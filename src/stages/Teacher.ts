import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Trajectory, Turn } from "../domain/Trajectory.js"
import type { ChatFormatError, TokenIds } from "../services/ChatFormat.js"
import { ChatFormat } from "../services/ChatFormat.js"
import type { Sampler } from "../services/Policy.js"
import { Policy, PolicyError } from "../services/Policy.js"
import type { SkillMissingError } from "../services/SkillBank.js"
import { SkillBank } from "../services/SkillBank.js"

/** What the Teacher thinks of a trajectory's actions. */
export type TeacherScores =
  | {
    readonly _tag: "Scored"
    /** Per turn, per id of its action, the log-probability (nats) with the skill in front. */
    readonly logprobs: ReadonlyArray<ReadonlyArray<number | null>>
    /** How many tokens were read for it. */
    readonly tokens: number
  }
  /** The trajectory with the skill in front does not fit the policy's context. Nothing is shortened. */
  | { readonly _tag: "TooLong"; readonly tokens: number }

export type TeacherError = PolicyError | ChatFormatError | SkillMissingError

/**
 * The trajectory as the Teacher reads it: the opening with the skill, then the very ids of the trajectory up to the
 * end of its last action. `offset` leads from a position in the trajectory to the same token here.
 */
export const teacherReading = (
  trajectory: Trajectory,
  openingWithSkill: TokenIds
): { readonly ids: TokenIds; readonly offset: number } => {
  const end = trajectory.turns.reduce((last, turn) => Math.max(last, turn.end), trajectory.openingLength)
  return {
    ids: [...openingWithSkill, ...trajectory.ids.slice(trajectory.openingLength, end)],
    offset: openingWithSkill.length - trajectory.openingLength
  }
}

/** Cuts the Teacher's log-probabilities into the turns' actions. */
export const perTurn = (
  turns: ReadonlyArray<Turn>,
  logprobs: ReadonlyArray<number | null>,
  offset: number
): ReadonlyArray<ReadonlyArray<number | null>> =>
  turns.map((turn) => logprobs.slice(turn.start + offset, turn.end + offset))

/** Scores a trajectory's own ids once more, by the policy that produced them, with a skill text in front. */
export class Teacher extends Context.Tag("agentopsd/Teacher")<Teacher, {
  /** `sampler` must be the snapshot that played the trajectory. */
  readonly rescore: (trajectory: Trajectory, sampler: Sampler) => Effect.Effect<TeacherScores, TeacherError>
}>() {
  static readonly layer = Layer.effect(
    Teacher,
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const skills = yield* SkillBank
      const { backend, capabilities } = yield* Policy

      const rescore = Effect.fn("Teacher.rescore")(function*(trajectory: Trajectory, sampler: Sampler) {
        const skill = yield* skills.skillFor(trajectory.taskType)
        const opening = yield* chat.startWithSkill({
          task: trajectory.task,
          observation: trajectory.initialObservation,
          admissibleCommands: trajectory.openingCommands
        }, skill)
        const reading = teacherReading(trajectory, opening)
        const tokens = reading.ids.length
        if (tokens > capabilities.maxSequenceTokens) {
          const scores: TeacherScores = { _tag: "TooLong", tokens }
          return scores
        }
        const logprobs = yield* sampler.logprobs(reading.ids)
        if (logprobs.length !== tokens) {
          return yield* new PolicyError({
            backend,
            operation: "logprobs",
            reason: `${tokens} ids were sent, ${logprobs.length} log-probabilities came back`,
            fix: "Nothing was credited. Report it to the backend's makers, and resume the run",
            kind: "corrupt"
          })
        }
        const scores: TeacherScores = {
          _tag: "Scored",
          logprobs: perTurn(trajectory.turns, logprobs, reading.offset),
          tokens
        }
        return scores
      })

      return Teacher.of({ rescore })
    })
  )
}
