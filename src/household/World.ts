import { below, type Generator, generator, seedOf } from "../domain/Randomness.js"
import type { GameSpec } from "./GameSpec.js"
import { freshId, type Receptacle, receptaclesOf } from "./Layout.js"
import { draw, placeWeights, quantile, roomStatistics, weightedCounts } from "./Statistics.js"
import { accepts, coolAtStart, holders, pickupable } from "./statistics/Nouns.js"

/** How much of ALFWorld's untidiness a game has; see {@link realRates}. */
export interface WorldOptions {
  /** The share of games in which one or two objects lie in two receptacles at once. */
  readonly multipleContainment: number
  /** The share kept of the cases in which a receptacle shares its spot with another. */
  readonly sharedSpots: number
}

/** ALFWorld's own rates: 1,406 of 3,827 games have an object that can be taken from two receptacles. */
export const realRates: WorldOptions = { multipleContainment: 0.37, sharedSpots: 1 }

/** Every receptacle on a spot of its own and every object in one place: easier to learn from. */
export const tidy: WorldOptions = { multipleContainment: 0, sharedSpots: 0 }

/** A receptacle of a game, with the number (from 1) of the spot where it can be reached. */
export interface PlacedReceptacle extends Receptacle {
  readonly spot: number
}

export interface PlacedObject {
  readonly id: string
  readonly kind: string
  /** Indices of the receptacles it lies in, one as a rule. */
  readonly places: ReadonlyArray<number>
  readonly coolAtStart: boolean
}

/** A game's beginning. The player stands at a spot without receptacles. */
export interface World {
  readonly receptacles: ReadonlyArray<PlacedReceptacle>
  readonly objects: ReadonlyArray<PlacedObject>
  /** Objects (by id) that lie in another object, such as a spoon in a mug: inner, outer. */
  readonly nested: ReadonlyArray<readonly [inner: string, outer: string]>
}

const spotsOf = (random: Generator, receptacles: ReadonlyArray<Receptacle>, keep: number) => {
  let spot = 0
  return receptacles.map((receptacle): PlacedReceptacle => {
    const stays = receptacle.sharesSpot && random() < keep
    if (!stays) spot++
    return { ...receptacle, spot }
  })
}

/** Draws an index of a permitted receptacle as the room's statistics have it; undefined where none is permitted. */
const usualPlace = (
  random: Generator,
  spec: GameSpec,
  object: string,
  permitted: ReadonlyMap<string, ReadonlyArray<number>>
): number | undefined => {
  const { values, weights } = placeWeights(spec.inventory.room, object)
  const possible = weights.map((weight, i) => (permitted.has(values[i]) ? weight : 0))
  if (!possible.some((weight) => weight > 0)) return undefined
  const indices = permitted.get(draw(random, { values, weights: possible })) ?? []
  return indices[below(random, indices.length)]
}

/** Any permitted receptacle, of those that accept the object if there is one. */
const unusualPlace = (
  random: Generator,
  object: string,
  permitted: ReadonlyMap<string, ReadonlyArray<number>>
): number => {
  const accepting = [...permitted].filter(([kind]) => accepts[kind]?.has(object))
  const indices = (accepting.length > 0 ? accepting : [...permitted]).flatMap(([, of]) => of)
  return indices[below(random, indices.length)]
}

const indicesByKind = (
  receptacles: ReadonlyArray<PlacedReceptacle>,
  permitted: (index: number) => boolean
): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  receptacles.forEach(({ kind }, index) => {
    if (!permitted(index)) return
    const indices = found.get(kind)
    if (indices === undefined) found.set(kind, [index])
    else indices.push(index)
  })
  return found
}

/**
 * How many objects of a kind there are: as the room's statistics have it, but enough for the task. Two are needed of
 * the object of a pick-two task, one of what any other task names.
 */
const countOf = (random: Generator, spec: GameSpec, kind: string): number => {
  const { games, objects } = roomStatistics[spec.inventory.room]
  const histogram = objects[kind].count
  if (kind !== spec.object && kind !== spec.target) return quantile(histogram, games, random())
  const needed = spec.taskType === "pick_two_obj_and_place" ? 2 : 1
  const enough = weightedCounts(histogram, needed)
  return enough.values.length > 0 ? draw(random, enough) : needed
}

