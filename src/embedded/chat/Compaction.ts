/**
 * Shortens a game's texts to the words that matter for play, so that a whole game fits a small context. The policy
 * reads `fridge 1 closed` for `You arrive at fridge 1. The fridge 1 is closed.`; what the sentence adds is lost.
 */
import { nounOf, numberOf, type Reading, readObservation } from "../../household/expert/ObservationReading.js"
import { isKnown } from "./Vocabulary.js"

/** An unrecognised text gives at most this many words. */
const longestFallback = 64

const splitWords = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]+|\d+/g) ?? []

const splitNames = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? ["nothing"] : names.flatMap((name) => name.split(" "))

/** Each noun of a listing with its highest number, in order of first mention. */
const countedNouns = (receptacles: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (receptacles.length === 0) return ["nothing"]
  const highest = new Map<string, number>()
  for (const name of receptacles) {
    const noun = nounOf(name)
    highest.set(noun, Math.max(highest.get(noun) ?? 0, numberOf(name)))
  }
  return Array.from(highest, ([noun, count]) => [noun, String(count)]).flat()
}

const fallbackWords = (text: string): ReadonlyArray<string> => {
  const known = splitWords(text).filter(isKnown).slice(0, longestFallback)
  return known.length === 0 ? ["<unk>"] : known
}

const wordsOf = (reading: Reading, text: string): ReadonlyArray<string> => {
  switch (reading._tag) {
    case "Room":
      return ["room", ...countedNouns(reading.receptacles)]
    case "Contents":
      return [reading.relation, ...reading.receptacle.split(" "), ":", ...splitNames(reading.objects)]
    case "Closed":
      return [...reading.receptacle.split(" "), "closed"]
    case "Done":
      return ["ok"]
    case "Carrying":
      return ["carrying", ...splitNames(reading.objects)]
    case "Facing":
      return ["facing", ...splitNames(reading.receptacles)]
    case "Properties":
      return ["it", ...(reading.properties.length === 0 ? ["normal"] : reading.properties)]
    case "NothingHappens":
      return ["nothing", "happens"]
    case "Help":
      return ["help"]
    case "Unknown":
      return fallbackWords(text)
  }
}

/** The content words of an observation; a text of no known wording gives those of its words the vocabulary has. */
export const observationWords = (text: string): ReadonlyArray<string> => wordsOf(readObservation(text), text)

/** The words of a task sentence, without its full stop. */
export const taskWords = (task: string): ReadonlyArray<string> => splitWords(task)
