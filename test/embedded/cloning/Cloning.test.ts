import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { words } from "../../../src/embedded/chat/Vocabulary.js"
import { clone, type CloningProgress, learningRateAt } from "../../../src/embedded/cloning/Cloning.js"
import { recipes } from "../../../src/embedded/cloning/Recipes.js"

const shape = { layers: 1, heads: 1, feedForward: 32, vocabularySize: words.length, contextLength: 1024 }
const phases = [
  { ...recipes.start[0], tokens: 10_000, learningRate: 5e-2 },
  { ...recipes.start[1], tokens: 5_000, learningRate: 5e-2 }
]

const run = (seed: number) =>
  Effect.gen(function*() {
    const steps: Array<CloningProgress> = []
    const weights = yield* clone(phases, {
      name: "tiny",
      seed,
      shape,
      batchTokens: 400,
      workers: 1,
      onStep: (progress) => Effect.sync(() => steps.push(progress))
    })
    return { weights, steps }
  })

describe("clone", () => {
  it.effect("learns, and gives the same weights again for the same seed", () =>
    Effect.gen(function*() {
      const first = yield* run(0)
      const losses = first.steps.map(({ loss }) => loss)
      expect(losses.length).toBeGreaterThan(25)
      expect(losses[0]).toBeGreaterThan(4)
      expect(Math.max(...losses.slice(-5))).toBeLessThan(0.9 * losses[0])
      expect(new Set(first.steps.map(({ phase }) => phase)).size).toBe(2)
      const second = yield* run(0)
      expect(second.weights).toEqual(first.weights)
    }))

  it.effect("fails, instead of playing for ever, where no demonstration fits the context", () =>
    Effect.gen(function*() {
      const short = { ...shape, contextLength: 8 }
      const error = yield* Effect.flip(clone(phases, { name: "tiny", seed: 0, shape: short, workers: 1 }))
      expect(error).toMatchObject({ _tag: "CloningDataError", phase: phases[0].name, maxTokens: 8 })
    }))

  it("warms the learning rate up and lets it fall", () => {
    const [phase] = recipes.start
    expect(learningRateAt(phase, 0, 0)).toBeCloseTo(phase.learningRate / 50, 12)
    expect(learningRateAt(phase, 200, 0.5)).toBeCloseTo(phase.learningRate / 2, 12)
    expect(learningRateAt(phase, 500, 1)).toBeCloseTo(0.02 * phase.learningRate, 12)
  })
})
