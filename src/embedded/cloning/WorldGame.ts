import type { GameSpec } from "../../household/GameSpec.js"
import { displayNames } from "../../household/Names.js"
import {
  accepts,
  cleanable,
  coolable,
  heatable,
  holders,
  pickupable,
  sliceable,
  toggleable
} from "../../household/statistics/Nouns.js"
import type { World } from "../../household/World.js"
import type { OpenGame, View } from "./Demonstration.js"

interface Thing {
  readonly name: string
  readonly kind: string
  readonly lowerId: string
}

interface Furniture extends Thing {
  readonly ruledAs: string
  readonly openable: boolean
  readonly spot: number
  readonly contents: Set<Item>
  opened: boolean
}

interface Item extends Thing {
  hot: boolean
  cool: boolean
  clean: boolean
  sliced: boolean
  toggled: boolean
}

const byId = (a: Thing, b: Thing): number => (a.lowerId < b.lowerId ? -1 : 1)

const listing = (names: ReadonlyArray<string>): string => {
  if (names.length === 0) return "nothing"
  if (names.length === 1) return names[0]
  return `${names.slice(0, -1).join(", ")}, and ${names[names.length - 1]}`
}

const withArticle = ({ name }: Thing): string => `a ${name}`

/**
 * Plays a generated game straight from its world, some hundred times faster than opening its game file: cloning needs
 * tens of thousands of games once each. Texts and rules are those of the game file (a test plays both), except that
 * `look` does not tell of things beside a receptacle and nested objects are not listed by `examine`, neither of which
 * reaches the policy.
 */
