import { readFileSync } from "node:fs"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { generator } from "../../src/domain/Randomness.js"
import { draw, placeWeights, presence, quantile, rooms, roomStatistics } from "../../src/household/Statistics.js"
import * as Nouns from "../../src/household/statistics/Nouns.js"
import { taskCounts, taskRooms } from "../../src/household/statistics/Tasks.js"
import { sharedDir } from "../shared.js"

const file = sharedDir("alfworld/statistics.json")

const lowerKeys = <A>(record: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]))

const lower = (names: Iterable<string>): ReadonlyArray<string> => [...names].map((name) => name.toLowerCase()).sort()

describe("the table of statistics", () => {
  it.skipIf(file === undefined)("equals the counts over ALFWorld's training games", () => {
    const source = JSON.parse(readFileSync(file ?? "", "utf8"))
    for (const room of rooms) {
      const counted = source.rooms[room]
      const table = roomStatistics[room]
      expect(table.games).toBe(counted.games)
      expect(table.receptaclesPerSpot).toEqual(counted.receptacles_per_location)
      expect(lowerKeys(table.receptacles)).toEqual(counted.receptacles_per_game)
      const counts = Object.entries(table.objects).map(([kind, { count }]) => [kind, count] as const)
      expect(lowerKeys(Object.fromEntries(counts))).toEqual(counted.objects_per_game)
      const places = Object.entries(table.objects).map(([kind, object]) => [kind, lowerKeys(object.places)] as const)
      expect(lowerKeys(Object.fromEntries(places))).toEqual(counted.object_in_receptacle)
    }
    expect(taskRooms).toEqual(source.task_types_by_room)
    const tasks = Object.entries(taskCounts).map(([type, objects]) => [
      type,
      Object.fromEntries(
        Object.entries(objects).flatMap(([object, targets]) =>
          Object.entries(targets).map(([target, games]) => [`${object} -> ${target}`, games])
        )
      )
    ])
    expect(Object.fromEntries(tasks)).toEqual(source.task_object_to_target)
  })

  it.skipIf(file === undefined)("has the properties that every object of a kind has there", () => {
    const source = JSON.parse(readFileSync(file ?? "", "utf8"))
    const kindsWith = (flag: string): ReadonlyArray<string> =>
      Object.keys(source.object_flags).filter((kind) => source.object_flags[kind][flag] !== undefined).sort()
    expect(lower(Nouns.pickupable)).toEqual(kindsWith("pickupable"))
    expect(lower(Nouns.cleanable)).toEqual(kindsWith("cleanable"))
    expect(lower(Nouns.heatable)).toEqual(kindsWith("heatable"))
    expect(lower(Nouns.coolable)).toEqual(kindsWith("coolable"))
    expect(lower(Nouns.sliceable)).toEqual(kindsWith("sliceable"))
    expect(lower(Nouns.toggleable)).toEqual(kindsWith("toggleable"))
    expect(lower(Nouns.holders)).toEqual(kindsWith("isreceptacleobject"))
    for (const [kind, accepted] of Object.entries(lowerKeys(Nouns.accepts))) {
      const known: ReadonlyArray<string> = source.can_contain_union[`${kind}type`]
      expect(lower(accepted)).toEqual(
        known.map((type) => type.replace(/type$/, "")).filter((object) => object in source.object_flags).sort()
      )
    }
  })

  it("accepts the object of every task at its target", () => {
    for (const [type, objects] of Object.entries(taskCounts)) {
      if (type === "look_at_obj_in_light") continue
      for (const [object, targets] of Object.entries(objects)) {
        const refused = Object.keys(targets).filter((target) => Nouns.accepts[target]?.has(object) !== true)
        expect(refused, object).toEqual([])
      }
    }
  })

  it("places objects only where their room has receptacles", () => {
    for (const room of rooms) {
      for (const kind of Object.keys(roomStatistics[room].objects)) {
        for (const receptacle of placeWeights(room, kind).values) expect(presence(room, receptacle)).toBeGreaterThan(0)
      }
    }
  })
})

describe("drawing", () => {
  it("draws every value in proportion to its weight, and none without weight", () => {
    const random = generator(1)
    const seen = new Map<string, number>()
    for (let i = 0; i < 10_000; i++) {
      const value = draw(random, { values: ["a", "b", "c"], weights: [1, 0, 3] })
      seen.set(value, (seen.get(value) ?? 0) + 1)
    }
    expect(seen.get("b")).toBeUndefined()
    expect((seen.get("a") ?? 0) / 10_000).toBeCloseTo(0.25, 1)
  })

  it("gives each count the share of quantiles that the histogram gives it", () => {
    const histogram = FastCheck.dictionary(FastCheck.integer({ min: 1, max: 30 }).map(String), FastCheck.nat(50))
    FastCheck.assert(FastCheck.property(histogram, FastCheck.nat(50), (seen, without) => {
      const all = Object.values(seen).reduce((sum, n) => sum + n, without)
      FastCheck.pre(all > 0)
      const found = new Map<number, number>()
      for (let i = 0; i < all; i++) {
        const value = quantile(seen, all, (i + 0.5) / all)
        found.set(value, (found.get(value) ?? 0) + 1)
      }
      for (const [value, times] of Object.entries(seen)) expect(found.get(Number(value)) ?? 0).toBe(times)
      expect(found.get(0) ?? 0).toBe(without)
    }))
  })
})
