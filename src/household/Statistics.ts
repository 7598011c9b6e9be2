import type { Generator } from "../domain/Randomness.js"
import { bathroom } from "./statistics/Bathroom.js"
import { bedroom } from "./statistics/Bedroom.js"
import { kitchen } from "./statistics/Kitchen.js"
import { livingroom } from "./statistics/LivingRoom.js"
import type { Histogram, RoomStatistics } from "./statistics/RoomStatistics.js"

export type Room = "kitchen" | "livingroom" | "bedroom" | "bathroom"

/** All rooms, in the order in which scene numbers count them. */
export const rooms: ReadonlyArray<Room> = ["kitchen", "livingroom", "bedroom", "bathroom"]

export const roomStatistics: Readonly<Record<Room, RoomStatistics>> = { kitchen, livingroom, bedroom, bathroom }

/** Values with non-negative weights, to draw from. */
export interface Weighted<A> {
  readonly values: ReadonlyArray<A>
  readonly weights: ReadonlyArray<number>
}

/** Draws a value with a probability in proportion to its weight. There must be a positive weight. */
export const draw = <A>(random: Generator, { values, weights }: Weighted<A>): A => {
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0)
  let last = 0
  for (let i = 0; i < values.length; i++) {
    if (weights[i] <= 0) continue
    last = i
    rest -= weights[i]
    if (rest < 0) break
  }
  return values[last]
}

/** How often a histogram's values were seen in all. */
export const total = (histogram: Histogram): number => Object.values(histogram).reduce((sum, n) => sum + n, 0)

/**
 * The value below which the share `u` of [0, 1) of all games lies: `games` in number, of which those that the histogram
 * leaves out count as 0.
 */
export const quantile = (histogram: Histogram, games: number, u: number): number => {
  let below = games - total(histogram)
  let last = 0
  if (u * games < below) return last
  for (const [value, seen] of Object.entries(histogram)) {
    last = Number(value)
    below += seen
    if (u * games < below) return last
  }
  return last
}

/** The histogram's values as {@link Weighted}, those below `atLeast` left out. */
export const weightedCounts = (histogram: Histogram, atLeast = 1): Weighted<number> => {
  const kept = Object.entries(histogram).filter(([value]) => Number(value) >= atLeast)
  return { values: kept.map(([value]) => Number(value)), weights: kept.map(([, seen]) => seen) }
}

/** The share of a room's games that have at least one receptacle, or object, of a kind. */
export const presence = (room: Room, kind: string): number => {
  const { games, objects, receptacles } = roomStatistics[room]
  const histogram = receptacles[kind] ?? objects[kind]?.count
  return histogram === undefined ? 0 : total(histogram) / games
}

/**
 * Where objects of a kind lie in a room: kinds of receptacle, weighted by how often the object lay there *given* that
 * the room has such a receptacle. (The plain counts would put too little on receptacles that few rooms have.)
 */
export const placeWeights = (room: Room, object: string): Weighted<string> => {
  const places = Object.entries(roomStatistics[room].objects[object]?.places ?? {})
  return {
    values: places.map(([receptacle]) => receptacle),
    weights: places.map(([receptacle, seen]) => seen / presence(room, receptacle))
  }
}
