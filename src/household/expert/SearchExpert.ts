import { below, type Generator } from "../../domain/Randomness.js"
import type { Goal } from "./Goal.js"
import { nounOf, numberOf, readObservation } from "./ObservationReading.js"

/** How likely a receptacle (by noun) holds a thing (by noun). Only the order of the values matters. */
export type Prior = (object: string, receptacle: string) => number

export interface ExpertOptions {
  /** Where to look first. */
  readonly prior: Prior
  /** `expert` searches likely places first; `novice` takes the kinds of receptacles in a random order. */
  readonly mode: "expert" | "novice"
  readonly random: Generator
}

/**
 * A scripted policy. It sees what a language model sees: the receptacles of the room, then after each command the text
 * and the admissible commands. `next` gives its command; `observe` tells it what became of a command, whoever chose it.
 */
export interface SearchExpert {
  readonly next: (admissible: ReadonlyArray<string>) => string
  readonly observe: (command: string, text: string) => void
}

/** Where each treatment happens, the better place first. */
const appliances: Readonly<Partial<Record<Goal["kind"], ReadonlyArray<string>>>> = {
  clean: ["sinkbasin", "bathtubbasin"],
  heat: ["microwave"],
  cool: ["fridge"]
}

/** Receptacles that mostly start closed, so that looking inside costs one more command. */
const usuallyClosed: ReadonlySet<string> = new Set([
  "cabinet", "drawer", "fridge", "microwave", "safe", "laundryhamper"
])

const takePattern = /^take (\S+ \d+) from (\S+ \d+)$/
const putPattern = /^(?:move|put) (\S+ \d+) (?:to|in\/on) (\S+ \d+)$/
const treatPattern = /^(clean|heat|cool) (\S+ \d+) with \S+ \d+$/
const closePattern = /^close (\S+ \d+)$/

/** A search through the room's receptacles, one object at a time. */
export const searchExpert = (
  goal: Goal,
  receptacles: ReadonlyArray<string>,
  options: ExpertOptions
): SearchExpert => {
  const { mode, prior, random } = options
  /** What is known to lie where; a receptacle without an entry has not been looked into. */
  const known = new Map<string, Array<string>>()
  const closed = new Set<string>()
  const treated = new Set<string>()
  const whims = new Map<string, number>(receptacles.map((name) => [nounOf(name), random()]))
  let held: string | undefined
  /** Where the first of two objects went. */
  let chosenTarget: string | undefined

  const observe = (command: string, text: string): void => {
    const reading = readObservation(text)
    if (reading._tag === "Contents") {
      known.set(reading.receptacle, reading.objects.slice())
      closed.delete(reading.receptacle)
      return
    }
    if (reading._tag === "Closed") {
      closed.add(reading.receptacle)
      return
    }
    if (reading._tag !== "Done") return
    const take = takePattern.exec(command)
    if (take !== null) {
      held = take[1]
      const left = known.get(take[2])?.filter((name) => name !== take[1])
      if (left !== undefined) known.set(take[2], left)
      return
    }
    const put = putPattern.exec(command)
    if (put !== null) {
      held = undefined
      known.set(put[2], [...(known.get(put[2]) ?? []), put[1]])
      return
    }
    const treat = treatPattern.exec(command)
    if (treat !== null) treated.add(treat[2])
    const close = closePattern.exec(command)
    if (close !== null) closed.add(close[1])
  }

  const next = (admissible: ReadonlyArray<string>): string => {
    const possible = new Set(admissible)
    const isHere = (name: string): boolean => !possible.has(`go to ${name}`)
    const placing = (object: string, target?: string): string | undefined =>
      admissible.find((command) => {
        const put = putPattern.exec(command)
        return put !== null && put[1] === object && (target === undefined || put[2] === target)
      })
    const anywhere = (): string => {
      const moves = admissible.filter((command) => command.startsWith("go to "))
      return moves[below(random, moves.length)] ?? "look"
    }

    const lookInto = (name: string): string => {
      if (!isHere(name)) return `go to ${name}`
      return possible.has(`open ${name}`) ? `open ${name}` : `examine ${name}`
    }

    /** Probability of success for the commands it costs; small numbers first among equals. */
    const worth = (noun: string, name: string): number => {
      const chance = mode === "novice" ? 0.2 + (whims.get(nounOf(name)) ?? 0) : prior(noun, nounOf(name))
      const mayBeShut = closed.has(name) || usuallyClosed.has(nounOf(name))
      const cost = isHere(name) ? 0.8 : mayBeShut ? 1.7 : 1
      return chance / cost - numberOf(name) * 1e-5
    }

    const seek = (noun: string, ignored: string | undefined): string => {
      for (const name of receptacles) {
        if (name === ignored || !known.get(name)?.some((thing) => nounOf(thing) === noun)) continue
        if (!isHere(name)) return `go to ${name}`
        if (possible.has(`open ${name}`)) return `open ${name}`
      }
      const unseen = receptacles.filter((name) => name !== ignored && !known.has(name))
      if (unseen.length === 0) return anywhere()
      return lookInto(unseen.reduce((best, name) => worth(noun, name) > worth(noun, best) ? name : best))
    }

    const light = (): string => {
      const lamp = admissible.find((command) => command.startsWith(`use ${goal.target} `))
      return lamp ?? seek(goal.target, undefined)
    }

    const treat = (object: string, places: ReadonlyArray<string>): string | undefined => {
      const command = admissible.find((one) => one.startsWith(`${goal.kind} ${object} with `))
      if (command !== undefined) return command
      const candidates = receptacles.filter((name) => places.includes(nounOf(name)) && !isHere(name))
      candidates.sort((a, b) =>
        places.indexOf(nounOf(a)) - places.indexOf(nounOf(b)) || numberOf(a) - numberOf(b)
      )
      return candidates.length === 0 ? undefined : `go to ${candidates[0]}`
    }

    const place = (object: string): string => {
      const targets = goal.kind === "two" && chosenTarget !== undefined
        ? [chosenTarget]
        : receptacles.filter((name) => nounOf(name) === goal.target)
      for (const target of targets) {
        const command = placing(object, target)
        if (command !== undefined) {
          chosenTarget ??= target
          return command
        }
      }
      const shut = targets.find((target) => possible.has(`open ${target}`))
      if (shut !== undefined) return `open ${shut}`
      const away = targets
        .filter((target) => !isHere(target))
        .sort((a, b) => Number(closed.has(a)) - Number(closed.has(b)) || numberOf(a) - numberOf(b))
      return away.length === 0 ? anywhere() : `go to ${away[0]}`
    }

    /** Rids the hand of something that is not wanted. */
    const drop = (object: string): string => {
      const command = placing(object) ?? admissible.find((one) => one.startsWith("open "))
      if (command !== undefined) return command
      const open = receptacles.find((name) => !isHere(name) && !closed.has(name) && known.has(name))
      return open === undefined ? anywhere() : `go to ${open}`
    }

    if (held !== undefined) {
      if (nounOf(held) !== goal.object) return drop(held)
      if (goal.kind === "light") return light()
      const places = appliances[goal.kind]
      const treatment = places === undefined || treated.has(held) ? undefined : treat(held, places)
      return treatment ?? place(held)
    }
    const settled = goal.kind === "two" ? chosenTarget : undefined
    const taking = admissible.find((command) => {
      const take = takePattern.exec(command)
      return take !== null && nounOf(take[1]) === goal.object && take[2] !== settled
    })
    return taking ?? seek(goal.object, settled)
  }

  return { next, observe }
}
