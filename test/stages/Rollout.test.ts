import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { Trajectory } from "../../src/domain/Trajectory.js"
import { Environment } from "../../src/services/Environment.js"
import type { SampleRequest, Sampler } from "../../src/services/Policy.js"
import { Policy } from "../../src/services/Policy.js"
import type { RolloutRequest } from "../../src/stages/Rollout.js"
import { Rollout } from "../../src/stages/Rollout.js"
import { layerScripted, layerToyPolicy, markers, ScriptedLog } from "../../src/testing/index.js"
import { chat, locks, trainSettings, toy, words } from "../locks.js"

const idOf = (word: string) => markers.length + words.indexOf(word)
const end = markers.indexOf("<end>")

/** A sampler that says what it is told to, turn by turn, and remembers the prompts. */
const saying = (actions: ReadonlyArray<ReadonlyArray<number>>) => {
  const requests: Array<SampleRequest> = []
  const sampler: Sampler = {
    snapshotId: "scripted",
    sample: (request) =>
      Effect.sync(() => {
        const ids = actions[requests.length]
        requests.push(request)
        return [{ ids, logprobs: ids.map(() => -0.5), stopReason: "stop", cachedTokens: undefined }]
      }),
    logprobs: (ids) => Effect.succeed(ids.map((_, i) => i === 0 ? null : -0.5))
  }
  return { requests, sampler }
}

const game = locks[0].game
const request = (sampler: Sampler, over: Partial<RolloutRequest> = {}): RolloutRequest => ({
  game,
  attempt: 0,
  sampler,
  settings: trainSettings,
  seed: 1,
  step: 1,
  ...over
})

const world = Rollout.layer.pipe(Layer.provideMerge(Layer.merge(layerScripted(locks), chat)))

