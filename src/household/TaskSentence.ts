import type { TaskType } from "../domain/Game.js"

/** The two ways of wording a task of each type, with the object and the target in lower case; ALFWorld's twelve. */
export const taskSentences = (taskType: TaskType, object: string, target: string): readonly [string, string] => {
  const o = object.toLowerCase()
  const t = target.toLowerCase()
  switch (taskType) {
    case "pick_and_place_simple":
      return [`put a ${o} in ${t}.`, `put some ${o} on ${t}.`]
    case "look_at_obj_in_light":
      return [`look at ${o} under the ${t}.`, `examine the ${o} with the ${t}.`]
    case "pick_clean_then_place_in_recep":
      return [`put a clean ${o} in ${t}.`, `clean some ${o} and put it in ${t}.`]
    case "pick_heat_then_place_in_recep":
      return [`put a hot ${o} in ${t}.`, `heat some ${o} and put it in ${t}.`]
    case "pick_cool_then_place_in_recep":
      return [`put a cool ${o} in ${t}.`, `cool some ${o} and put it in ${t}.`]
    case "pick_two_obj_and_place":
      return [`put two ${o} in ${t}.`, `find two ${o} and put them in ${t}.`]
  }
}
