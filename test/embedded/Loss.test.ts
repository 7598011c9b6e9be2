import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Loss } from "../../src/embedded/Loss.js"
import { tokenLoss } from "../../src/embedded/Loss.js"

const ppo: Loss = { kind: "ppo", clipLow: 0.8, clipHigh: 1.24, scale: 1 }
const finite = (min: number, max: number) => FastCheck.double({ min, max, noNaN: true })

describe("tokenLoss", () => {
  it("is the clipped surrogate: no gradient once the ratio has gone where the advantage wants it", () => {
    const at = (ratio: number, advantage: number) => tokenLoss(ppo, Math.log(ratio), 0, advantage)
    assert.closeTo(at(1.5, 2).value, -2.48, 1e-12)
    assert.strictEqual(at(1.5, 2).derivative, 0)
    assert.closeTo(at(0.5, 2).value, -1, 1e-12)
    assert.closeTo(at(0.5, 2).derivative, -1, 1e-12)
    assert.closeTo(at(0.5, -2).value, 1.6, 1e-12)
    assert.strictEqual(at(0.5, -2).derivative, 0)
    assert.closeTo(at(1.5, -2).value, 3, 1e-12)
    assert.closeTo(at(1.5, -2).derivative, 3, 1e-12)
  })

  it("is −min(ρA, clip(ρ)A), and its derivative is the slope where there is one", () => {
    FastCheck.assert(
      FastCheck.property(finite(-2, 2), finite(-2, 2), (logRatio, advantage) => {
        const ratio = Math.exp(logRatio)
        const clipped = Math.min(Math.max(ratio, 0.8), 1.24)
        const { derivative, value } = tokenLoss(ppo, logRatio, 0, advantage)
        assert.closeTo(value, -Math.min(ratio * advantage, clipped * advantage), 1e-12)
        if (Math.abs(ratio - 0.8) < 1e-3 || Math.abs(ratio - 1.24) < 1e-3) return
        const slope = (tokenLoss(ppo, logRatio + 1e-6, 0, advantage).value -
          tokenLoss(ppo, logRatio - 1e-6, 0, advantage).value) / 2e-6
        assert.closeTo(derivative, slope, 1e-6)
      }),
      { seed: 7, numRuns: 500 }
    )
  })

  it("does not look at the log-probabilities of a token without weight", () => {
    for (const loss of [ppo, { kind: "cross-entropy", scale: 1 } as const]) {
      assert.deepStrictEqual(tokenLoss(loss, NaN, NaN, 0), { value: 0, derivative: 0 })
    }
  })

  it("scales cross-entropy by weight and scale", () => {
    assert.deepStrictEqual(tokenLoss({ kind: "cross-entropy", scale: 0.5 }, -2, 0, 3), { value: 3, derivative: -1.5 })
  })
})
