import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { generator } from "../../src/domain/Randomness.js"
import type { AdamParams, Datum, SampleRequest, Sampler, Trainer } from "../../src/services/Policy.js"
import { Policy } from "../../src/services/Policy.js"
import { randomIds } from "./machine.js"
import { freshTiny, policyLayer, temporaryModels } from "./policy.js"

const adam: AdamParams = { learningRate: 1e-2, beta1: 0.9, beta2: 0.95, weightDecay: 0, gradClipNorm: 1 }
const clip = { clipLow: 0.8, clipHigh: 1.24 }

/** Requests of different lengths and settings, some continuing others. */
const requests = (): ReadonlyArray<SampleRequest> => {
  const random = generator(8)
  return Array.from({ length: 23 }, (_, index) => ({
    prompt: randomIds(random, 3 + ((index * 37) % 120)),
    count: 1 + (index % 3),
    params: {
      temperature: [1, 0, 0.7, 1.5][index % 4],
      topP: index % 5 === 0 ? 0.8 : 1,
      maxTokens: 1 + (index % 9),
      stopTokens: [3]
    },
    seed: index
  }))
}

/** Plays a few turns: every prompt is the one before, what was drawn, and a few tokens more. */
const playTurns = (sampler: Sampler, seed: number, turns: number) =>
  Effect.gen(function*() {
    const random = generator(seed)
    const logprobs: Array<number> = []
    let ids = randomIds(random, 12)
    for (let turn = 0; turn < turns; turn++) {
      const [sample] = yield* sampler.sample({
        prompt: ids,
        count: 1,
        params: { temperature: 1, topP: 1, maxTokens: 5, stopTokens: [3] },
        seed: seed * 100 + turn
      })
      logprobs.push(...sample.logprobs)
      ids = ids.concat(sample.ids, randomIds(random, 7))
    }
    return { ids, logprobs }
  })

const data = (trainer: Trainer): Effect.Effect<ReadonlyArray<Datum>, unknown> =>
  Effect.scoped(Effect.gen(function*() {
    const sampler = yield* trainer.snapshot
    const random = generator(2)
    return yield* Effect.forEach([40, 7, 90, 33, 12, 60, 5, 20, 71], (length) =>
      Effect.gen(function*() {
        const ids = randomIds(random, length)
        const logprobs = (yield* sampler.logprobs(ids)).map((value) => value ?? 0)
        return { ids, logprobs, advantages: ids.map((_, t) => (t === 0 || t % 3 === 0 ? 0 : random() - 0.5)) }
      }))
  }))

/** Two updates of two mini-batches each; gives all numbers seen. */
const train = (trainer: Trainer, updates: number) =>
  Effect.gen(function*() {
    const seen: Array<unknown> = []
    for (let update = 0; update < updates; update++) {
      const all = yield* data(trainer)
      for (const part of [all.slice(0, 5), all.slice(5)]) {
        seen.push(yield* trainer.forwardBackward(part, clip))
        seen.push(yield* trainer.optimStep(adam))
      }
    }
    return seen
  })

