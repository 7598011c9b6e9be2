import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Policy } from "../../src/services/Policy.js"
import { Rollout } from "../../src/stages/Rollout.js"
import { Teacher } from "../../src/stages/Teacher.js"
import { layerScripted, layerToyPolicy } from "../../src/testing/index.js"
import { chat, locks, skills, trainSettings, toy } from "../locks.js"

const world = (options: { readonly skillPull?: number; readonly maxSequenceTokens?: number } = {}) =>
  Layer.merge(Rollout.layer, Teacher.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(
      layerScripted(locks),
      chat,
      skills,
      layerToyPolicy({
        ...toy,
        skillPull: options.skillPull ?? 1,
        capabilities: { maxSequenceTokens: options.maxSequenceTokens ?? 4096 }
      })
    ))
  )

const playedAndScored = Effect.gen(function*() {
  const sampler = yield* Effect.flatMap(Policy, (policy) =>
    policy.openSampler({ _tag: "BaseModel", baseModel: "toy" }))
  const { play } = yield* Rollout
  const { rescore } = yield* Teacher
  const trajectory = yield* play({ game: locks[1].game, attempt: 3, sampler, settings: trainSettings, seed: 5, step: 1 })
  return { trajectory, scores: yield* rescore(trajectory, sampler) }
}).pipe(Effect.scoped)

describe("Teacher", () => {
  it.effect("scores the very ids of each action, as many as there are", () =>
    Effect.gen(function*() {
      const { scores, trajectory } = yield* playedAndScored
      expect(trajectory.turns.length).toBeGreaterThan(1)
      if (scores._tag !== "Scored") throw new Error("not scored")
      expect(scores.logprobs.map((turn) => turn.length))
        .toEqual(trajectory.turns.map((turn) => turn.end - turn.start))
      const lead = trajectory.turns.flatMap((turn, k) =>
        turn.logprobs.map((own, i) => (scores.logprobs[k][i] ?? NaN) - (own ?? NaN)))
      expect(lead.some((d) => d > 0.1)).toBe(true)
      expect(lead.some((d) => d < -0.1)).toBe(true)
    }).pipe(Effect.provide(world())))

  it.effect("a skill without influence gives no evidence: same snapshot, same ids, same positions", () =>
    Effect.gen(function*() {
      const { scores, trajectory } = yield* playedAndScored
      if (scores._tag !== "Scored") throw new Error("not scored")
      expect(scores.logprobs).toEqual(trajectory.turns.map(({ logprobs }) => logprobs))
    }).pipe(Effect.provide(world({ skillPull: 0 }))))

  it.effect.each([["short", -1], ["long", 1]] as const)("refuses an answer that is too %s", ([, change]) =>
    Effect.gen(function*() {
      const sampler = yield* Effect.flatMap(Policy, (policy) =>
        policy.openSampler({ _tag: "BaseModel", baseModel: "toy" }))
      const { play } = yield* Rollout
      const { rescore } = yield* Teacher
      const trajectory = yield* play({ game: locks[1].game, attempt: 3, sampler, settings: trainSettings, seed: 5, step: 1 })
      const error = yield* Effect.flip(rescore(trajectory, {
        ...sampler,
        logprobs: (ids) => Effect.succeed(Array.from({ length: ids.length + change }, () => -1))
      }))
      expect(error).toMatchObject({ _tag: "PolicyError", kind: "corrupt" })
    }).pipe(Effect.scoped, Effect.provide(world())))

  it.effect("shortens nothing: what does not fit is told", () =>
    Effect.gen(function*() {
      const { scores } = yield* playedAndScored
      expect(scores._tag).toBe("TooLong")
    }).pipe(Effect.provide(world({ maxSequenceTokens: 12 }))))
})
