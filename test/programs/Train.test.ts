import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { MetricsRecord } from "../../src/domain/RunRecords.js"
import type { TrainSettings } from "../../src/domain/Settings.js"
import { train } from "../../src/programs/Train.js"
import { EnvironmentError } from "../../src/services/Environment.js"
import { Games } from "../../src/services/Games.js"
import { PolicyError } from "../../src/services/Policy.js"
import { Progress, type ProgressEvent } from "../../src/services/Progress.js"
import { Tracker, TrackerError } from "../../src/services/Tracker.js"
import {
  layerFaultyEnvironment,
  layerFaultyPolicy,
  layerMemoryRunStore,
  layerRecordingTracker,
  layerScripted,
  layerSkills,
  layerToyPolicy,
  MemoryRuns,
  ScriptedLog,
  ToyPolicyLog,
  TrackerLog
} from "../../src/testing/index.js"
import { chat, locks, skills, stages, trainSettings, toy } from "../locks.js"

const policy = layerToyPolicy(toy)
const environment = layerScripted(locks)
const services = Layer.mergeAll(chat, skills, layerMemoryRunStore, Tracker.layerDisabled)
const world = stages.pipe(Layer.provideMerge(Layer.mergeAll(policy, environment, services)))

const start = (over: Partial<TrainSettings> = {}, resume = false) => train({ ...trainSettings, ...over }, { resume })

/** Everything a run records, times aside. */
const recordsOf = (name: string) =>
  Effect.map(MemoryRuns, ({ runs }) => {
    const run = runs.get(name)
    return {
      episodes: run?.episodes ?? [],
      metrics: (run?.metrics ?? []).map(timeless)
    }
  })

const timeless = (record: MetricsRecord) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith("time/")))

const infrastructure = new EnvironmentError({ gameId: "?", operation: "open", reason: "worker died", retryable: true })
const policyFault = (operation: string, kind: PolicyError["kind"]) =>
  new PolicyError({ backend: "toy", operation, reason: "planned", fix: "None", kind })

