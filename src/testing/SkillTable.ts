import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SkillBank, SkillMissingError } from "../services/SkillBank.js"

/** A SkillBank from a table, task type to text. */
export const layerSkills = (skills: Readonly<Record<string, string>>): Layer.Layer<SkillBank> =>
  Layer.succeed(SkillBank, {
    skillFor: (taskType) => {
      const text = skills[taskType]
      return text === undefined
        ? Effect.fail(new SkillMissingError({ taskType, place: "the table of skills", reason: "it has no such entry" }))
        : Effect.succeed(text)
    }
  })
