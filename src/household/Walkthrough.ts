import type { TaskType } from "../domain/Game.js"
import type { GameSpec } from "./GameSpec.js"
import { displayNames } from "./Names.js"
import type { PlacedObject, PlacedReceptacle, World } from "./World.js"

interface Treatment {
  readonly command: string
  readonly appliance: string
}

const treatments: Readonly<Partial<Record<TaskType, Treatment>>> = {
  pick_clean_then_place_in_recep: { command: "clean", appliance: "SinkBasin" },
  pick_heat_then_place_in_recep: { command: "heat", appliance: "Microwave" },
  pick_cool_then_place_in_recep: { command: "cool", appliance: "Fridge" }
}

/**
 * Commands that win a game, written down with full knowledge of its world: fetch an object, treat it, bring it to the
 * target; for two objects twice; for a lamp, fetch the object and switch the lamp on.
 */
export const walkthroughOf = (
  { object, target, taskType }: GameSpec,
  { objects, receptacles }: World
): ReadonlyArray<string> => {
  const names = displayNames([...receptacles, ...objects].map(({ id }) => id))
  const name = ({ id }: { readonly id: string }): string => names.get(id) ?? id
  const wanted = objects.filter(({ kind }) => kind === object)
  const commands: Array<string> = []
  const opened = new Set<string>()
  let spot = 0

  const goTo = (receptacle: PlacedReceptacle): void => {
    if (receptacle.spot !== spot) commands.push(`go to ${name(receptacle)}`)
    spot = receptacle.spot
  }
  const reachInto = (receptacle: PlacedReceptacle): void => {
    goTo(receptacle)
    if (receptacle.openable && !opened.has(receptacle.id)) commands.push(`open ${name(receptacle)}`)
    opened.add(receptacle.id)
  }
  const take = (thing: PlacedObject): void => {
    const source = receptacles[thing.places[0]]
    reachInto(source)
    commands.push(`take ${name(thing)} from ${name(source)}`)
  }

  if (taskType === "look_at_obj_in_light") {
    const lamp = objects.find(({ kind }) => kind === target)
    if (wanted.length === 0 || lamp === undefined) return []
    take(wanted[0])
    goTo(receptacles[lamp.places[0]])
    return [...commands, `use ${name(lamp)}`]
  }

  const goal = receptacles.findIndex(({ kind }) => kind === target)
  const treatment = treatments[taskType]
  const appliance = receptacles.find(({ kind }) => kind === treatment?.appliance)
  const there = wanted.filter(({ places }) => places.includes(goal))
  const movers = taskType === "pick_two_obj_and_place"
    ? wanted.filter((thing) => !there.includes(thing)).slice(0, 2 - there.length)
    : wanted.slice(0, 1)
  for (const mover of movers) {
    take(mover)
    if (treatment !== undefined && appliance !== undefined) {
      goTo(appliance)
      commands.push(`${treatment.command} ${name(mover)} with ${name(appliance)}`)
    }
    reachInto(receptacles[goal])
    commands.push(`move ${name(mover)} to ${name(receptacles[goal])}`)
  }
  return commands
}