describe("train", () => {
  it.effect("learns: the toy policy opens most locks after some updates", () =>
    Effect.gen(function*() {
      const { checkpoint, metrics, steps } = yield* start({ maxSteps: 25, tasksPerUpdate: 6, groupSize: 8, learningRate: 0.3, saveEvery: 0 })
      const success = metrics.map((of) => of["train/success_rate"])
      const average = (part: ReadonlyArray<number>) => part.reduce((a, b) => a + b, 0) / part.length
      expect(average(success.slice(-5))).toBeGreaterThan(average(success.slice(0, 5)) + 0.3)
      expect(steps).toBe(25)
      expect(checkpoint?.step).toBe(25)
    }).pipe(Effect.provide(world)))

  it.effect("concurrency changes no record", () =>
    Effect.gen(function*() {
      for (const concurrency of [1, 7, 64]) {
        yield* start({
          rolloutConcurrency: concurrency,
          teacherConcurrency: concurrency,
          runName: `c${concurrency}`
        })
      }
      const one = yield* recordsOf("c1")
      expect(one.episodes.length).toBe(3 * 4 * 4)
      const anonymous = (records: typeof one) => JSON.stringify(records).replaceAll(/toy:c\d+:/g, "toy:")
      expect(anonymous(yield* recordsOf("c7"))).toEqual(anonymous(one))
      expect(anonymous(yield* recordsOf("c64"))).toEqual(anonymous(one))
    }).pipe(Effect.provide(world)))

  it.effect("never plays more trajectories at once than it may", () =>
    Effect.gen(function*() {
      yield* start({ rolloutConcurrency: 5 })
      const { open } = yield* ScriptedLog
      expect(open()).toEqual({ now: 0, most: 5 })
    }).pipe(Effect.provide(
      stages.pipe(Layer.provideMerge(Layer.mergeAll(
        layerToyPolicy({ ...toy, latency: () => Effect.yieldNow() }),
        environment,
        services
      )))
    )))

  it.effect("invariant 3: no Teacher for λ = 0 and none for constant groups", () =>
    Effect.gen(function*() {
      const { calls } = yield* ToyPolicyLog
      yield* start({ reshapeLambda: 0, runName: "control" })
      expect(calls).not.toContain("logprobs")
      const control = yield* recordsOf("control")
      yield* start({ runName: "full" })
      const full = yield* recordsOf("full")
      expect(calls).toContain("logprobs")
      const rollouts = (records: typeof full) =>
        records.episodes.filter(({ step }) => step === 1).map(({ ids, turns }) => ({ ids, turns }))
      expect(rollouts(full)).toEqual(rollouts(control))
      expect(full.metrics.map((of) => of["update/loss"])).not.toEqual(control.metrics.map((of) => of["update/loss"]))
      for (const { credit, teacherLogprobs } of full.episodes) {
        expect(teacherLogprobs === null).toBe(credit.sequenceAdvantage === 0)
      }
    }).pipe(Effect.provide(world)))

  it.effect("an update without any advantage is skipped, its metrics kept, and it is said", () =>
    Effect.gen(function*() {
      const events: Array<ProgressEvent> = []
      const told = Effect.provideService(start({ groupSize: 1, maxSteps: 1 }), Progress, {
        report: (event) => Effect.sync(() => void events.push(event))
      })
      const { metrics } = yield* told
      expect(metrics[0]["update/skipped"]).toBe(1)
      expect(metrics[0]["train/games"]).toBe(4)
      expect(events.some((event) => event._tag === "UpdateFinished" && event.skipped)).toBe(true)
      const { calls } = yield* ToyPolicyLog
      expect(calls).not.toContain("forwardBackward")
      expect(calls).not.toContain("optimStep")
    }).pipe(Effect.provide(world)))

  it.effect("Rollout and Teacher of an update use one snapshot; every record names it", () =>
    Effect.gen(function*() {
      yield* start()
      const { episodes } = yield* recordsOf("locks")
      const perStep = [1, 2, 3].map((step) =>
        new Set(episodes.filter((episode) => episode.step === step).map(({ snapshotId }) => snapshotId)))
      expect(perStep.map(({ size }) => size)).toEqual([1, 1, 1])
      const { calls } = yield* ToyPolicyLog
      expect(calls.filter((call) => call === "snapshot").length).toBe(3)
    }).pipe(Effect.provide(world)))

  it.effect("the Teacher reads a complete group while another still plays", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const slow = layerScripted(locks, (gameId) => gameId === "train:red" ? Deferred.await(gate) : Effect.void)
      const reached = yield* Effect.gen(function*() {
        const { calls } = yield* ToyPolicyLog
        const fiber = yield* Effect.fork(start({ maxSteps: 1, tasksPerUpdate: 6, groupSize: 8, rolloutConcurrency: 64 }))
        yield* Effect.repeat(Effect.yieldNow(), { times: 2000 })
        const before = calls.filter((call) => call === "logprobs").length
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(fiber)
        return before
      }).pipe(Effect.provide(stages.pipe(Layer.provideMerge(Layer.mergeAll(policy, slow, services)))))
      expect(reached).toBeGreaterThan(0)
    }))

  it.effect("a run does not start where a task type has no skill", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(start())
      expect(error._tag).toBe("SkillMissingError")
      expect(error.message).toContain("double")
      const { runs } = yield* MemoryRuns
      expect(runs.size).toBe(0)
    }).pipe(Effect.provide(
      stages.pipe(Layer.provideMerge(Layer.mergeAll(
        policy,
        environment,
        chat,
        layerSkills({ single: "press" }),
        layerMemoryRunStore,
        Tracker.layerDisabled
      )))
    )))

  it.effect("a run does not start where the policy cannot read a skill", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(start())
      expect(error._tag).toBe("ChatFormatError")
      expect(error.message).toContain("rhubarb")
      const { runs } = yield* MemoryRuns
      expect(runs.size).toBe(0)
    }).pipe(Effect.provide(
      stages.pipe(Layer.provideMerge(Layer.mergeAll(
        policy,
        environment,
        chat,
        layerSkills({ single: "press", double: "rhubarb" }),
        layerMemoryRunStore,
        Tracker.layerDisabled
      )))
    )))

  it.effect.each([
    ["none", []],
    ["one twice", [locks[0].game, locks[0].game]],
    ["unsorted ones", [locks[0].game, locks[1].game]]
  ] as const)("a list of games that has %s is refused before a run exists", ([, games]) =>
    Effect.gen(function*() {
      const listed = Layer.succeed(Games, {
        source: "a bad list",
        list: () => Effect.succeed({ games: games.slice(), manifestHash: "h" })
      })
      const error = yield* Effect.flip(Effect.provide(start(), listed))
      expect(error).toMatchObject({ _tag: "GamesError", source: "a bad list" })
      const { runs } = yield* MemoryRuns
      expect(runs.size).toBe(0)
    }).pipe(Effect.provide(world)))

  it.effect("trajectories longer than the policy's context are refused before a run exists", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(start({ maxTrajectoryTokens: 5000 }))
      expect(error.message).toContain("maxTrajectoryTokens is 5000, but the policy takes 4096")
      const { runs } = yield* MemoryRuns
      expect(runs.size).toBe(0)
    }).pipe(Effect.provide(world)))

  it.effect("infrastructure trouble is repeated and changes no record", () =>
    Effect.gen(function*() {
      const undisturbed = yield* Effect.zipRight(start(), recordsOf("locks")).pipe(Effect.provide(world))
      const troubled = stages.pipe(Layer.provideMerge(Layer.mergeAll(
        layerFaultyPolicy(policy, (call, number) =>
          (call === "sample" && number % 9 === 0) || (call === "logprobs" && number % 5 === 0) ||
            (number === 1 && !["sample", "logprobs"].includes(call)) || (call === "optimStep" && number === 3)
            ? policyFault(call, "retryable")
            : undefined),
        layerFaultyEnvironment(environment, (call, number) =>
          (call === "open" && number % 7 === 0) || (call === "step" && number % 11 === 0) ? infrastructure : undefined),
        services
      )))
      const fiber = yield* Effect.fork(Effect.zipRight(start(), recordsOf("locks")).pipe(Effect.provide(troubled)))
      yield* TestClock.adjust("10 minutes")
      expect(yield* Fiber.join(fiber)).toEqual(undisturbed)
    }))

  it.effect("trouble that stays ends the run with the error itself", () =>
    Effect.gen(function*() {
      const broken = stages.pipe(Layer.provideMerge(Layer.mergeAll(
        policy,
        layerFaultyEnvironment(environment, (call) => call === "open" ? infrastructure : undefined),
        services
      )))
      const fiber = yield* Effect.fork(Effect.flip(start()).pipe(Effect.provide(broken)))
      yield* TestClock.adjust("10 minutes")
      expect((yield* Fiber.join(fiber)).message).toBe(infrastructure.message)
    }))
})