describe("EmbeddedPolicy", () => {
  it.scoped("gives the same samples one by one, all at once, with 1, 2 and 3 workers and with few slots", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const run = (workers: number, concurrency: number | "unbounded", cachedSequences: number) =>
        Effect.scoped(Effect.gen(function*() {
          const sampler = yield* (yield* Policy).openSampler({ _tag: "BaseModel", baseModel: "tiny" })
          const samples = yield* Effect.forEach(requests(), (request) => sampler.sample(request), { concurrency })
          const played = yield* Effect.forEach([1, 2, 3, 4, 5], (seed) => playTurns(sampler, seed, 6), { concurrency })
          // How much was cached does depend on all this.
          return { played, samples: samples.flat().map((sample) => ({ ...sample, cachedTokens: undefined })) }
        })).pipe(Effect.provide(policyLayer(directory, { workers, cachedSequences })))
      const expected = yield* run(1, 1, 64)
      for (const [workers, concurrency, slots] of [[1, "unbounded", 64], [2, "unbounded", 1], [3, 7, 64]] as const) {
        assert.deepStrictEqual(yield* run(workers, concurrency, slots), expected)
      }
    }))

  it.scoped("samples and scores with the same log-probabilities, bit for bit", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const sampler = yield* (yield* Policy).openSampler({ _tag: "BaseModel", baseModel: "tiny" })
        for (const request of requests()) {
          for (const sample of yield* sampler.sample(request)) {
            const scored = yield* sampler.logprobs([...request.prompt, ...sample.ids])
            assert.strictEqual(scored[0], null)
            assert.deepStrictEqual<ReadonlyArray<number | null>>(scored.slice(request.prompt.length), sample.logprobs)
          }
        }
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("keeps what it computed of a history and computes the rest", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const sampler = yield* (yield* Policy).openSampler({ _tag: "BaseModel", baseModel: "tiny" })
        const params = { temperature: 1, topP: 1, maxTokens: 4, stopTokens: [] }
        const prompt = randomIds(generator(1), 30)
        const [first] = yield* sampler.sample({ prompt, count: 1, params, seed: 1 })
        const longer = [...prompt, ...first.ids, 5, 6]
        const [second] = yield* sampler.sample({ prompt: longer, count: 1, params, seed: 2 })
        assert.strictEqual(first.cachedTokens, 0)
        assert.strictEqual(second.cachedTokens, 33)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("trains to the same numbers with 1, 2 and 3 workers", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const run = (workers: number) =>
        Effect.scoped(Effect.gen(function*() {
          const trainer = yield* (yield* Policy).openTrainer(freshTiny)
          return yield* train(trainer, 2)
        })).pipe(Effect.provide(policyLayer(directory, { workers })))
      const expected = yield* run(1)
      assert.deepStrictEqual(yield* run(2), expected)
      assert.deepStrictEqual(yield* run(3), expected)
    }))

  it.scoped("begins as the base model exactly, and changes with training", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const policy = yield* Policy
        const base = yield* policy.openSampler({ _tag: "BaseModel", baseModel: "tiny" })
        const trainer = yield* policy.openTrainer(freshTiny)
        const ids = randomIds(generator(3), 50)
        const expected = yield* base.logprobs(ids)
        const before = yield* Effect.scoped(Effect.flatMap(trainer.snapshot, (sampler) => sampler.logprobs(ids)))
        assert.deepStrictEqual(before, expected)
        yield* train(trainer, 1)
        const after = yield* Effect.scoped(Effect.flatMap(trainer.snapshot, (sampler) => sampler.logprobs(ids)))
        assert.notDeepEqual(after, expected)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("goes on from a saved state bit for bit, and samples from saved weights", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const ids = randomIds(generator(9), 44)
      const undisturbed = yield* Effect.gen(function*() {
        const trainer = yield* (yield* Policy).openTrainer(freshTiny)
        yield* train(trainer, 1)
        const statePath = yield* trainer.saveState("one")
        const weightsPath = yield* trainer.saveSamplerWeights("one")
        const snapshot = yield* Effect.scoped(Effect.gen(function*() {
          const sampler = yield* trainer.snapshot
          return { id: sampler.snapshotId, logprobs: yield* sampler.logprobs(ids) }
        }))
        return { statePath, weightsPath, snapshot, seen: yield* train(trainer, 2) }
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
      assert.strictEqual(undisturbed.statePath, "embedded://run/state/one")
      assert.strictEqual(undisturbed.weightsPath, "embedded://run/weights/one")
      yield* Effect.gen(function*() {
        const policy = yield* Policy
        const path = undisturbed.statePath
        const trainer = yield* policy.openTrainer({ _tag: "Checkpoint", path, runName: "other" })
        assert.deepStrictEqual(yield* train(trainer, 2), undisturbed.seen)
        const sampler = yield* policy.openSampler({
          _tag: "Weights",
          path: undisturbed.weightsPath,
          baseModel: "tiny"
        })
        assert.strictEqual(sampler.snapshotId, undisturbed.snapshot.id)
        assert.deepStrictEqual(yield* sampler.logprobs(ids), undisturbed.snapshot.logprobs)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory, { workers: 2 })))
    }))
})
