import { below, type Generator } from "../../domain/Randomness.js"
import type { Goal } from "../../household/expert/Goal.js"
import { nounOf } from "../../household/expert/ObservationReading.js"

/** What a slip can refer to. */
export interface Situation {
  readonly goal: Goal
  readonly receptacles: ReadonlyArray<string>
  /** The receptacle visited last. */
  readonly place: string
}

const oneOf = <A>(random: Generator, items: ReadonlyArray<A>): A => items[below(random, items.length)]

/**
 * A command such as a careless policy writes: a receptacle the room lacks, an object that is not here, opening what
 * is open, going where one stands. Most have no effect, a few happen to be sensible.
 */
export const slip = (random: Generator, { goal, place, receptacles }: Situation): string => {
  const some = random()
  const number = 1 + below(random, 3)
  if (some < 0.35) {
    const noun = nounOf(oneOf(random, receptacles))
    const instances = receptacles.filter((name) => nounOf(name) === noun).length
    return random() < 0.6 ? `go to ${noun} ${instances + number}` : `go to ${noun} ${1 + below(random, 8)}`
  }
  if (some < 0.52) return `take ${goal.object} ${number} from ${place}`
  if (some < 0.66) return `move ${goal.object} ${number} to ${place}`
  if (some < 0.75) return `open ${place}`
  if (some < 0.85) return `go to ${place}`
  if (some < 0.95) return `${oneOf(random, ["heat", "cool", "clean"])} ${goal.object} ${number} with ${place}`
  return "use desklamp 1"
}

/** Any command of the list, except the one that only explains the others. */
export const anyOf = (random: Generator, admissible: ReadonlyArray<string>): string => {
  const useful = admissible.filter((command) => command !== "help")
  return useful.length === 0 ? "look" : oneOf(random, useful)
}