describe("Rollout", () => {
  it.effect("invariant 1: a trajectory is the concatenation of ids sent and received", () =>
    Effect.gen(function*() {
      const blue = [idOf("blue"), end]
      const red = [idOf("red"), end]
      const { requests, sampler } = saying([blue, blue, red])
      const { play } = yield* Rollout
      const trajectory = yield* play(request(sampler))
      expect(trajectory).toMatchObject({ stopReason: "won", won: true, reward: 1, openingLength: 8 })
      for (const [k, turn] of trajectory.turns.entries()) {
        expect(trajectory.ids.slice(0, turn.start)).toEqual(requests[k].prompt)
        expect(trajectory.ids.slice(turn.start, turn.end)).toEqual([blue, blue, red][k])
      }
      expect(trajectory.turns.at(-1)?.end).toBe(trajectory.ids.length)
    }).pipe(Effect.provide(world)))

  it.effect("an action without a command does not move the world, and counts as a turn", () =>
    Effect.gen(function*() {
      const { sampler } = saying([[idOf("red")], [end], [idOf("red"), end]])
      const { play } = yield* Rollout
      const { turns, won } = yield* play(request(sampler))
      expect(turns.map(({ command }) => command)).toEqual([null, null, "red"])
      expect(turns.map(({ admissible }) => admissible)).toEqual([false, false, true])
      expect(turns[0].invalidReason).not.toBeNull()
      expect(won).toBe(true)
    }).pipe(Effect.provide(world)))

  it.effect("ends at its limits: turns, then tokens", () =>
    Effect.gen(function*() {
      const grey = [idOf("grey"), end]
      const { play } = yield* Rollout
      const turns = yield* play(request(saying([grey, grey, grey]).sampler))
      expect(turns).toMatchObject({ stopReason: "max_turns", won: false, reward: 0 })
      expect(turns.turns.length).toBe(3)
      const tokens = yield* play(
        request(saying([grey, grey, grey]).sampler, { settings: { ...trainSettings, maxTrajectoryTokens: 14 } })
      )
      expect(tokens.stopReason).toBe("token_budget")
      expect(tokens.turns.length).toBe(1)
    }).pipe(Effect.provide(world)))

  it.effect("lists admissible commands where the settings say so", () =>
    Effect.gen(function*() {
      const { requests, sampler } = saying([[idOf("grey"), end], [idOf("red"), end]])
      const { play } = yield* Rollout
      const shown = yield* play(request(sampler, { settings: { ...trainSettings, includeAdmissibleActions: true } }))
      expect(shown.openingCommands).toEqual(["red", "green", "blue", "grey"])
      expect(requests[1].prompt.length - requests[0].prompt.length).toBe(2 + 2 + 4 + 1)
    }).pipe(Effect.provide(world)))

  it.effect("a deadline is a stop reason that keeps what was played, and interrupts the request", () =>
    Effect.gen(function*() {
      let interrupted = 0
      const { sampler } = saying([[idOf("grey"), end]])
      const slow: Sampler = {
        ...sampler,
        sample: (asked) =>
          asked.prompt.length === 8
            ? Effect.delay(sampler.sample(asked), "3 seconds")
            : Effect.onInterrupt(Effect.never, () =>
              Effect.sync(() => {
                interrupted++
              }))
      }
      const { play } = yield* Rollout
      const fiber = yield* Effect.fork(play(request(slow, { deadline: "10 seconds" })))
      yield* TestClock.adjust("10 seconds")
      const trajectory = yield* Fiber.join(fiber)
      expect(trajectory).toMatchObject({ stopReason: "deadline", won: false, reward: 0 })
      expect(trajectory.turns.length).toBe(1)
      expect(interrupted).toBe(1)
      const { open } = yield* ScriptedLog
      expect(open().now).toBe(0)
    }).pipe(Effect.provide(world)))

  it.effect("a step that the deadline cuts off leaves its action in the trajectory", () =>
    Effect.gen(function*() {
      const red = [idOf("red"), end]
      const { play } = yield* Rollout
      const fiber = yield* Effect.fork(play(request(saying([red]).sampler, { deadline: "10 seconds" })))
      yield* TestClock.adjust("10 seconds")
      const trajectory = yield* Fiber.join(fiber)
      expect(trajectory).toMatchObject({ stopReason: "deadline", won: false })
      expect(trajectory.ids.slice(-2)).toEqual(red)
      expect(trajectory.turns.at(-1)).toMatchObject({ command: "red", observation: "" })
    }).pipe(Effect.provide(
      Rollout.layer.pipe(Layer.provideMerge(Layer.merge(layerScripted(locks, () => Effect.never), chat)))
    )))

  it.effect("an environment that does not open in time is an infrastructure error", () =>
    Effect.gen(function*() {
      const { play } = yield* Rollout
      const fiber = yield* Effect.fork(Effect.flip(play(request(saying([]).sampler, { deadline: "10 seconds" }))))
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "EnvironmentError", operation: "open", retryable: true })
    }).pipe(Effect.provide(
      Rollout.layer.pipe(Layer.provide(Layer.merge(Layer.succeed(Environment, { open: () => Effect.never }), chat)))
    )))

  it.effect("a log-probability that is not finite is recorded as null", () =>
    Effect.gen(function*() {
      const { sampler } = saying([[idOf("red"), end]])
      const { play } = yield* Rollout
      const trajectory = yield* play(request({
        ...sampler,
        sample: (asked) =>
          Effect.map(sampler.sample(asked), (samples) =>
            samples.map((sample) => ({ ...sample, logprobs: [-Infinity, NaN] })))
      }))
      expect(trajectory.turns[0].logprobs).toEqual([null, null])
      expect(Schema.is(Trajectory)(JSON.parse(JSON.stringify(trajectory)))).toBe(true)
    }).pipe(Effect.provide(world)))

  it.effect("invariant 4: random numbers depend on run seed, game, attempt and step alone", () =>
    Effect.gen(function*() {
      const policy = yield* Policy
      const sampler = yield* policy.openSampler({ _tag: "BaseModel", baseModel: "toy" })
      const { play } = yield* Rollout
      const attempts = Array.from({ length: 12 }, (_, attempt) => attempt)
      const all = (concurrency: number, order: ReadonlyArray<number>) =>
        Effect.map(
          Effect.forEach(order, (attempt) => play(request(sampler, { attempt })), { concurrency }),
          (played) => played.slice().sort((a, b) => a.attempt - b.attempt)
        )
      const alone = yield* all(1, attempts)
      expect(yield* all(7, attempts.slice().reverse())).toEqual(alone)
      expect(yield* all(64, attempts)).toEqual(alone)
      expect(new Set(alone.map(({ ids }) => ids.join())).size).toBeGreaterThan(6)
      const other = yield* play(request(sampler, { attempt: 0, step: 2 }))
      expect(other.ids).not.toEqual(alone[0].ids)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(world, layerToyPolicy(toy)))))
})