describe("resuming (design invariants 5 and 6)", () => {
  const changing = ["forwardBackward", "optimStep", "saveState", "saveSamplerWeights"] as const
  const faults = changing.flatMap((call) => [1, 2, 3].map((number) => [call, number] as const))

  it.effect.each(faults)("stopped at %s, the resumed run records what an undisturbed one does", ([at, number]) =>
    Effect.gen(function*() {
      const settings = { maxSteps: 5 }
      const undisturbed = yield* Effect.zipRight(start(settings), recordsOf("locks")).pipe(Effect.provide(world))
      let armed = true
      const disturbed = stages.pipe(Layer.provideMerge(Layer.mergeAll(
        layerFaultyPolicy(policy, (call, n) => {
          if (!armed || call !== at || n !== number) return undefined
          armed = false
          return policyFault(call, "unknown-outcome")
        }),
        environment,
        services
      )))
      yield* Effect.gen(function*() {
        const exit = yield* Effect.exit(start(settings))
        expect(Exit.isFailure(exit)).toBe(true)
        const { runs } = yield* MemoryRuns
        const journal = runs.get("locks")?.journal ?? []
        expect(journal.at(-1)).toMatchObject({ _tag: "begin" })
        yield* start(settings, true)
        expect(yield* recordsOf("locks")).toEqual(undisturbed)
      }).pipe(Effect.provide(disturbed))
    }))

  it.effect("the journal frames every change of the trainer", () =>
    Effect.gen(function*() {
      yield* start({ maxSteps: 2 })
      const { runs } = yield* MemoryRuns
      const journal = runs.get("locks")?.journal ?? []
      const open = new Set<string>()
      for (const event of journal) {
        if (event._tag === "begin") {
          expect(open.size).toBe(0)
          open.add(`${event.step} ${event.effect} ${event.minibatch}`)
        }
        if (event._tag === "end") expect(open.delete(`${event.step} ${event.effect} ${event.minibatch}`)).toBe(true)
      }
      expect(open.size).toBe(0)
      expect(journal.filter((event) => event._tag === "saved").length).toBe(1)
      expect(journal.at(-1)).toEqual({ _tag: "finished", step: 2 })
    }).pipe(Effect.provide(world)))

  it.effect("a finished run that is resumed does nothing; a larger maxSteps goes on", () =>
    Effect.gen(function*() {
      yield* start({ maxSteps: 2 })
      const { calls } = yield* ToyPolicyLog
      const before = calls.length
      const again = yield* start({ maxSteps: 2 }, true)
      expect(calls.length).toBe(before)
      expect(again).toMatchObject({ steps: 2, metrics: [] })
      yield* start({ maxSteps: 4 }, true)
      const longer = yield* recordsOf("locks")
      const straight = yield* Effect.zipRight(start({ maxSteps: 4 }), recordsOf("locks")).pipe(
        Effect.provide(Layer.fresh(world))
      )
      expect(longer).toEqual(straight)
    }).pipe(Effect.provide(world)))
})

