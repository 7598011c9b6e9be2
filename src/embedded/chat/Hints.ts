import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TaskType } from "../../domain/Game.js"
import * as Schema from "effect/Schema"
import { SkillBank, SkillMissingError } from "../../services/SkillBank.js"

const general = "skill visit new places first do not repeat"

const recipes: Readonly<Record<TaskType, string>> = {
  pick_and_place_simple: "find it take it go to target open if closed put it",
  look_at_obj_in_light: "find it take it then find lamp use lamp",
  pick_clean_then_place_in_recep: "find it take it go to sinkbasin clean it go to target put it",
  pick_heat_then_place_in_recep: "find it take it go to microwave heat it go to target put it",
  pick_cool_then_place_in_recep: "find it take it go to fridge cool it go to target put it",
  pick_two_obj_and_place:
    "find first take it go to target put it then find second take it go to target put it same target"
}

/** The skill text of a task type in the embedded policy's own vocabulary: general advice, then a recipe. */
export const hintFor = (taskType: TaskType): string => `${general} ${recipes[taskType]}`

/** The skill texts that the embedded policy was cloned with; its Teacher reads them. */
export const layer: Layer.Layer<SkillBank> = Layer.succeed(SkillBank, {
  skillFor: Effect.fn("Hints.skillFor")(function*(taskType: string) {
    if (!Schema.is(TaskType)(taskType)) {
      return yield* new SkillMissingError({
        taskType,
        place: "the embedded policy's hints",
        reason: "they cover the six ALFWorld task types only"
      })
    }
    return hintFor(taskType)
  })
})
