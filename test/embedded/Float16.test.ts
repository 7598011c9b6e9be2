import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { decodeFloat16, encodeFloat16, fromFloat16Bits, toFloat16Bits } from "../../src/embedded/Float16.js"

const allBits = Array.from({ length: 0x10000 }, (_, bits) => bits)
const isNaNBits = (bits: number): boolean => (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0

describe("Float16", () => {
  it("every float16 survives the way to a number and back", () => {
    for (const bits of allBits) {
      if (isNaNBits(bits)) assert.isNaN(fromFloat16Bits(bits))
      else assert.strictEqual(toFloat16Bits(fromFloat16Bits(bits)), bits)
    }
  })

  it("knows the landmarks of the format", () => {
    assert.strictEqual(fromFloat16Bits(0x3c00), 1)
    assert.strictEqual(fromFloat16Bits(0x7bff), 65504)
    assert.strictEqual(fromFloat16Bits(0x0001), 2 ** -24)
    assert.strictEqual(fromFloat16Bits(0x0400), 2 ** -14)
    assert.isTrue(Object.is(fromFloat16Bits(0x8000), -0))
    assert.strictEqual(toFloat16Bits(65519.996), 0x7bff)
    assert.strictEqual(toFloat16Bits(65520), 0x7c00)
    assert.strictEqual(toFloat16Bits(2 ** -25), 0)
    assert.strictEqual(toFloat16Bits(1.0001 * 2 ** -25), 1)
    assert.strictEqual(toFloat16Bits(-Infinity), 0xfc00)
    assert.strictEqual(toFloat16Bits(NaN), 0x7e00)
    assert.strictEqual(toFloat16Bits(1e-45), 0)
  })

  it("rounds to the nearest, ties to the even one", () => {
    const finite = allBits.filter((bits) => bits < 0x7bff)
    for (const bits of finite) {
      const here = fromFloat16Bits(bits)
      const next = fromFloat16Bits(bits + 1)
      const middle = (here + next) / 2
      const quarter = (next - here) / 4
      assert.strictEqual(toFloat16Bits(middle), bits % 2 === 0 ? bits : bits + 1)
      assert.strictEqual(toFloat16Bits(middle - quarter), bits)
      assert.strictEqual(toFloat16Bits(middle + quarter), bits + 1)
      assert.strictEqual(toFloat16Bits(-middle), 0x8000 | (bits % 2 === 0 ? bits : bits + 1))
    }
  })

  it("has no nearer float16 than the one it gives", () => {
    FastCheck.assert(FastCheck.property(FastCheck.float({ noNaN: true, min: -65504, max: 65504 }), (value) => {
      const bits = toFloat16Bits(value)
      const error = Math.abs(fromFloat16Bits(bits) - value)
      for (const neighbour of [bits - 1, bits + 1]) {
        const other = fromFloat16Bits(neighbour & 0xffff)
        if (Number.isFinite(other)) assert.isAtLeast(Math.abs(other - value), error)
      }
    }), { seed: 1, numRuns: 500 })
  })

  it("writes little-endian bytes and reads them at an offset", () => {
    assert.deepStrictEqual([...encodeFloat16(Float32Array.of(1, -2))], [0x00, 0x3c, 0x00, 0xc0])
    const bytes = Uint8Array.of(9, 9, 9, 0x00, 0x3c, 0x00, 0xc0).subarray(1)
    assert.deepStrictEqual([...decodeFloat16(bytes, 2, 2)], [1, -2])
  })
})