export const openWorld = (spec: GameSpec, world: World, task: string): OpenGame => {
  const names = displayNames([...world.receptacles, ...world.objects].map(({ id }) => id))
  const thing = ({ id, kind }: { readonly id: string; readonly kind: string }): Thing => ({
    name: names.get(id) ?? id,
    kind,
    lowerId: id.toLowerCase()
  })
  const unsorted = world.receptacles.map((receptacle): Furniture => ({
    ...thing(receptacle),
    ruledAs: receptacle.ruledAs,
    openable: receptacle.openable,
    spot: receptacle.spot,
    contents: new Set(),
    opened: false
  }))
  const items = world.objects.map((object): Item => {
    const item: Item = {
      ...thing(object),
      hot: false,
      cool: object.coolAtStart,
      clean: false,
      sliced: false,
      toggled: false
    }
    for (const place of object.places) unsorted[place].contents.add(item)
    return item
  })
  const furniture = unsorted.slice().sort(byId)
  const receptaclesByName = new Map(furniture.map((receptacle) => [receptacle.name, receptacle]))
  const itemsByName = new Map(items.map((item) => [item.name, item]))
  let spot = 0
  let held: Item | undefined

  const here = (): ReadonlyArray<Furniture> => furniture.filter((receptacle) => receptacle.spot === spot)
  const isShut = (receptacle: Furniture): boolean => receptacle.openable && !receptacle.opened

  const inside = (receptacle: Furniture): string =>
    listing(Array.from(receptacle.contents).sort(byId).map(withArticle))

  const receptacleView = (receptacle: Furniture): string => {
    if (!receptacle.openable) return `On the ${receptacle.name}: ${inside(receptacle)}.`
    return receptacle.opened
      ? `In the open ${receptacle.name}: ${inside(receptacle)}.`
      : `The ${receptacle.name} is closed.`
  }

  const itemView = (item: Item): string => {
    if (holders.has(item.kind)) return `The ${item.name} is normal. In it: nothing.`
    const states = [
      ...(item.hot ? ["hot"] : []),
      ...(item.cool ? ["cool"] : []),
      ...(item.clean ? ["clean"] : []),
      ...(item.sliced ? ["sliced"] : [])
    ]
    if (states.length === 0) return `The ${item.name} is normal.`
    return `The ${item.name} is ${states.length === 1 && item.cool ? "cold" : states.join(" and ")}.`
  }

  const admissibleCommands = (): ReadonlyArray<string> => {
    const commands = ["look", "inventory", "help"]
    for (const receptacle of furniture) {
      const { contents, name } = receptacle
      if (receptacle.spot !== spot) {
        commands.push(`go to ${name}`)
        continue
      }
      commands.push(`examine ${name}`)
      if (receptacle.openable) commands.push(`${receptacle.opened ? "close" : "open"} ${name}`)
      for (const item of contents) {
        if (toggleable.has(item.kind)) commands.push(`use ${item.name}`)
        if (sliceable.has(item.kind) && held !== undefined && /^(?:Butter)?Knife$/.test(held.kind)) {
          commands.push(`slice ${item.name} with ${held.name}`)
        }
        if (held === undefined && pickupable.has(item.kind) && !isShut(receptacle)) {
          commands.push(`take ${item.name} from ${name}`)
        }
      }
      if (held === undefined) continue
      const { ruledAs } = receptacle
      if (!isShut(receptacle) && accepts[ruledAs]?.has(held.kind)) commands.push(`move ${held.name} to ${name}`)
      if (ruledAs === "SinkBasin" && cleanable.has(held.kind)) commands.push(`clean ${held.name} with ${name}`)
      if (ruledAs === "Microwave" && heatable.has(held.kind)) commands.push(`heat ${held.name} with ${name}`)
      if (ruledAs === "Fridge" && coolable.has(held.kind)) commands.push(`cool ${held.name} with ${name}`)
    }
    if (held !== undefined) commands.push(`examine ${held.name}`)
    return Array.from(new Set(commands)).sort()
  }

  const isWon = (): boolean => {
    if (spec.taskType === "look_at_obj_in_light") {
      const lit = here().some(({ contents }) =>
        Array.from(contents).some((item) => item.kind === spec.target && item.toggled))
      return lit && held?.kind === spec.object
    }
    const treated = (item: Item): boolean => {
      switch (spec.taskType) {
        case "pick_clean_then_place_in_recep":
          return item.clean
        case "pick_heat_then_place_in_recep":
          return item.hot
        case "pick_cool_then_place_in_recep":
          return item.cool
        default:
          return true
      }
    }
    const needed = spec.taskType === "pick_two_obj_and_place" ? 2 : 1
    return furniture.some(({ contents, ruledAs }) =>
      ruledAs === spec.target &&
      Array.from(contents).filter((item) => item.kind === spec.object && treated(item)).length >= needed
    )
  }

  const lookView = (): string => {
    const neighbours = here()
    return neighbours.length === 0
      ? "You stand in the middle of the room. Around you: nothing."
      : `You face the ${listing(neighbours.map(({ name }) => name))}. Beside you: nothing.`
  }

  /** Carries out a command that the list holds. */
  const carryOut = (command: string): string => {
    if (command === "look") return lookView()
    if (command === "inventory") return `Carrying: ${held === undefined ? "nothing" : withArticle(held)}.`
    if (command === "help") return "You can say:"
    const words = command.split(" ")
    const verb = words[0]
    const first = verb === "go" ? `${words[2]} ${words[3]}` : `${words[1]} ${words[2]}`
    const second = `${words[4]} ${words[5]}`
    const receptacle = receptaclesByName.get(verb === "go" || words.length <= 3 ? first : second)
    const item = itemsByName.get(first)
    switch (verb) {
      case "go":
        spot = receptacle?.spot ?? spot
        return receptacle === undefined ? "" : `You walk up to the ${receptacle.name}. ${receptacleView(receptacle)}`
      case "examine":
        return receptacle !== undefined ? receptacleView(receptacle) : item !== undefined ? itemView(item) : ""
      case "open":
        if (receptacle === undefined) return ""
        receptacle.opened = true
        return `You open the ${receptacle.name}. ${receptacleView(receptacle)}`
      case "close":
        if (receptacle === undefined) return ""
        receptacle.opened = false
        return `You close the ${receptacle.name}.`
      case "use":
        if (item === undefined) return ""
        item.toggled = true
        return `You switch on the ${item.name}.`
      case "slice":
        if (item === undefined) return ""
        item.sliced = true
        return `You slice the ${item.name} with the ${second}.`
    }
    if (receptacle === undefined || item === undefined) return ""
    switch (verb) {
      case "take":
        receptacle.contents.delete(item)
        held = item
        return `You take the ${item.name} from the ${receptacle.name}.`
      case "move":
        receptacle.contents.add(item)
        held = undefined
        return `You put the ${item.name} ${receptacle.openable ? "in" : "on"} the ${receptacle.name}.`
      case "clean":
        item.clean = true
        return `You clean the ${item.name} at the ${receptacle.name}.`
      case "heat":
        item.hot = true
        item.cool = false
        return `You heat the ${item.name} in the ${receptacle.name}.`
      default:
        item.cool = true
        item.hot = false
        return `You cool the ${item.name} in the ${receptacle.name}.`
    }
  }

  const view = (text: string): View => ({ text, admissibleCommands: admissibleCommands(), won: isWon() })
  let admissible = new Set<string>()
  const shown = (text: string): View => {
    const now = view(text)
    admissible = new Set(now.admissibleCommands)
    return now
  }

  return {
    task,
    initial: shown(
      "-= Household games =-\n\nYou stand in the middle of the room. " +
        `Around you: ${listing(furniture.map(withArticle))}.\n\nYour task is to: ${task}`
    ),
    step: (command) => shown(admissible.has(command) ? carryOut(command) : "Nothing happens.")
  }
}
