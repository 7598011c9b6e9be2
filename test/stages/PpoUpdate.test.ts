import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import type { Datum, Optimizer } from "../../src/services/Policy.js"
import type { CreditedTrajectory } from "../../src/stages/PpoUpdate.js"
import { clippedSurrogate, minibatches, PpoUpdate, sequenceMean, sequenceOf } from "../../src/stages/PpoUpdate.js"
import { layerToyPolicy } from "../../src/testing/index.js"
import { trainSettings } from "../locks.js"

const datum = (advantages: ReadonlyArray<number>): Datum => ({
  ids: advantages.map((_, i) => i),
  logprobs: advantages.map(() => -1),
  advantages
})

const episode = (
  turns: ReadonlyArray<{ readonly start: number; readonly logprobs: ReadonlyArray<number>; readonly advantage: number }>,
  length: number
): CreditedTrajectory => ({
  trajectory: {
    gameId: "g",
    split: "train",
    taskType: "t",
    attempt: 0,
    snapshotId: "s",
    task: "",
    initialObservation: "",
    openingCommands: [],
    openingLength: 2,
    ids: Array.from({ length }, (_, i) => i),
    turns: turns.map(({ logprobs, start }) => ({
      start,
      end: start + logprobs.length,
      logprobs,
      command: "",
      invalidReason: null,
      admissible: true,
      observation: "",
      won: false,
      score: null
    })),
    stopReason: "max_turns",
    won: false,
    reward: 0
  },
  credit: {
    sequenceAdvantage: 1,
    prior: 0.5,
    turns: turns.map(({ advantage }) => ({
      evidence: null,
      belief: null,
      beliefChange: null,
      weight: 1,
      advantage,
      rejected: null
    }))
  }
})

/** An optimiser that answers with the given log-probabilities and counts. */
const optimizer = (answer: (data: ReadonlyArray<Datum>) => ReadonlyArray<ReadonlyArray<number | null>>) => {
  const calls: Array<string> = []
  const data: Array<ReadonlyArray<Datum>> = []
  const self: Optimizer = {
    forwardBackward: (batch) =>
      Effect.sync(() => {
        calls.push("forwardBackward")
        data.push(batch)
        return { logprobs: answer(batch) }
      }),
    optimStep: () =>
      Effect.sync(() => {
        calls.push("optimStep")
        return { gradNorm: 2 }
      })
  }
  return { calls, data, self }
}

const update = (episodes: ReadonlyArray<CreditedTrajectory>, self: Optimizer, ppoMinibatches = 1) =>
  Effect.flatMap(PpoUpdate, (ppo) =>
    ppo.update({ optimizer: self, episodes, settings: { ...trainSettings, ppoMinibatches }, seed: 1, step: 1 }))

const layer = Layer.provide(PpoUpdate.layer, layerToyPolicy({ vocabularySize: 4 }))

describe("the data of an update", () => {
  it("advantages stand on action ids alone", () => {
    const { actionTokens, datum: built } = sequenceOf(episode([
      { start: 2, logprobs: [-0.1, -0.2], advantage: 0.5 },
      { start: 6, logprobs: [-0.3], advantage: -0.5 }
    ], 8))
    expect(actionTokens).toBe(3)
    expect(built.advantages).toEqual([0, 0, 0.5, 0.5, 0, 0, -0.5, 0])
    expect(built.logprobs).toEqual([0, 0, -0.1, -0.2, 0, 0, -0.3, 0])
  })
  it("every trajectory weighs the same however long, under either reduction of the backend", () => {
    const data = [
      { datum: datum([0, 1, 1, 1, 1]), actionTokens: 4 },
      { datum: datum([0, 1, 0, 0]), actionTokens: 1 }
    ]
    const weightUnder = (reduction: "sum" | "token-mean") => {
      const sums = sequenceMean(data, reduction).map(({ advantages }) => advantages.reduce((a, b) => a + b, 0))
      return reduction === "sum" ? sums : sums.map((sum) => sum / 5)
    }
    expect(weightUnder("sum")).toEqual([0.5, 0.5])
    expect(weightUnder("token-mean")).toEqual([0.5, 0.5])
  })
  it("a turn whose advantage a weight of 0 took away still counts in its trajectory's mean (λ = b = 1)", () => {
    const sequence = sequenceOf(episode([
      { start: 2, logprobs: [-1, -1], advantage: 1 },
      { start: 5, logprobs: [-1, -1], advantage: 0 }
    ], 8))
    expect(sequence.actionTokens).toBe(4)
    expect(sequenceMean([sequence], "sum")[0].advantages).toEqual([0, 0, 0.25, 0.25, 0, 0, 0, 0])
  })
  it("mini-batches hold every trajectory once, in sizes that differ by one at most", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.integer({ min: 0, max: 40 }),
      FastCheck.integer({ min: 1, max: 9 }),
      FastCheck.nat(),
      (size, parts, seed) => {
        const items = Array.from({ length: size }, (_, i) => i)
        const dealt = minibatches(items, parts, seed)
        expect(dealt.flat().sort((a, b) => a - b)).toEqual(items)
        const sizes = dealt.map((batch) => batch.length)
        expect(Math.max(0, ...sizes) - Math.min(...sizes, Math.max(0, ...sizes))).toBeLessThanOrEqual(1)
        expect(dealt).toEqual(minibatches(items, parts, seed))
      }
    ))
  })
})

