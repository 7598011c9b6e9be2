import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { generator } from "../../src/domain/Randomness.js"
import { drawToken, mostProbable, nucleus } from "../../src/embedded/TokenChoice.js"

const distributions = FastCheck.array(FastCheck.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 })
  .filter((weights) => weights.some((weight) => weight > 0))
  .map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return weights.map((weight) => weight / sum)
  })

describe("TokenChoice", () => {
  it("mostProbable gives the first of the largest", () => {
    assert.strictEqual(mostProbable([0.1, 0.4, 0.4, 0.1]), 1)
    assert.strictEqual(mostProbable([-3, -1, -2]), 1)
  })

  it("nucleus is the smallest set of most probable tokens that reaches topP", () => {
    assert.deepStrictEqual(nucleus([0.2, 0.5, 0.3], 0.5), [1])
    assert.deepStrictEqual(nucleus([0.2, 0.5, 0.3], 0.6), [1, 2])
    assert.deepStrictEqual(nucleus([0.25, 0.5, 0.25], 0.75), [1, 0])
    assert.deepStrictEqual(nucleus([0.2, 0.5, 0.3], 1e-9), [1])
    assert.deepStrictEqual([...nucleus([0.2, 0.5, 0.3], 1)].sort(), [0, 1, 2])
  })

  it("draws only tokens of the nucleus with positive probability", () => {
    const uniform = FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    FastCheck.assert(
      FastCheck.property(
        distributions,
        FastCheck.double({ min: 0.05, max: 1, noNaN: true }),
        uniform,
        (probabilities, topP, u) => {
          const token = drawToken(probabilities, topP, u)
          assert.include(nucleus(probabilities, topP), token)
          assert.isAbove(probabilities[token], 0)
        }
      ),
      { seed: 5, numRuns: 500 }
    )
  })

  it("draws each token as often as its probability says", () => {
    const random = generator(6)
    const probabilities = [0.1, 0, 0.6, 0.3]
    const counts = [0, 0, 0, 0]
    for (let i = 0; i < 20_000; i++) counts[drawToken(probabilities, 1, random())] += 1
    probabilities.forEach((p, token) => assert.closeTo(counts[token] / 20_000, p, 0.012))
    const inNucleus = [0, 0, 0, 0]
    for (let i = 0; i < 20_000; i++) inNucleus[drawToken(probabilities, 0.85, random())] += 1
    assert.closeTo(inNucleus[2] / 20_000, 2 / 3, 0.012)
    assert.strictEqual(inNucleus[0], 0)
  })
})
