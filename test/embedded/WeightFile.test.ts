import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { fromFloat16Bits, toFloat16Bits } from "../../src/embedded/Float16.js"
import { readTensors } from "../../src/embedded/Parameters.js"
import { decodeWeights, encodeWeights, WeightFileError } from "../../src/embedded/WeightFile.js"
import { smallShape, testMachine } from "./machine.js"
import { randomModel } from "./policy.js"

const bytes = randomModel("tiny")

const problem = (damaged: Uint8Array): string => {
  const result = decodeWeights(damaged, "models/tiny.model")
  if (Either.isRight(result)) throw new Error("the damage was not noticed")
  assert.instanceOf(result.left, WeightFileError)
  assert.include(result.left.message, "models/tiny.model")
  return result.left.reason
}

const changed = (index: number, value: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  copy[index] = value
  return copy
}

describe("WeightFile", () => {
  it("gives back name, vocabulary, shape, and every weight rounded to float16", () => {
    const machine = testMachine()
    const original = readTensors(machine, machine.plan.model.base.tensors)
    const decoded = Either.getOrThrow(decodeWeights(bytes, "file"))
    assert.strictEqual(decoded.name, "tiny")
    assert.deepStrictEqual(decoded.shape, smallShape)
    assert.strictEqual(decoded.vocabulary[20], "word20")
    for (const [name, values] of original) {
      assert.deepStrictEqual(decoded.tensors.get(name), values.map((value) => fromFloat16Bits(toFloat16Bits(value))))
    }
  })

  it("writes what it has read byte for byte", () => {
    const decoded = Either.getOrThrow(decodeWeights(bytes, "file"))
    assert.isTrue(Buffer.from(encodeWeights(decoded)).equals(Buffer.from(bytes)))
  })

  it("refuses a file cut anywhere", () => {
    FastCheck.assert(FastCheck.property(FastCheck.integer({ min: 0, max: bytes.length - 1 }), (length) => {
      problem(bytes.subarray(0, length))
    }), { seed: 2, numRuns: 60 })
  })

  it("refuses a file with any byte changed", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 0, max: bytes.length - 1 }), (index) => {
        const start = 12 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true)
        // A changed letter of a name or a word is no damage that a checksum of the weights can see.
        if (index >= 12 && index < start) return
        problem(changed(index, bytes[index] ^ 0x10))
      }),
      { seed: 3, numRuns: 60 }
    )
  })

  it("says what is wrong", () => {
    assert.include(problem(new TextEncoder().encode("hello, I am a text file")), "does not begin like")
    assert.include(problem(changed(12, 0x00)), "header is damaged")
    assert.include(problem(bytes.subarray(0, bytes.length - 2)), "bytes of weights")
    assert.include(problem(changed(bytes.length - 1, bytes[bytes.length - 1] ^ 1)), "checksum")
    assert.include(problem(Buffer.concat([bytes, Buffer.of(0)])), "bytes of weights")
  })
})
