import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { PythonRandom, shuffled } from "../../src/domain/PythonRandom.js"

const firstTwelve = Array.from({ length: 12 }, (_, index) => index)

describe("PythonRandom", () => {
  it("gives CPython's first outputs for the seed 42", () => {
    const random = new PythonRandom(42)
    expect([random.uint32(), random.uint32(), random.uint32()]).toEqual([2746317213, 478163327, 107420369])
  })

  it.each([
    [0, [1, 9, 8, 5, 10, 2, 3, 7, 4, 0, 11, 6]],
    [1, [7, 11, 0, 8, 5, 6, 3, 10, 4, 1, 9, 2]],
    [42, [7, 5, 2, 8, 9, 6, 11, 3, 4, 0, 1, 10]]
  ])("shuffles twelve items as CPython does for the seed %i", (seed, expected) => {
    expect(shuffled(seed, firstTwelve)).toEqual(expected)
    expect(shuffled(BigInt(seed), firstTwelve)).toEqual(expected)
  })

  it("reads seeds of any size, 32 bits at a time, without their sign", () => {
    expect(outputs(2n ** 32n)).toEqual([485306839, 1508871100])
    expect(outputs(2n ** 64n + 12345n)).toEqual([2632172, 2355889752])
    expect(outputs(10n ** 40n)).toEqual([1492664192, 624131156])
    expect(outputs(-42)).toEqual(outputs(42))
    expect(shuffled(2n ** 64n + 12345n, firstTwelve)).toEqual([7, 9, 1, 10, 2, 3, 5, 11, 4, 6, 8, 0])
  })

  it("agrees with CPython after the state has been refilled", () => {
    const random = new PythonRandom(42)
    const drawn = Array.from({ length: 2000 }, () => random.uint32())
    expect(drawn.at(-1)).toBe(1557724698)
    const thousand = shuffled(7, Array.from({ length: 1000 }, (_, index) => index))
    expect(thousand.slice(0, 5)).toEqual([878, 857, 349, 313, 382])
    expect(thousand.slice(-5)).toEqual([666, 404, 154, 970, 331])
  })

  it("draws evenly below any bound", () => {
    const random = new PythonRandom(5)
    const counts = [0, 0, 0, 0, 0]
    for (let draw = 0; draw < 5000; draw++) counts[random.below(5)]!++
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})

describe("shuffled", () => {
  it("is a permutation that leaves its input alone", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.bigInt({ min: 0n }), FastCheck.array(FastCheck.integer()), (seed, items) => {
        const before = items.slice()
        const after = shuffled(seed, items)
        expect(items).toEqual(before)
        expect(after.slice().sort(byValue)).toEqual(before.sort(byValue))
        expect(shuffled(seed, items)).not.toBe(items)
      })
    )
  })
})

const outputs = (seed: number | bigint): ReadonlyArray<number> => {
  const random = new PythonRandom(seed)
  return [random.uint32(), random.uint32()]
}

const byValue = (left: number, right: number): number => left - right
