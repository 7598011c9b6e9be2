import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { generator } from "../../src/domain/Randomness.js"
import { checkpointPath, parseCheckpointPath } from "../../src/embedded/Checkpoints.js"
import { decodeWeights, encodeWeights } from "../../src/embedded/WeightFile.js"
import type { Datum, SampleRequest, SamplerSource, Trainer, TrainerSource } from "../../src/services/Policy.js"
import { Policy, PolicyError } from "../../src/services/Policy.js"
import { randomIds, smallShape } from "./machine.js"
import { freshTiny, policyLayer, randomModel, temporaryModels } from "./policy.js"

const baseSampler: SamplerSource = { _tag: "BaseModel", baseModel: "tiny" }
const adam = { learningRate: 1e-2, beta1: 0.9, beta2: 0.95, weightDecay: 0, gradClipNorm: 1 }
const clip = { clipLow: 0.8, clipHigh: 1.24 }
const params = { temperature: 1, topP: 1, maxTokens: 3, stopTokens: [] }
const request: SampleRequest = { prompt: [1, 2, 3], count: 1, params, seed: 0 }
const datum: Datum = { ids: [1, 2, 3], logprobs: [0, -3, -3], advantages: [0, -0.5, 0.5] }

/** The failure of an effect, which must be a PolicyError that a person can act on. */
const failure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, PolicyError)
    if (!(error instanceof PolicyError)) throw error
    assert.strictEqual(error.backend, "embedded")
    assert.isAbove(error.fix.length, 10)
    return error
  })

const openTrainer = (source: TrainerSource) => Effect.flatMap(Policy, (policy) => policy.openTrainer(source))
const openSampler = (source: SamplerSource) => Effect.flatMap(Policy, (policy) => policy.openSampler(source))

