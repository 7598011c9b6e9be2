import { readObservation } from "../../household/expert/ObservationReading.js"

/**
 * What a player believes possible who is not shown the admissible commands. The embedded policy is such a player: a
 * demonstration must not rest on a list that it never sees. Several receptacles can share one spot, for instance,
 * which shows only when `go to` the second one has no effect.
 */
export interface Belief {
  readonly observe: (command: string, text: string) => void
  /**
   * The admissible commands as believed: neighbours that were not noticed yet seem to be elsewhere, and only lamps
   * that were seen here can be switched on.
   */
  readonly possible: (admissible: ReadonlyArray<string>) => ReadonlyArray<string>
}

const goPattern = /^go to (\S+ \d+)$/
const usePattern = /^use (\S+ \d+)$/
const usesReceptacle = /^(?:(?:open|close|examine)|.* (?:from|to|with|in\/on)) (\S+ \d+)$/

/** The belief of a player who stands nowhere yet, in a room with these receptacles. */
export const belief = (receptacles: ReadonlyArray<string>): Belief => {
  const all = new Set(receptacles)
  const contents = new Map<string, ReadonlyArray<string>>()
  let here = new Set<string>()

  const observe = (command: string, text: string): void => {
    const reading = readObservation(text)
    if (reading._tag === "Contents") contents.set(reading.receptacle, reading.objects)
    if (reading._tag === "Facing") here = new Set(reading.receptacles)
    const target = goPattern.exec(command)?.[1]
    if (target === undefined || !all.has(target)) return
    if (reading._tag === "NothingHappens") here.add(target)
    else here = new Set([target])
  }

  const seenHere = (object: string): boolean =>
    Array.from(here).some((receptacle) => contents.get(receptacle)?.includes(object))

  const possible = (admissible: ReadonlyArray<string>): ReadonlyArray<string> => {
    const believed = admissible.filter((command) => {
      if (goPattern.test(command)) return false
      const lamp = usePattern.exec(command)?.[1]
      if (lamp !== undefined) return seenHere(lamp)
      const receptacle = usesReceptacle.exec(command)?.[1]
      return receptacle === undefined || !all.has(receptacle) || here.has(receptacle)
    })
    return [...believed, ...receptacles.filter((name) => !here.has(name)).map((name) => `go to ${name}`)]
  }

  return { observe, possible }
}