describe("the Tracker (design invariant 7)", () => {
  it.effect("is given every update", () =>
    Effect.gen(function*() {
      yield* start()
      const { events } = yield* TrackerLog
      expect(events.map(({ _tag }) => _tag)).toEqual(["Started", "Logged", "Logged", "Logged", "Finished"])
    }).pipe(Effect.provide(
      stages.pipe(Layer.provideMerge(Layer.mergeAll(
        policy,
        environment,
        chat,
        skills,
        layerMemoryRunStore,
        layerRecordingTracker()
      )))
    )))

  const trouble = {
    "fails at the start": layerRecordingTracker((event) =>
      event._tag === "Started" ? Effect.fail(new TrackerError({ operation: "start", reason: "no network" })) : Effect.void
    ),
    "fails at each log": layerRecordingTracker((event) =>
      event._tag === "Logged" ? Effect.fail(new TrackerError({ operation: "log", reason: "no network" })) : Effect.void
    ),
    "hangs": layerRecordingTracker(() => Effect.never),
    "dies at the start": layerRecordingTracker((event) => event._tag === "Started" ? Effect.die("bug") : Effect.void),
    "dies at each log": layerRecordingTracker((event) => event._tag === "Logged" ? Effect.die("bug") : Effect.void),
    "dies at the end": layerRecordingTracker((event) => event._tag === "Finished" ? Effect.die("bug") : Effect.void)
  }
  it.effect.each(Object.entries(trouble))("that %s neither stops nor slows the run", ([, tracker]) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(start())
      yield* TestClock.adjust("6 seconds")
      expect((yield* Fiber.join(fiber)).metrics.length).toBe(3)
      expect((yield* recordsOf("locks")).metrics.length).toBe(3)
    }).pipe(Effect.provide(
      stages.pipe(Layer.provideMerge(Layer.mergeAll(policy, environment, chat, skills, layerMemoryRunStore, tracker)))
    )))
})
