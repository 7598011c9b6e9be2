import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { below, generator, seedOf, shuffledBy } from "../../src/domain/Randomness.js"

describe("seedOf", () => {
  it("is a safe integer that depends on every part, its kind and its place", () => {
    const part = FastCheck.oneof(FastCheck.string(), FastCheck.integer())
    FastCheck.assert(FastCheck.property(FastCheck.array(part, { minLength: 1 }), (parts) => {
      const seed = seedOf(...parts)
      expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true)
      expect(seedOf(...parts)).toBe(seed)
      expect(seedOf(...parts, 0)).not.toBe(seed)
    }))
    expect(seedOf("a", "b")).not.toBe(seedOf("ab"))
    expect(seedOf(1)).not.toBe(seedOf("1"))
    expect(seedOf("a", 1)).not.toBe(seedOf(1, "a"))
  })
  it("does not collide over the turns of a run", () => {
    const seeds = new Set<number>()
    for (let game = 0; game < 40; game++) {
      for (let attempt = 0; attempt < 8; attempt++) {
        for (let turn = 0; turn < 50; turn++) seeds.add(seedOf("rollout", 42, `train:${game}`, attempt, 1, turn))
      }
    }
    expect(seeds.size).toBe(40 * 8 * 50)
  })
})

describe("generator", () => {
  it("gives the same numbers for the same seed and others for its neighbours", () => {
    const draw = (seed: number) => Array.from({ length: 4 }, generator(seed))
    expect(draw(7)).toEqual(draw(7))
    const firsts = new Set(Array.from({ length: 10_000 }, (_, seed) => generator(seed)()))
    expect(firsts.size).toBeGreaterThan(9_990)
  })
  it("is uniform", () => {
    const random = generator(seedOf("uniform"))
    const counts = new Array<number>(16).fill(0)
    for (let i = 0; i < 160_000; i++) counts[below(random, 16)]++
    // chi squared with 15 degrees of freedom exceeds 37.7 once in a thousand
    expect(counts.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0)).toBeLessThan(37.7)
  })
  it("first numbers of neighbouring seeds are uniform, too", () => {
    const counts = new Array<number>(16).fill(0)
    for (let seed = 0; seed < 160_000; seed++) counts[Math.floor(generator(seed)() * 16)]++
    expect(counts.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0)).toBeLessThan(37.7)
  })
})

describe("shuffledBy", () => {
  it("permutes and leaves its input alone", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(FastCheck.integer()), FastCheck.nat(), (items, seed) => {
      const before = items.slice()
      const after = shuffledBy(generator(seed), items)
      expect(items).toEqual(before)
      expect(after.slice().sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b))
    }))
  })
})
