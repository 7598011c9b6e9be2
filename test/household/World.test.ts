import { describe, expect, it } from "vitest"
import { gameSpec } from "../../src/household/GameSpec.js"
import { type Room, rooms, roomStatistics } from "../../src/household/Statistics.js"
import { realRates, tidy, type World, worldOf } from "../../src/household/World.js"

const games = Array.from({ length: 4000 }, (_, index) => {
  const spec = gameSpec(0, "train", index)
  return { spec, world: worldOf(spec, realRates) }
})
const inRoom = (room: Room) => games.filter(({ spec }) => spec.inventory.room === room).map(({ world }) => world)

const countKinds = (things: ReadonlyArray<{ readonly kind: string }>): Map<string, number> => {
  const found = new Map<string, number>()
  for (const { kind } of things) found.set(kind, (found.get(kind) ?? 0) + 1)
  return found
}

const spots = ({ receptacles }: World): ReadonlyArray<number> => {
  const bySpot = new Map<number, number>()
  for (const { spot } of receptacles) bySpot.set(spot, (bySpot.get(spot) ?? 0) + 1)
  return [...bySpot.values()]
}

describe("worldOf", () => {
  it("gives every room each kind of receptacle and object of the statistics", () => {
    for (const room of rooms) {
      const worlds = inRoom(room)
      const receptacles = countKinds(worlds.flatMap((world) => world.receptacles))
      const objects = countKinds(worlds.flatMap((world) => world.objects))
      expect([...receptacles.keys()].sort()).toEqual(Object.keys(roomStatistics[room].receptacles).sort())
      expect([...objects.keys()].sort()).toEqual(Object.keys(roomStatistics[room].objects).sort())
    }
  })

  it("has every kind of object as a distractor", () => {
    const distractors = games.flatMap(({ spec, world }) =>
      world.objects.filter(({ kind }) => kind !== spec.object && kind !== spec.target)
    )
    const kinds = new Set(rooms.flatMap((room) => Object.keys(roomStatistics[room].objects)))
    expect(new Set(distractors.map(({ kind }) => kind))).toEqual(kinds)
  })

  it("has every count of receptacles of the statistics, the largest too", () => {
    for (const room of rooms) {
      const seen = new Map<string, Set<number>>()
      for (const world of inRoom(room)) {
        for (const [kind, count] of countKinds(world.receptacles)) {
          seen.set(kind, (seen.get(kind) ?? new Set()).add(count))
        }
      }
      for (const [kind, histogram] of Object.entries(roomStatistics[room].receptacles)) {
        const counts = Object.keys(histogram).map(Number)
        const found = seen.get(kind) ?? new Set()
        expect([...found].every((count) => counts.includes(count))).toBe(true)
        expect(Math.max(...found)).toBeGreaterThanOrEqual(Math.max(...counts) * 0.75)
      }
    }
    const drawers = inRoom("kitchen").map(({ receptacles }) => countKinds(receptacles).get("Drawer") ?? 0)
    expect(Math.max(...drawers)).toBe(27)
  })

  it("has about as many of each kind as the statistics", () => {
    for (const room of rooms) {
      const worlds = inRoom(room)
      const { games: counted, objects, receptacles } = roomStatistics[room]
      const mean = (of: (world: World) => number): number =>
        worlds.reduce((sum, world) => sum + of(world), 0) / worlds.length
      const expected = (histograms: ReadonlyArray<Readonly<Record<string, number>>>): number =>
        histograms.flatMap((h) => Object.entries(h)).reduce((sum, [n, seen]) => sum + Number(n) * seen, 0) / counted
      const ofReceptacles = expected(Object.values(receptacles))
      const ofObjects = expected(Object.values(objects).map(({ count }) => count))
      expect(mean((world) => world.receptacles.length) / ofReceptacles).toBeGreaterThan(0.93)
      expect(mean((world) => world.receptacles.length) / ofReceptacles).toBeLessThan(1.07)
      expect(mean((world) => world.objects.length) / ofObjects).toBeGreaterThan(0.93)
      expect(mean((world) => world.objects.length) / ofObjects).toBeLessThan(1.07)
    }
  })

  it("places objects about where the statistics have them", () => {
    for (const room of rooms) {
      const kinds = new Map<string, Array<{ readonly kind: string }>>()
      for (const { objects, receptacles } of inRoom(room)) {
        for (const { kind, places } of objects) {
          const found = kinds.get(kind)
          if (found === undefined) kinds.set(kind, [receptacles[places[0]]])
          else found.push(receptacles[places[0]])
        }
      }
      let distance = 0
      let all = 0
      for (const [kind, found] of kinds) {
        const expected = roomStatistics[room].objects[kind].places
        const counted = Object.values(expected).reduce((sum, n) => sum + n, 0)
        const here = countKinds(found)
        const places = new Set([...here.keys(), ...Object.keys(expected)])
        const gaps = [...places].map((place) =>
          Math.abs((here.get(place) ?? 0) / found.length - (expected[place] ?? 0) / counted)
        )
        distance += found.length * gaps.reduce((sum, gap) => sum + gap, 0) / 2
        all += found.length
      }
      expect(distance / all).toBeLessThan(0.1)
    }
  })

  it("has ALFWorld's rates of closed receptacles, shared spots and objects in two places", () => {
    const receptacles = games.flatMap(({ world }) => world.receptacles)
    const cabinets = receptacles.filter(({ kind }) => kind === "Cabinet")
    expect(cabinets.filter(({ openable }) => openable).length / cabinets.length).toBeCloseTo(0.825, 1)
    const alwaysClosed = receptacles.filter(({ kind }) => kind === "Fridge" || kind === "Microwave")
    expect(alwaysClosed.every(({ openable }) => openable)).toBe(true)
    const double = games.filter(({ world }) => world.objects.some(({ places }) => places.length > 1))
    expect(double.length / games.length).toBeCloseTo(0.37, 1)
    for (const room of rooms) {
      const { receptaclesPerSpot } = roomStatistics[room]
      const counted = Object.values(receptaclesPerSpot).reduce((sum, n) => sum + n, 0)
      const all = inRoom(room).flatMap(spots)
      const alone = all.filter((n) => n === 1).length / all.length
      expect(Math.abs(alone - receptaclesPerSpot[1] / counted)).toBeLessThan(0.03)
    }
  })

  it("is free of shared spots and objects in two places when asked for tidy games", () => {
    for (const { spec } of games.slice(0, 300)) {
      const world = worldOf(spec, tidy)
      expect(spots(world).every((n) => n === 1)).toBe(true)
      expect(world.objects.every(({ places }) => places.length === 1)).toBe(true)
    }
  })

  it("never begins with the task done", () => {
    for (const { spec, world } of games) {
      const wanted = world.objects.filter(({ kind }) => kind === spec.object)
      const inTarget = (index: number): boolean => world.receptacles[index].kind === spec.target
      const there = wanted.filter(({ places }) => places.some(inTarget))
      expect(wanted.length).toBeGreaterThanOrEqual(spec.taskType === "pick_two_obj_and_place" ? 2 : 1)
      if (spec.taskType === "pick_and_place_simple") expect(there).toEqual([])
      if (spec.taskType === "pick_cool_then_place_in_recep") expect(there.some((o) => o.coolAtStart)).toBe(false)
      if (spec.taskType === "pick_two_obj_and_place") {
        const targets = there.flatMap(({ places }) => places.filter(inTarget))
        expect(new Set(targets).size).toBe(targets.length)
        expect(wanted.length - there.length).toBeGreaterThanOrEqual(2)
      }
    }
  })

  it("gives everything a name of its own", () => {
    for (const { world } of games.slice(0, 500)) {
      const ids = [...world.receptacles, ...world.objects].map(({ id }) => id.toLowerCase())
      expect(new Set(ids).size).toBe(ids.length)
    }
  })
})
