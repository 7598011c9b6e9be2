import { assert, describe, it } from "@effect/vitest"
import { below, generator } from "../../src/domain/Randomness.js"
import { addShardGradient } from "../../src/embedded/Gradient.js"
import type { Loss, LossDatum } from "../../src/embedded/Loss.js"
import { tokenLoss } from "../../src/embedded/Loss.js"
import { trainedRegion } from "../../src/embedded/MemoryPlan.js"
import { readTensors } from "../../src/embedded/Parameters.js"
import { randomIds, smallShape, testMachine } from "./machine.js"
import { referenceLogprobs } from "./reference.js"

const ppo: Loss = { kind: "ppo", clipLow: 0.8, clipHigh: 1.24, scale: 1 }
const crossEntropy: Loss = { kind: "cross-entropy", scale: 0.1 }

/** The same parameters as float64, which the reference may change. */
const float64Parameters = (machine: ReturnType<typeof testMachine>): Map<string, Float64Array> => {
  const { adapter, base } = machine.plan.model
  const values = readTensors(machine, [...base.tensors, ...adapter.tensors])
  return new Map([...values].map(([name, value]) => [name, Float64Array.from(value)]))
}

/** Sequences that cross the kernels' block sizes, with log-probabilities of an older policy and weights. */
const makeData = (parameters: ReadonlyMap<string, Float64Array>): ReadonlyArray<LossDatum> => {
  const random = generator(11)
  return [23, 9, 70].map((length) => {
    const ids = randomIds(random, length)
    const now = referenceLogprobs(smallShape, parameters, ids)
    return {
      ids,
      oldLogprobs: ids.map((_, t) => (t === 0 ? 0 : now[t - 1] + 0.6 * (random() - 0.5))),
      weights: ids.map(() => (random() < 0.3 ? 0 : 2 * random() - 1))
    }
  })
}

const referenceLoss = (
  parameters: ReadonlyMap<string, Float64Array>,
  data: ReadonlyArray<LossDatum>,
  loss: Loss
): number =>
  data.reduce((sum, { ids, oldLogprobs, weights }) => {
    const now = referenceLogprobs(smallShape, parameters, Array.from(ids))
    const lossOf = (logprob: number, t: number): number => tokenLoss(loss, logprob, oldLogprobs[t], weights[t]).value
    return now.reduce((own, logprob, index) => own + lossOf(logprob, index + 1), sum)
  }, 0)

describe("gradient", () => {
  it.each([
    ["adapter of rank 8, PPO", 8, "adapter", ppo],
    ["adapter of rank 11 (padded to 16), PPO", 11, "adapter", ppo],
    ["all parameters, cross-entropy", 0, "base", crossEntropy]
  ] as const)("%s: equals float64 central differences of an independent model", (_, rank, training, loss) => {
    const machine = testMachine({ rank, training })
    const parameters = float64Parameters(machine)
    const data = makeData(parameters)
    const result = addShardGradient(machine, data, loss, machine.plan.gradients[0])
    data.forEach(({ ids }, index) => {
      const expected = referenceLogprobs(smallShape, parameters, Array.from(ids))
      expected.forEach((value, t) => assert.closeTo(result.logprobs[index][t], value, 2e-5))
    })
    assert.closeTo(result.loss, referenceLoss(parameters, data, loss), 1e-4)

    const region = trainedRegion(machine.plan)
    const offset = machine.plan.gradients[0] - region.start
    const random = generator(3)
    let squaredError = 0
    let squares = 0
    for (const tensor of region.tensors) {
      const values = parameters.get(tensor.name) ?? new Float64Array(0)
      for (let probe = 0; probe < 2; probe++) {
        // Embedding rows are probed where a token uses them; padding of the rank has no gradient.
        const used = tensor.name.endsWith("Embedding") ? Number(data[probe].ids[4]) * tensor.columns : 0
        const span = tensor.name.endsWith("Embedding") ? tensor.columns : values.length
        const index = used + below(random, span)
        const original = values[index]
        const epsilon = 1e-5 * Math.max(1, Math.abs(original))
        values[index] = original + epsilon
        const upper = referenceLoss(parameters, data, loss)
        values[index] = original - epsilon
        const lower = referenceLoss(parameters, data, loss)
        values[index] = original
        const expected = (upper - lower) / (2 * epsilon)
        const actual = machine.floats[(tensor.address + offset) / 4 + index]
        squaredError += (actual - expected) ** 2
        squares += expected ** 2
      }
    }
    assert.isBelow(Math.sqrt(squaredError / squares), 1e-5)
  })
})