/**
 * Objects that the task asks for are kept out of the target where they would make the game trivial: all of them for
 * a plain pick-and-place; the first two for pick-two, and of the others no two in one receptacle.
 */
const mayBeginIn = (
  spec: GameSpec,
  world: { readonly receptacles: ReadonlyArray<PlacedReceptacle>; readonly objects: ReadonlyArray<PlacedObject> },
  object: string
): (index: number) => boolean => {
  if (object !== spec.object) return () => true
  const others = world.objects.filter(({ kind }) => kind === object)
  const isTarget = (index: number): boolean => world.receptacles[index].kind === spec.target
  if (spec.taskType === "pick_and_place_simple") return (index) => !isTarget(index)
  if (spec.taskType !== "pick_two_obj_and_place") return () => true
  return (index) => !isTarget(index) || (others.length >= 2 && !others.some(({ places }) => places.includes(index)))
}

const addSecondPlaces = (
  random: Generator,
  spec: GameSpec,
  receptacles: ReadonlyArray<PlacedReceptacle>,
  objects: Array<PlacedObject>
): void => {
  const movable = objects.flatMap(({ kind }, index) => (pickupable.has(kind) ? [index] : []))
  const times = random() < 0.4 ? 2 : 1
  for (let time = 0; time < times && movable.length > 0; time++) {
    const index = movable[below(random, movable.length)]
    const object = objects[index]
    const permitted = indicesByKind(receptacles, (place) =>
      !object.places.includes(place) && !(object.kind === spec.object && receptacles[place].kind === spec.target))
    const place = usualPlace(random, spec, object.kind, permitted)
    if (place !== undefined) objects[index] = { ...object, places: [...object.places, place] }
  }
}

/** 928 objects in 4,027 games lie in another object. */
const nestedPerGame = 0.23

const nestSome = (random: Generator, objects: ReadonlyArray<PlacedObject>): World["nested"] => {
  if (random() >= nestedPerGame) return []
  const pairs = objects.flatMap((outer) =>
    !holders.has(outer.kind) ? [] : objects
      .filter(({ kind, places }) => pickupable.has(kind) && !holders.has(kind) && places[0] === outer.places[0])
      .map((inner) => [inner.id, outer.id] as const)
  )
  return pairs.length === 0 ? [] : [pairs[below(random, pairs.length)]]
}

/** The world a game begins in. It depends on the arguments alone and never satisfies the task already. */
export const worldOf = (spec: GameSpec, options: WorldOptions): World => {
  const random = generator(seedOf("household world", spec.seed, spec.split, spec.index))
  const receptacles = spotsOf(random, receptaclesOf(spec.seed, spec.inventory), options.sharedSpots)
  const everywhere = indicesByKind(receptacles, () => true)
  const objects: Array<PlacedObject> = []
  const taken = new Set<string>()
  for (const kind of Object.keys(roomStatistics[spec.inventory.room].objects)) {
    const [cool, seen] = coolAtStart[kind] ?? [0, 1]
    const needed = kind === spec.object || kind === spec.target
    for (let left = countOf(random, spec, kind); left > 0; left--) {
      const permitted = kind === spec.object
        ? indicesByKind(receptacles, mayBeginIn(spec, { receptacles, objects }, kind))
        : everywhere
      const place = usualPlace(random, spec, kind, permitted) ??
        (needed ? unusualPlace(random, kind, permitted) : undefined)
      if (place === undefined) continue
      const wins = kind === spec.object && receptacles[place].kind === spec.target
      objects.push({
        id: freshId(random, kind, taken),
        kind,
        places: [place],
        coolAtStart: !wins && random() * seen < cool
      })
    }
  }
  if (random() < options.multipleContainment) addSecondPlaces(random, spec, receptacles, objects)
  return { receptacles, objects, nested: nestSome(random, objects) }
}
