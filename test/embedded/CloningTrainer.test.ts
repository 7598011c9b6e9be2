import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { generator } from "../../src/domain/Randomness.js"
import type { CloningStart } from "../../src/embedded/CloningTrainer.js"
import { makeCloningTrainer } from "../../src/embedded/CloningTrainer.js"
import { decodeWeights, encodeWeights } from "../../src/embedded/WeightFile.js"
import { randomIds, smallShape } from "./machine.js"

const vocabulary = Array.from({ length: smallShape.vocabularySize }, (_, id) => `word${id}`)
const fresh: CloningStart = { _tag: "Fresh", vocabulary, seed: 1, shape: smallShape }

/** Sequences in which every third token repeats the one before: easy to learn where it is weighted. */
const batch = () => {
  const random = generator(1)
  return [30, 80, 12, 44, 51, 7].map((length) => {
    const ids = randomIds(random, length)
    for (let t = 2; t < length; t += 3) ids[t] = ids[t - 1]
    return { ids: Int16Array.from(ids), weights: ids.map((_, t) => (t % 3 === 2 ? 1 : 0.1)) }
  })
}

const trained = (workers: number, steps: number) =>
  Effect.scoped(Effect.gen(function*() {
    const trainer = yield* makeCloningTrainer(fresh, { workers })
    const losses: Array<number> = []
    for (let step = 0; step < steps; step++) {
      losses.push((yield* trainer.step(batch(), { learningRate: 3e-3 })).loss)
    }
    const bytes = encodeWeights(yield* trainer.exportWeights("cloned"))
    return { losses, bytes, hash: createHash("sha256").update(bytes).digest("hex") }
  }))

describe("CloningTrainer", () => {
  it.effect("learns, and to the same weights with 1, 2 and 3 workers", () =>
    Effect.gen(function*() {
      const expected = yield* trained(1, 25)
      assert.isBelow(expected.losses[24], 0.7 * expected.losses[0])
      for (const workers of [2, 3]) {
        const other = yield* trained(workers, 25)
        assert.deepStrictEqual(other.losses, expected.losses)
        assert.strictEqual(other.hash, expected.hash)
      }
    }))

  it.scoped("goes on from a model that exists", () =>
    Effect.gen(function*() {
      const { bytes } = yield* trained(1, 25)
      const model = Either.getOrThrow(decodeWeights(bytes, "file"))
      const trainer = yield* makeCloningTrainer({ _tag: "Model", model }, { workers: 1 })
      const before = yield* trainer.evaluate(batch())
      const { loss } = yield* trainer.step(batch(), { learningRate: 1e-3 })
      assert.closeTo(loss, before, 1e-6)
    }))

  it.scoped("reports the mean loss, whatever the weights' size", () =>
    Effect.gen(function*() {
      const trainer = yield* makeCloningTrainer(fresh, { workers: 1 })
      const once = yield* trainer.evaluate(batch())
      const tenfold = batch().map(({ ids, weights }) => ({ ids, weights: weights.map((weight) => 10 * weight) }))
      assert.closeTo(yield* trainer.evaluate(tenfold), once, 1e-9)
    }))

  it.scoped("refuses data it cannot learn from, and goes on afterwards", () =>
    Effect.gen(function*() {
      const trainer = yield* makeCloningTrainer(fresh, { workers: 1 })
      const settings = { learningRate: 1e-3 }
      for (
        const [sequence, reason] of [
          [{ ids: [1, 2], weights: [1] }, "2 ids and 1 weights"],
          [{ ids: [1, 21], weights: [1, 1] }, "id 21"],
          [{ ids: [1, 2], weights: [1, 0] }, "no weight"],
          [{ ids: new Array<number>(305).fill(1), weights: new Array<number>(305).fill(1) }, "longer than 304"],
          [{ ids: [1, 2], weights: [1, Infinity] }, "loss is"]
        ] as const
      ) {
        const error = yield* Effect.flip(trainer.step([sequence], settings))
        assert.include(error.message, reason)
      }
      const { loss } = yield* trainer.step(batch(), settings)
      assert.isTrue(Number.isFinite(loss))
    }))
})
