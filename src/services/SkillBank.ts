import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A task type has no skill text. `place` is the file or table that should hold it. */
export class SkillMissingError extends Schema.TaggedError<SkillMissingError>("agentopsd/SkillMissingError")(
  "SkillMissingError",
  { taskType: Schema.String, place: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `No skill text for task type ${this.taskType}: ${this.place}: ${this.reason}. ` +
      `Every task type needs one, or its Teacher would be the student itself.`
  }
}

/** The privileged texts that the Teacher reads before a trajectory. */
export class SkillBank extends Context.Tag("agentopsd/SkillBank")<SkillBank, {
  /** General advice and the task type's own, as one text. */
  readonly skillFor: (taskType: string) => Effect.Effect<string, SkillMissingError>
}>() {}
