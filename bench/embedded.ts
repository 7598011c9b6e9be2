/**
 * Speed and memory of the embedded policy on models of the package's size, with one worker and with two:
 *
 *     npx tsx bench/embedded.ts [workers …]
 *
 * Sampling plays 64 synthetic trajectories of 6 to 50 turns (10 to 15 tokens of observation, 6 generated), scoring
 * reads 32 sequences of 100 to 900 tokens, LoRA training takes 4,096 tokens a step, training of all parameters about
 * 4,100.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { below, generator } from "../src/domain/Randomness.js"
import { makeCloningTrainer } from "../src/embedded/CloningTrainer.js"
import { layerEmbeddedPolicy } from "../src/embedded/EmbeddedPolicy.js"
import { encodeWeights } from "../src/embedded/WeightFile.js"
import type { Sampler } from "../src/services/Policy.js"
import { Policy } from "../src/services/Policy.js"

const vocabulary = Array.from({ length: 206 }, (_, id) => `word${id}`)
const random = generator(1)
const ids = (length: number): Array<number> => Array.from({ length }, () => below(random, vocabulary.length))

const workerCounts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 2]
const firstRates = new Map<string, number>()
let peakBytes = 0

/**
 * Runs a workload once to warm up and once for the clock, and prints tokens a second of time, their ratio to the first
 * number of workers, and tokens a second of processor time of all threads (the figure to trust on a busy machine).
 */
const measure = <E, R>(name: string, work: Effect.Effect<ReadonlyArray<readonly [string, number]>, E, R>) =>
  Effect.gen(function*() {
    yield* work
    const started = performance.now()
    const cpuBefore = process.cpuUsage()
    const counts = yield* work
    const seconds = (performance.now() - started) / 1000
    const cpu = process.cpuUsage(cpuBefore)
    const cpuSeconds = (cpu.user + cpu.system) / 1e6
    for (const [what, tokens] of counts) {
      const key = `${name}: ${what}`
      const rate = tokens / seconds
      const first = firstRates.get(key) ?? rate
      firstRates.set(key, first)
      const ratio = (rate / first).toFixed(2)
      const perCpu = String(Math.round(tokens / cpuSeconds)).padStart(7)
      const perSecond = String(Math.round(rate)).padStart(7)
      console.log(`${key.padEnd(36)} ${perSecond} tokens/s (×${ratio}), ${perCpu} a second of processor time`)
    }
  })

/** One trajectory; gives the numbers of tokens generated and of tokens that had to be read. */
const play = (sampler: Sampler, id: number) =>
  Effect.gen(function*() {
    const own = generator(id)
    const turns = 6 + below(own, 45)
    let prompt = ids(30 + below(own, 10))
    let generated = 0
    let read = 0
    for (let turn = 0; turn < turns && prompt.length + 6 < 1024; turn++) {
      const params = { temperature: 1, topP: 1, maxTokens: 6, stopTokens: [] }
      const [sample] = yield* sampler.sample({ prompt, count: 1, params, seed: id * 1000 + turn })
      generated += sample.ids.length
      read += prompt.length - (sample.cachedTokens ?? 0) + sample.ids.length - 1
      prompt = prompt.concat(sample.ids, ids(10 + below(own, 6)))
    }
    return { generated, read }
  })

const sampling = (sampler: Sampler) =>
  Effect.gen(function*() {
    const played = yield* Effect.forEach(Array.from({ length: 64 }, (_, id) => id), (id) => play(sampler, id), {
      concurrency: 64
    })
    const sum = (key: "generated" | "read"): number => played.reduce((total, each) => total + each[key], 0)
    return [["generated", sum("generated")], ["read", sum("read")]] as const
  })

const policyWorkloads = Effect.gen(function*() {
  const policy = yield* Policy
  yield* Effect.scoped(Effect.gen(function*() {
    const trainer = yield* policy.openTrainer({
      _tag: "Fresh",
      baseModel: "random",
      runName: "bench",
      loraRank: 8,
      trainUnembed: false,
      seed: 0
    })
    yield* Effect.scoped(Effect.gen(function*() {
      const sampler = yield* trainer.snapshot
      yield* measure("sampling, 64 in flight", sampling(sampler))
      const sequences = Array.from({ length: 32 }, () => ids(100 + below(random, 801)))
      const tokens = sequences.reduce((sum, sequence) => sum + sequence.length, 0)
      yield* measure(
        "scoring",
        Effect.as(
          Effect.forEach(sequences, (sequence) => sampler.logprobs(sequence), { concurrency: "unbounded" }),
          [["scored", tokens]] as const
        )
      )
    }))
    const data = [880, 130, 620, 410, 300, 150, 540, 700, 220, 146].map((length) => {
      const sequence = ids(length)
      const acts = (t: number): boolean => t > 30 && t % 18 >= 12
      const advantages = sequence.map((_, t) => (acts(t) ? 0.1 : 0))
      return { ids: sequence, logprobs: sequence.map(() => -5), advantages }
    })
    const step = Effect.gen(function*() {
      yield* trainer.forwardBackward(data, { clipLow: 0.8, clipHigh: 1.24 })
      yield* trainer.optimStep({ learningRate: 1e-3, beta1: 0.9, beta2: 0.95, weightDecay: 0, gradClipNorm: 1 })
    })
    const sixSteps = Effect.as(Effect.repeatN(step, 5), [["trained", 6 * 4096]] as const)
    yield* measure("training, LoRA of rank 8", sixSteps)
  }))
})

const cloningWorkload = (workers: number) =>
  Effect.scoped(Effect.gen(function*() {
    const trainer = yield* makeCloningTrainer({ _tag: "Fresh", vocabulary, seed: 0 }, { workers })
    const batch = Array.from({ length: 29 }, () => {
      const sequence = ids(100 + below(random, 83))
      return { ids: sequence, weights: sequence.map(() => 1) }
    })
    const tokens = batch.reduce((sum, sequence) => sum + sequence.ids.length, 0)
    const step = trainer.step(batch, { learningRate: 1e-3 })
    yield* measure("training, all parameters", Effect.as(Effect.repeatN(step, 5), [["trained", 6 * tokens]] as const))
  }))

const directory = mkdtempSync(join(tmpdir(), "agentopsd-bench-"))
const modelFile = join(directory, "random.model")
const main = Effect.gen(function*() {
  const model = yield* Effect.scoped(
    Effect.flatMap(makeCloningTrainer({ _tag: "Fresh", vocabulary, seed: 0 }), (trainer) =>
      trainer.exportWeights("random"))
  )
  writeFileSync(modelFile, encodeWeights(model))
  for (const workers of workerCounts) {
    console.log(`\n${workers} ${workers === 1 ? "worker" : "workers"}`)
    const layer = layerEmbeddedPolicy({ directory, models: { random: modelFile }, workers })
    yield* Effect.provide(policyWorkloads, Layer.provide(layer, NodeContext.layer))
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
    console.log(`memory after sampling and LoRA training: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
    yield* cloningWorkload(workers)
  }
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
  console.log(`\nlargest memory seen: ${Math.round(peakBytes / 1e6)} MB`)
})

try {
  await Effect.runPromise(main)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
