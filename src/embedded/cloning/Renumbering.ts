import { type Generator, shuffledBy } from "../../domain/Randomness.js"
import { nounOf } from "../../household/expert/ObservationReading.js"

/** Exchanges the numbers of things in texts, and back. Applying one and then the other changes nothing. */
export interface Renumbering {
  readonly show: (text: string) => string
  readonly restore: (text: string) => string
}

const replaceNames = (table: ReadonlyMap<string, string>) => (text: string): string =>
  text.replace(/\b[a-z]+ \d+\b/g, (name) => table.get(name) ?? name)

/** Permutes the numbers within each noun; names that are not in the list keep theirs. */
export const renumbering = (random: Generator, names: ReadonlyArray<string>): Renumbering => {
  const byNoun = new Map<string, Array<string>>()
  for (const name of names) {
    const noun = nounOf(name)
    const same = byNoun.get(noun)
    if (same === undefined) byNoun.set(noun, [name])
    else same.push(name)
  }
  const shown = new Map<string, string>()
  const restored = new Map<string, string>()
  for (const same of byNoun.values()) {
    const permuted = shuffledBy(random, same)
    same.forEach((name, i) => {
      shown.set(name, permuted[i])
      restored.set(permuted[i], name)
    })
  }
  return { show: replaceNames(shown), restore: replaceNames(restored) }
}

/** Leaves everything as it is. */
export const identity: Renumbering = { show: (text) => text, restore: (text) => text }
