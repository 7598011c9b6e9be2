import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { generator } from "../../src/domain/Randomness.js"
import { generate } from "../../src/embedded/Generation.js"
import { addShardGradient } from "../../src/embedded/Gradient.js"
import { shardCount } from "../../src/embedded/MemoryPlan.js"
import { stepParameters } from "../../src/embedded/OptimizerStep.js"
import { readTensors } from "../../src/embedded/Parameters.js"
import { randomIds, testMachine } from "./machine.js"

const sha256 = (...parts: ReadonlyArray<Uint8Array>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex").slice(0, 16)
}

const bytesOf = (values: ReadonlyArray<number>): Uint8Array => new Uint8Array(Float64Array.from(values).buffer)

/** The same on every machine and every version of Node; a change of these values is a change of all results. */
describe("results are pinned to the bit", () => {
  it("of sampling", () => {
    const machine = testMachine()
    const random = generator(21)
    const outcomes = [0.5, 1, 1, 0].map((temperature, index) =>
      generate(machine, [{
        slot: 0,
        cached: 0,
        prompt: randomIds(random, 20 + 30 * index),
        temperature,
        topP: index === 2 ? 0.7 : 1,
        maxTokens: 40,
        stopTokens: [],
        seed: index
      }])[0]
    )
    assert.strictEqual(sha256(...outcomes.map(({ ids }) => bytesOf(ids))), "a3b2c05ae55bed74")
    assert.strictEqual(sha256(...outcomes.map(({ logprobs }) => bytesOf(logprobs))), "f3e74a7c51d45cc8")
  })

  const trainings = [["adapter", "1b56f61113101bac", 8], ["base", "5b85e26bd076f28e", 0]] as const
  it.each(trainings)("of training (%s)", (training, expected, rank) => {
    const machine = testMachine({ rank, training })
    const random = generator(22)
    for (let step = 1; step <= 3; step++) {
      for (let shard = 0; shard < shardCount; shard++) {
        const data = [50, 9].map((length) => {
          const ids = randomIds(random, length)
          return { ids, oldLogprobs: ids.map(() => -3), weights: ids.map(() => random() - 0.4) }
        })
        const loss = training === "base"
          ? { kind: "cross-entropy", scale: 0.01 } as const
          : { kind: "ppo", clipLow: 0.8, clipHigh: 1.24, scale: 1 } as const
        addShardGradient(machine, data, loss, machine.plan.gradients[shard])
      }
      const settings = { learningRate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.05 }
      stepParameters(machine, { ...settings, step, gradClipNorm: 1 })
    }
    const { adapter, base } = machine.plan.model
    const values = [...readTensors(machine, training === "base" ? base.tensors : adapter.tensors).values()]
    assert.strictEqual(sha256(...values.map((value) => new Uint8Array(value.buffer))), expected)
  })
})