describe("the clipped surrogate", () => {
  const loss = { clipLow: 0.8, clipHigh: 1.24 }
  it.each([
    ["inside the window", 1.1, 1, -1.1, false],
    ["above it, with a gain", 1.5, 1, -1.24, true],
    ["above it, with a loss", 1.5, -1, 1.5, false],
    ["below it, with a gain", 0.5, 1, -0.5, false],
    ["below it, with a loss", 0.5, -1, 0.8, true]
  ])("%s", (_, ratio, advantage, expected, clipped) => {
    expect(clippedSurrogate(ratio, advantage, loss)).toEqual({ loss: expected, clipped })
  })
})

describe("PpoUpdate", () => {
  it.effect("awaits and checks each backward before its step; metrics are ours", () =>
    Effect.gen(function*() {
      const episodes = [
        episode([{ start: 2, logprobs: [-1, -1], advantage: 1 }], 4),
        episode([{ start: 2, logprobs: [-1], advantage: -1 }], 3)
      ]
      const { calls, self } = optimizer((data) => data.map(({ ids }) => ids.map((_, t) => t === 0 ? null : -0.9)))
      const report = yield* update(episodes, self, 2)
      expect(calls).toEqual(["forwardBackward", "optimStep", "forwardBackward", "optimStep"])
      expect(report).toMatchObject({ updated: true, trainedTrajectories: 2, trainedTokens: 3, optimizerSteps: 2 })
      expect(report.ratioMean).toBeCloseTo(Math.exp(0.1), 12)
      expect(report.approximateKl).toBeCloseTo(Math.exp(0.1) - 1 - 0.1, 12)
      expect(report.clipFraction).toBe(0)
      expect(report.gradNorm).toBe(2)
    }).pipe(Effect.provide(layer)))

  it.effect("without any advantage nothing is sent", () =>
    Effect.gen(function*() {
      const { calls, self } = optimizer(() => [])
      const report = yield* update([episode([{ start: 2, logprobs: [-1], advantage: 0 }], 3)], self)
      expect(calls).toEqual([])
      expect(report).toMatchObject({ updated: false, trainedTrajectories: 0, loss: undefined })
    }).pipe(Effect.provide(layer)))

  it.effect.each([
    ["a missing sequence", () => []],
    ["a missing position", () => [[null, -1]]],
    ["a missing value", () => [[null, -1, null]]],
    ["a NaN", () => [[null, -1, NaN]]],
    ["an infinite loss", () => [[null, -1, 1e9]]]
  ] as ReadonlyArray<[string, () => ReadonlyArray<ReadonlyArray<number | null>>]>)(
    "%s in the answer ends the update before the optimiser's step",
    ([, answer]) =>
      Effect.gen(function*() {
        const { calls, self } = optimizer(answer)
        const exit = yield* Effect.exit(update([episode([{ start: 2, logprobs: [-1], advantage: -1 }], 3)], self))
        expect(Exit.isFailure(exit)).toBe(true)
        expect(calls).toEqual(["forwardBackward"])
      }).pipe(Effect.provide(layer))
  )
})
