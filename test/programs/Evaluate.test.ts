import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { wilson } from "../../src/domain/Intervals.js"
import type { EvalSettings } from "../../src/domain/Settings.js"
import { evaluate } from "../../src/programs/Evaluate.js"
import { PolicyError } from "../../src/services/Policy.js"
import { Tracker } from "../../src/services/Tracker.js"
import { Rollout } from "../../src/stages/Rollout.js"
import {
  layerFaultyPolicy,
  layerMemoryEvaluationStore,
  layerScripted,
  layerToyPolicy,
  MemoryEvaluations,
  ScriptedLog
} from "../../src/testing/index.js"
import { chat, evalSettings, locks, toy } from "../locks.js"

const policy = layerToyPolicy(toy)
const others = Layer.mergeAll(layerScripted(locks), chat, layerMemoryEvaluationStore, Tracker.layerDisabled)
const world = Rollout.layer.pipe(Layer.provideMerge(Layer.merge(policy, others)))

const run = (over: Partial<EvalSettings> = {}) => evaluate({ ...evalSettings, ...over })
const fileOf = (output: string) => Effect.map(MemoryEvaluations, ({ files }) => files.get(output))

describe("evaluate", () => {
  it.effect("plays each game of both splits once and adds up", () =>
    Effect.gen(function*() {
      const { metrics, rows } = yield* run()
      const file = yield* fileOf("eval.jsonl")
      expect(file?.records.map(({ game_id }) => game_id)).toEqual(
        locks.map(({ game }) => game.id).filter((id) => !id.startsWith("train")).sort()
      )
      expect(rows.map(({ games, split, taskType }) => [split, taskType, games])).toEqual([
        ["valid_seen", "single", 4],
        ["valid_seen", "all", 4],
        ["valid_unseen", "double", 4],
        ["valid_unseen", "all", 4],
        ["all", "all", 8]
      ])
      const total = rows[4]
      expect(total.wins).toBe(file?.records.filter(({ won }) => won).length)
      expect(total.interval).toEqual(wilson(total.wins, 8))
      expect(metrics["eval/valid_seen/games"]).toBe(4)
      expect(file?.summary?.metrics).toEqual(metrics)
    }).pipe(Effect.provide(world)))

  it.effect("batch size changes no record", () =>
    Effect.gen(function*() {
      for (const gamesPerBatch of [1, 7, 64]) yield* run({ gamesPerBatch, output: `b${gamesPerBatch}` })
      const one = yield* fileOf("b1")
      expect(yield* fileOf("b7")).toEqual(one)
      expect(yield* fileOf("b64")).toEqual(one)
    }).pipe(Effect.provide(world)))

  it.effect("started again after a fault, it plays only what is missing, with equal records", () =>
    Effect.gen(function*() {
      const undisturbed = yield* Effect.zipRight(run(), fileOf("eval.jsonl")).pipe(Effect.provide(Layer.fresh(world)))
      let armed = true
      const faulty = Rollout.layer.pipe(Layer.provideMerge(Layer.merge(
        layerFaultyPolicy(policy, (call, number) => {
          if (!armed || call !== "sample" || number !== 13) return undefined
          armed = false
          return new PolicyError({ backend: "toy", operation: call, reason: "planned", fix: "None", kind: "refused" })
        }),
        others
      )))
      yield* Effect.gen(function*() {
        yield* Effect.flip(run({ gamesPerBatch: 1 }))
        const { opened } = yield* ScriptedLog
        const before = opened.length
        const recorded = (yield* fileOf("eval.jsonl"))?.records.length ?? 0
        expect(recorded).toBeGreaterThan(0)
        yield* run({ gamesPerBatch: 1 })
        expect(opened.length - before).toBe(8 - recorded)
        expect(yield* fileOf("eval.jsonl")).toEqual(undisturbed)
      }).pipe(Effect.provide(faulty))
    }))

  it.effect("limits each split and takes one alone", () =>
    Effect.gen(function*() {
      expect((yield* run({ limitPerSplit: 2, output: "a" })).rows.at(-1)?.games).toBe(4)
      expect((yield* run({ split: "valid_seen", output: "b" })).rows.at(-1)).toMatchObject({
        split: "valid_seen",
        games: 4
      })
    }).pipe(Effect.provide(world)))
})

describe("Wilson's interval", () => {
  it.each([
    [114, 128, 0.825, 0.934],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [0, 0, 0, 1]
  ])("%i of %i", (wins, games, low, high) => {
    const [from, to] = wilson(wins, games)
    expect(from).toBeCloseTo(low, 3)
    expect(to).toBeCloseTo(high, 3)
  })
})
