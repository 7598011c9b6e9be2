import * as Schema from "effect/Schema"

/** The six ALFWorld task types, spelled as the prefix of a game's task folder. */
export const TaskType = Schema.Literal(
  "pick_and_place_simple",
  "look_at_obj_in_light",
  "pick_clean_then_place_in_recep",
  "pick_heat_then_place_in_recep",
  "pick_cool_then_place_in_recep",
  "pick_two_obj_and_place"
)
export type TaskType = typeof TaskType.Type

/** All task types, in the order tables list them. */
export const taskTypes: ReadonlyArray<TaskType> = TaskType.literals

/** The splits of an ALFWorld-style data tree. */
export const Split = Schema.Literal("train", "valid_seen", "valid_unseen")
export type Split = typeof Split.Type

/**
 * One game that can be opened by an Environment.
 *
 * `id` is `<split>:<task folder>/<trial folder>` with forward slashes; it is unique in its list, it orders the list
 * (code points), and with the run's seed it determines every random number the game's trajectories use.
 * `taskType` is a {@link TaskType} for household games; an Environment of one's own may use other names, as long as
 * the SkillBank knows them.
 */
export const Game = Schema.Struct({
  id: Schema.NonEmptyString,
  split: Schema.NonEmptyString,
  taskType: Schema.NonEmptyString
})
export type Game = typeof Game.Type
