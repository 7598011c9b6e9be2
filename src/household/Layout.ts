import { below, type Generator, generator, seedOf, shuffledBy } from "../domain/Randomness.js"
import { draw, quantile, type Room, rooms, roomStatistics, weightedCounts } from "./Statistics.js"
import { openable } from "./statistics/Nouns.js"

/**
 * Scenes: rooms with their receptacles. A scene's number tells its room as ALFWorld's does (1–99 kitchens, 201–299
 * living rooms, 301–399 bedrooms, 401–499 bathrooms, modulo 1,000); the thousands count *blocks* of scenes, so that
 * there is no end of them. Scenes 91–99 of block 0 are kept for `valid_unseen` and belong to no training game.
 *
 * It is the scenes' numbers, and with them the draws, that are kept apart. Two scenes may still have equal counts of
 * receptacles by chance: for seed 0, no scene of `valid_unseen` equals one of the listed training games; for other
 * seeds, and for training games beyond the default list (such as those that cloning plays), some may.
 */

/** Scenes of a room and block that training games (and `valid_seen`) play in: numbers 1 to 90. */
export const trainScenes = 90

/** Scenes of a room that only `valid_unseen` plays in: numbers 91 to 99 of block 0. */
export const unseenScenes = 9

/** The number of the first scene of a room and block, less one. */
export const sceneBase = (room: Room, block: number): number => {
  const hundreds = { kitchen: 0, livingroom: 200, bedroom: 300, bathroom: 400 }
  return block * 1000 + hundreds[room]
}

/** A receptacle of a scene. */
export interface Receptacle {
  /** Its PDDL name, from which the engine derives the name that players see. */
  readonly id: string
  readonly kind: string
  /** The kind the game's rules treat it as: some bath tubs count as sink basins. */
  readonly ruledAs: string
  readonly openable: boolean
  /** It shares its spot with the receptacle before it. */
  readonly sharesSpot: boolean
}

/** How many receptacles of each kind a scene has; kinds it lacks are left out. */
export interface SceneInventory {
  readonly room: Room
  readonly scene: number
  readonly counts: ReadonlyMap<string, number>
}

/**
 * The inventories of a series of scenes. Each kind's counts follow the room's histogram as closely as the number of
 * scenes allows (stratified sampling); which scene gets which count is random and independent between kinds.
 */
const inventories = (seed: number, room: Room, first: number, length: number): ReadonlyArray<SceneInventory> => {
  const { games, receptacles } = roomStatistics[room]
  const counts = Array.from({ length }, () => new Map<string, number>())
  for (const [kind, histogram] of Object.entries(receptacles)) {
    const random = generator(seedOf("household scenes", seed, first, kind))
    const strata = shuffledBy(random, counts.map((_, stratum) => stratum))
    counts.forEach((inventory, i) => {
      const count = quantile(histogram, games, (strata[i] + random()) / length)
      if (count > 0) inventory.set(kind, count)
    })
  }
  return counts.map((inventory, i) => ({ room, scene: first + i, counts: inventory }))
}

/** The scenes of one block that training games, or the games of `valid_unseen`, play in. */
export const sceneInventories = (seed: number, block: number, unseen: boolean): ReadonlyArray<SceneInventory> =>
  rooms.flatMap((room) =>
    unseen
      ? inventories(seed, room, sceneBase(room, block) + trainScenes + 1, unseenScenes)
      : inventories(seed, room, sceneBase(room, block) + 1, trainScenes)
  )

const coordinate = (random: Generator, limit: number): string => {
  const hundredths = Math.floor((random() * 2 - 1) * limit * 100)
  const digits = (n: number): string => String(n).padStart(2, "0")
  const size = Math.abs(hundredths)
  return `_bar__${hundredths < 0 ? "minus" : "plus"}_${digits(Math.floor(size / 100))}_dot_${digits(size % 100)}`
}

/** A PDDL name that is not in `taken` yet (and is now): the kind and made-up coordinates, as ALFWorld's names have. */
export const freshId = (random: Generator, kind: string, taken: Set<string>): string => {
  const basin = kind.endsWith("Basin")
  for (;;) {
    const position = coordinate(random, 4) + coordinate(random, 2) + coordinate(random, 4)
    const id = basin ? `${kind.slice(0, -"Basin".length)}${position}_bar_${kind}` : `${kind}${position}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

/** 28 of the 459 bath tubs in ALFWorld's training games are ruled as sink basins. */
const bathtubsRuledAsSinks = 28 / 459

/** The receptacles of a scene, in an order in which those that share a spot follow each other. */
export const receptaclesOf = (seed: number, { counts, room, scene }: SceneInventory): ReadonlyArray<Receptacle> => {
  const random = generator(seedOf("household layout", seed, scene))
  const kinds = [...counts].flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
  const perSpot = weightedCounts(roomStatistics[room].receptaclesPerSpot)
  const taken = new Set<string>()
  let leftAtSpot = 0
  return shuffledBy(random, kinds).map((kind) => {
    const sharesSpot = leftAtSpot > 0
    leftAtSpot = sharesSpot ? leftAtSpot - 1 : draw(random, perSpot) - 1
    const [opened, seen] = openable[kind] ?? [0, 1]
    return {
      id: freshId(random, kind, taken),
      kind,
      ruledAs: kind === "BathtubBasin" && random() < bathtubsRuledAsSinks ? "SinkBasin" : kind,
      openable: below(random, seen) < opened,
      sharesSpot
    }
  })
}