/** A folder with the tiny model, a trained run in it, and the paths of what the run saved. */
const trainedRun = Effect.gen(function*() {
  const directory = yield* temporaryModels
  const paths = yield* Effect.gen(function*() {
    const trainer = yield* openTrainer(freshTiny)
    yield* trainer.forwardBackward([datum], clip)
    yield* trainer.optimStep(adam)
    return { state: yield* trainer.saveState("s"), weights: yield* trainer.saveSamplerWeights("w") }
  }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
  return { directory, paths }
})

describe("EmbeddedPolicy refuses", () => {
  it.scoped("requests it cannot serve", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const sampler = yield* openSampler(baseSampler)
        const { contextLength, vocabularySize } = smallShape
        for (
          const [change, reason] of [
            [{ prompt: [] }, "no token ids"],
            [{ prompt: [1, vocabularySize] }, `no id ${vocabularySize}`],
            [{ prompt: [1, -1] }, "no id -1"],
            [{ prompt: [0.5] }, "no id 0.5"],
            [{ prompt: new Array<number>(contextLength).fill(1) }, "no room"],
            [{ prompt: new Array<number>(contextLength + 1).fill(1) }, "do not fit"],
            [{ count: 0 }, "count"],
            [{ params: { ...params, maxTokens: 0 } }, "maxTokens"],
            [{ params: { ...params, temperature: -1 } }, "temperature"],
            [{ params: { ...params, temperature: NaN } }, "temperature"],
            [{ params: { ...params, topP: 0 } }, "topP"],
            [{ params: { ...params, topP: 1.1 } }, "topP"]
          ] as ReadonlyArray<readonly [Partial<SampleRequest>, string]>
        ) {
          const error = yield* failure(sampler.sample({ ...request, ...change }))
          assert.include(error.reason, reason)
          assert.strictEqual(error.kind, "refused")
        }
        assert.include((yield* failure(sampler.logprobs([]))).reason, "no token ids")
        const long = new Array<number>(contextLength + 1).fill(1)
        assert.include((yield* failure(sampler.logprobs(long))).reason, "do not fit")
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("models and adapters it does not have", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const missing = { tiny: join(directory, "absent.model") }
      const provide = Effect.provide(policyLayer(directory))
      const open = (change: Partial<typeof freshTiny>) =>
        failure(Effect.scoped(openTrainer({ ...freshTiny, ...change })).pipe(provide))
      assert.include((yield* open({ baseModel: "huge" })).message, "huge")
      assert.include((yield* open({ baseModel: "toString" })).message, "tiny")
      assert.include((yield* open({ trainUnembed: true })).message, "trainUnembed")
      assert.include((yield* open({ loraRank: 0 })).message, "rank")
      assert.include((yield* open({ loraRank: 2.5 })).message, "rank")
      assert.include((yield* open({ loraRank: 65 })).message, "from 1 to 64")
      const gone = yield* failure(
        Effect.scoped(openSampler(baseSampler)).pipe(Effect.provide(policyLayer(directory, { models: missing })))
      )
      assert.include(gone.message, "absent.model")
      writeFileSync(join(directory, "tiny.model"), "not a model")
      const damaged = yield* failure(Effect.scoped(openSampler(baseSampler)).pipe(provide))
      assert.strictEqual(damaged.kind, "corrupt")
      assert.include(damaged.message, "tiny.model")
    }))

  it.scoped("checkpoints that are missing, of the other kind, misnamed, damaged or of another base model", () =>
    Effect.gen(function*() {
      const { directory, paths } = yield* trainedRun
      const provide = Effect.provide(policyLayer(directory))
      const restore = (path: string) =>
        failure(Effect.scoped(openTrainer({ _tag: "Checkpoint", path, runName: "run" })).pipe(provide))
      const sample = (path: string, baseModel?: string) =>
        failure(Effect.scoped(openSampler({ _tag: "Weights", path, baseModel })).pipe(provide))
      for (const path of [paths.weights, "trio://run/state/s", "embedded://run/state", "embedded://../state/s"]) {
        assert.include((yield* restore(path)).message, "no path of state")
      }
      assert.include((yield* sample(paths.state)).message, "no path of weights")
      assert.include((yield* restore("embedded://run/state/absent")).message, "absent.bin")
      const onOther = yield* sample(paths.weights, "other")
      assert.include(onOther.message, "was trained on the base model tiny, not on other")

      const file = join(directory, "run", "state", "s.bin")
      const intact = readFileSync(file)
      const random = generator(5)
      for (let trial = 0; trial < 20; trial++) {
        const index = Math.floor(random() * intact.length)
        const damagedBytes = trial % 2 === 0 ? intact.subarray(0, index) : Buffer.from(intact)
        if (trial % 2 === 1) damagedBytes[index] ^= 0x55
        writeFileSync(file, damagedBytes)
        const { kind, message } = yield* restore(paths.state)
        // A changed letter in the header may name another base model instead; that is refused too.
        assert.include(["corrupt", "refused"], kind)
        assert.isAbove(message.length, 20)
      }
      writeFileSync(file, intact)

      writeFileSync(join(directory, "tiny.model"), randomModel("tiny", { ...smallShape, feedForward: 64 }))
      assert.strictEqual((yield* restore(paths.state)).kind, "corrupt")

      const otherWeights = Buffer.from(randomModel("tiny", smallShape, 77))
      writeFileSync(join(directory, "tiny.model"), otherWeights)
      assert.include((yield* restore(paths.state)).message, "another version of the base model tiny")
      assert.include((yield* sample(paths.weights)).message, "another version of the base model tiny")
    }))

  it.scoped("data it cannot learn from, and goes on afterwards", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer = yield* openTrainer(freshTiny)
        for (
          const [change, reason] of [
            [{ ids: [1, 2, 99] }, "no id 99"],
            [{ logprobs: [0, -3] }, "differ in length"],
            [{ advantages: [0, 1] }, "differ in length"],
            [{ advantages: [1, 0, 0] }, "first token"],
            [{ advantages: [0, NaN, 0] }, "position 1"],
            [{ logprobs: [0, -3, -Infinity] }, "position 2"]
          ] as ReadonlyArray<readonly [Partial<Datum>, string]>
        ) {
          const error = yield* failure(trainer.forwardBackward([{ ...datum, ...change }], clip))
          assert.include(error.reason, reason)
        }
        const wrongClip = yield* failure(trainer.forwardBackward([datum], { clipLow: 1.2, clipHigh: 0.8 }))
        assert.include(wrongClip.reason, "clip range")
        yield* trainer.forwardBackward([datum], clip)
        const { gradNorm } = yield* trainer.optimStep(adam)
        assert.isTrue(gradNorm !== undefined && gradNorm > 0)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("a loss that is not finite: no step is made and no gradient is kept", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer = yield* openTrainer(freshTiny)
        const logprobsOf = Effect.scoped(
          Effect.flatMap(trainer.snapshot, (sampler) => sampler.logprobs(datum.ids))
        )
        const before = yield* logprobsOf
        // exp(new − old) overflows.
        const error = yield* failure(
          trainer.forwardBackward([{ ...datum, logprobs: [0, -800, -3], advantages: [0, -1, 0] }], clip)
        )
        assert.include(error.reason, "Infinity")
        const { gradNorm } = yield* trainer.optimStep(adam)
        assert.strictEqual(gradNorm, 0)
        assert.deepStrictEqual(yield* logprobsOf, before)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("an optimiser's settings that no step can be made with, and goes on afterwards", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer = yield* openTrainer(freshTiny)
        yield* trainer.forwardBackward([datum], clip)
        const wrong = {
          learningRate: [0, -1, NaN, Infinity],
          beta1: [-0.1, 1, NaN],
          beta2: [-0.1, 1, NaN],
          weightDecay: [-1, NaN, Infinity],
          gradClipNorm: [-1, NaN, Infinity]
        }
        for (const [name, values] of Object.entries(wrong)) {
          for (const value of values) {
            const error = yield* failure(trainer.optimStep({ ...adam, [name]: value }))
            assert.include(error.reason, `${name} is ${value}`)
            assert.strictEqual(error.kind, "refused")
          }
        }
        // The gradient is still there.
        const { gradNorm } = yield* trainer.optimStep(adam)
        assert.isTrue(gradNorm !== undefined && gradNorm > 0)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("to go on with weights that a step has destroyed", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      for (const learningRate of [1e30, Number.MAX_VALUE]) {
        yield* Effect.gen(function*() {
          const trainer = yield* openTrainer(freshTiny)
          const before = yield* trainer.snapshot
          yield* trainer.forwardBackward([datum], clip)
          const errors = [
            yield* failure(trainer.optimStep({ ...adam, learningRate })),
            yield* failure(Effect.scoped(trainer.snapshot)),
            yield* failure(trainer.saveState("s")),
            yield* failure(trainer.saveSamplerWeights("w"))
          ]
          for (const error of errors) {
            assert.strictEqual(error.kind, "corrupt")
            assert.include(error.fix, "last saved state with a lower learning rate")
          }
          assert.include((yield* failure(before.sample(request))).reason, "trained further")
        }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
      }
      assert.isFalse(existsSync(join(directory, "run")))
    }))

  it.scoped("log-probabilities that are no numbers", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const file = join(directory, "tiny.model")
      const intact = Either.getOrThrow(decodeWeights(readFileSync(file), file))
      const tensors = new Map(Array.from(intact.tensors, ([name, values]) => [name, values.map(() => NaN)]))
      writeFileSync(file, encodeWeights({ ...intact, tensors }))
      yield* Effect.gen(function*() {
        const sampler = yield* openSampler(baseSampler)
        for (const temperature of [0, 1]) {
          const drawn = yield* failure(sampler.sample({ ...request, params: { ...params, temperature } }))
          assert.strictEqual(drawn.kind, "corrupt")
          assert.include(drawn.reason, "NaN")
        }
        const scored = yield* failure(sampler.logprobs([1, 2, 3]))
        assert.strictEqual(scored.kind, "corrupt")
        assert.include(scored.reason, "NaN")
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("a snapshot after the next step and after its scope", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer: Trainer = yield* openTrainer(freshTiny)
        const first = yield* trainer.snapshot
        yield* first.sample(request)
        yield* trainer.forwardBackward([datum], clip)
        yield* first.sample(request)
        yield* trainer.optimStep(adam)
        assert.include((yield* failure(first.sample(request))).reason, "trained further")
        assert.include((yield* failure(first.logprobs([1, 2]))).reason, "trained further")
        const second = yield* Effect.scoped(trainer.snapshot)
        assert.notStrictEqual(second.snapshotId, first.snapshotId)
        assert.include((yield* failure(second.sample(request))).reason, "scope is closed")
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("use after its scope instead of waiting for ever", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const sampler = yield* Effect.scoped(openSampler(baseSampler)).pipe(Effect.provide(policyLayer(directory)))
      assert.include((yield* failure(sampler.sample(request))).reason, "closed")
      assert.include((yield* failure(sampler.logprobs([1, 2]))).reason, "closed")
    }))

  it.scoped("names that would leave the run's folder, and folders that cannot be written", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer = yield* openTrainer(freshTiny)
        for (const name of ["../x", "", "a/b", ".hidden", "a".repeat(200)]) {
          assert.include((yield* failure(trainer.saveState(name))).reason, "cannot name")
        }
        mkdirSync(join(directory, "run"))
        writeFileSync(join(directory, "run", "state"), "a file where a folder should be")
        const error = yield* failure(trainer.saveState("x"))
        assert.include(error.reason, "cannot be written")
        assert.strictEqual(error.kind, "retryable")
        yield* trainer.saveSamplerWeights("x")
        assert.deepStrictEqual(readdirSync(join(directory, "run", "weights")), ["x.bin"])
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))
})

describe("EmbeddedPolicy", () => {
  it.scoped("ends continuations at the end of the context, at maxTokens and at a stop token", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const sampler = yield* openSampler(baseSampler)
        const prompt = randomIds(generator(1), smallShape.contextLength - 2)
        const [atEnd] = yield* sampler.sample({ ...request, prompt, params: { ...params, maxTokens: 50 } })
        assert.strictEqual(atEnd.ids.length, 2)
        assert.strictEqual(atEnd.stopReason, "length")
        const [free] = yield* sampler.sample({ ...request, params: { ...params, maxTokens: 8 } })
        assert.strictEqual(free.ids.length, 8)
        assert.strictEqual(free.stopReason, "length")
        const stopTokens = [free.ids[3]]
        const [stopped] = yield* sampler.sample({ ...request, params: { ...params, maxTokens: 8, stopTokens } })
        const expected = free.ids.slice(0, free.ids.indexOf(stopTokens[0]) + 1)
        assert.deepStrictEqual(stopped.ids, expected)
        assert.strictEqual(stopped.stopReason, "stop")
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory)))
    }))

  it.scoped("survives interruption: abandoned requests free their slots and change nothing", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      yield* Effect.gen(function*() {
        const trainer = yield* openTrainer(freshTiny)
        const play = Effect.scoped(Effect.flatMap(trainer.snapshot, (sampler) =>
          Effect.forEach(
            Array.from({ length: 40 }, (_, seed) => seed),
            (seed) => sampler.sample({ ...request, prompt: [1, 2, 3, seed % 20], seed }),
            { concurrency: "unbounded" }
          )))
        const expected = (yield* play).flat().map(({ ids }) => ids)
        for (let round = 0; round < 5; round++) {
          const fiber = yield* Effect.fork(play)
          for (let turn = 0; turn < round; turn++) yield* Effect.yieldNow()
          yield* Fiber.interrupt(fiber)
        }
        assert.deepStrictEqual((yield* play).flat().map(({ ids }) => ids), expected)
        yield* trainer.forwardBackward([datum], clip)
        yield* trainer.optimStep(adam)
        assert.lengthOf(yield* play, 40)
      }).pipe(Effect.scoped, Effect.provide(policyLayer(directory, { cachedSequences: 8 })))
    }))

  it.scoped("ends its threads with the scope", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const scope = yield* Scope.make()
      const sampler = yield* openSampler(baseSampler).pipe(
        Scope.extend(scope),
        Effect.provide(policyLayer(directory, { workers: 2 }))
      )
      yield* sampler.sample(request)
      const threads = (): number =>
        process.getActiveResourcesInfo().filter((resource) => resource === "MessagePort").length
      const before = threads()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(threads(), before)
    }))

  it("paths of checkpoints can be read back", () => {
    const name = FastCheck.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
    const kind = FastCheck.constantFrom("state" as const, "weights" as const)
    FastCheck.assert(
      FastCheck.property(name, kind, name, (run, kindOf, own) => {
        assert.deepStrictEqual(parseCheckpointPath(checkpointPath(run, kindOf, own)), { run, kind: kindOf, name: own })
      }),
      { seed: 6 }
    )
  })
})
