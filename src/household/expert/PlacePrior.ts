import { rooms, roomStatistics } from "../Statistics.js"
import type { Prior } from "./SearchExpert.js"

/** Of a pair that was never seen: behind all that were. */
const unseenPair = 1e-5

const buildTable = (): ReadonlyMap<string, number> => {
  const instances = new Map<string, number>()
  const sightings = new Map<string, number>()
  const add = (table: Map<string, number>, key: string, n: number): void => {
    table.set(key, (table.get(key) ?? 0) + n)
  }
  for (const room of rooms) {
    const { objects, receptacles } = roomStatistics[room]
    for (const [kind, histogram] of Object.entries(receptacles)) {
      const perGame = Object.entries(histogram)
      add(instances, kind.toLowerCase(), perGame.reduce((sum, [count, games]) => sum + Number(count) * games, 0))
    }
    for (const [object, { places }] of Object.entries(objects)) {
      for (const [receptacle, seen] of Object.entries(places)) {
        add(sightings, `${object.toLowerCase()} ${receptacle.toLowerCase()}`, seen)
      }
    }
  }
  const table = new Map<string, number>()
  for (const [pair, seen] of sightings) {
    const receptacle = pair.slice(pair.indexOf(" ") + 1)
    table.set(pair, seen / ((instances.get(receptacle) ?? 0) + 1))
  }
  return table
}

let table: ReadonlyMap<string, number> | undefined

/**
 * How many things of a kind lie in one receptacle of a kind when a game starts, over all rooms: the counts that the
 * generator draws its games from.
 */
export const placePrior: Prior = (object, receptacle) => {
  table ??= buildTable()
  return table.get(`${object} ${receptacle}`) ?? unseenPair
}
