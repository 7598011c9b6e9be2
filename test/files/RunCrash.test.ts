import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { EpisodeRecord } from "../../src/domain/RunRecords.js"
import { encodeLine } from "../../src/files/Jsonl.js"
import { Processes } from "../../src/files/LockOwner.js"
import { isRun } from "../../src/files/RunConfig.js"
import { layerRunFolder } from "../../src/files/RunFolder.js"
import { RunStore } from "../../src/services/RunStore.js"
import { MemoryDisk } from "./MemoryDisk.js"
import { episode, metricsOf, trainSettings } from "./samples.js"

const folder = "/runs/first"

const lineOf = (record: EpisodeRecord) => Either.getOrThrow(encodeLine(EpisodeRecord, record)).trimEnd()

/** Works on a run as the training program does, until all steps are in it. `acknowledged` gets the recorded lines. */
const train = (acknowledged: Set<string>, maxSteps: number) =>
  Effect.scoped(Effect.gen(function*() {
    const store = yield* RunStore
    const settings = { ...trainSettings, maxSteps }
    const run = yield* store.open({ settings, manifestHash: "games", policy: "embedded", resume: yield* isRun(folder) })
    const first = (run.checkpoint?.step ?? 0) + 1
    if (first <= maxSteps) yield* run.journal({ _tag: "opened", step: first - 1 })
    for (let step = first; step <= maxSteps; step++) {
      yield* run.journal({ _tag: "begin", step, effect: "optimStep", minibatch: 0 })
      const episodes = [episode(step, 0), episode(step, 1)]
      yield* run.recordUpdate(step, episodes, metricsOf(step))
      for (const record of episodes) acknowledged.add(lineOf(record))
      acknowledged.add(JSON.stringify({ step, ...metricsOf(step) }))
      if (step % 2 === 0 || step === maxSteps) {
        const paths = { statePath: `state-${step}`, samplerPath: `sampler-${step}` }
        yield* run.journal({ _tag: "saved", step, ...paths })
      }
    }
    if (!run.finished) yield* run.journal({ _tag: "finished", step: maxSteps })
  }))

let ids = 0

/** A process that works on the disk; a later process sees all earlier ones as ended. */
const work = (disk: MemoryDisk, crashAt: number | undefined, acknowledged: Set<string>, maxSteps = 3) =>
  Effect.gen(function*() {
    const { fileSystem, operations } = disk.open(crashAt === undefined ? {} : { crashAt })
    const id = `process-${ids++}`
    const exit = yield* Effect.exit(train(acknowledged, maxSteps)).pipe(
      Effect.provide(Layer.provideMerge(
        layerRunFolder,
        Layer.merge(Layer.succeed(FileSystem.FileSystem, fileSystem), Path.layer)
      )),
      Effect.provideService(Processes, {
        current: Effect.succeed({ id, pid: 1, host: "here", boot: null, started: null }),
        liveness: (owner) => Effect.succeed(owner.id === id ? "alive" : "dead")
      }),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.withTracerEnabled(false)
    )
    return { exit, operations: operations() }
  })

const records = (disk: MemoryDisk) => ({
  metrics: disk.text(`${folder}/metrics.jsonl`),
  episodes: disk.text(`${folder}/episodes.jsonl`)
})

const expectNothingLost = (disk: MemoryDisk, acknowledged: Set<string>) => {
  const kept = ["metrics", "episodes", "superseded"]
    .map((name) => disk.text(`${folder}/${name}.jsonl`) ?? "")
    .join("")
  const lines = new Set(kept.split("\n"))
  for (const line of acknowledged) expect(lines.has(line)).toBe(true)
}

/** A disk on which a process crashed at the first operation after which the condition holds. */
const crashedOnce = (condition: (disk: MemoryDisk) => boolean) =>
  Effect.gen(function*() {
    for (let crashAt = 0;; crashAt++) {
      const disk = new MemoryDisk()
      yield* work(disk, crashAt, new Set())
      if (condition(disk)) return (end: "kill" | "power failure") => disk.after(end)
    }
  })

describe("a run folder after a crash", () => {
  for (const end of ["kill", "power failure"] as const) {
    it.effect(`resumes to the records of an undisturbed run after a ${end} at any operation`, () =>
      Effect.gen(function*() {
        const undisturbed = new MemoryDisk()
        const whole = yield* work(undisturbed, undefined, new Set())
        expect(Exit.isSuccess(whole.exit)).toBe(true)
        expect(whole.operations).toBeGreaterThan(40)
        for (let crashAt = 0; crashAt < whole.operations; crashAt++) {
          const acknowledged = new Set<string>()
          const disk = new MemoryDisk()
          const stopped = yield* work(disk, crashAt, acknowledged)
          const found = disk.after(end)
          const resumed = yield* work(found, undefined, acknowledged)
          const context = `crash at ${crashAt}: ${JSON.stringify(resumed.exit)}`
          expect(Exit.isFailure(stopped.exit), context).toBe(true)
          expect(Exit.isSuccess(resumed.exit), context).toBe(true)
          expect(records(found), context).toEqual(records(undisturbed))
          expectNothingLost(found, acknowledged)
          const left = Object.keys(found.files()).filter((path) => /lock|tmp/.test(path))
          expect(left, context).toEqual([])
        }
      }))
  }

  it.effect("resumes after a second crash at any operation of the recovery", () =>
    Effect.gen(function*() {
      const undisturbed = new MemoryDisk()
      yield* work(undisturbed, undefined, new Set())
      const recorded = `${lineOf(episode(3, 1))}\n`
      for (const end of ["kill", "power failure"] as const) {
        const acknowledged = new Set<string>()
        const first = yield* crashedOnce((disk) => disk.text(`${folder}/episodes.jsonl`)?.endsWith(recorded) ?? false)
        const recovery = yield* work(first(end), undefined, acknowledged, 3)
        for (let crashAt = 0; crashAt < recovery.operations; crashAt++) {
          const disk = first(end)
          yield* work(disk, crashAt, acknowledged)
          const again = disk.after(end)
          const duringRecovery = again.text(`${folder}/journal.jsonl`)?.split("opened").length === 2
          const context = `second crash at ${crashAt}`
          expect(Exit.isSuccess((yield* work(again, undefined, acknowledged)).exit), context).toBe(true)
          expect(records(again), context).toEqual(records(undisturbed))
          const setAside = again.text(`${folder}/superseded.jsonl`)?.split("\n") ?? []
          expect(setAside.filter((line) => line !== "" && !acknowledged.has(line)), context).toEqual([])
          if (duringRecovery) expect(new Set(setAside).size, context).toBe(setAside.length)
        }
      }
    }))

  it.effect("raises maxSteps of a finished run, whatever operation of that is interrupted", () =>
    Effect.gen(function*() {
      const undisturbed = new MemoryDisk()
      yield* work(undisturbed, undefined, new Set(), 5)
      const finished = new MemoryDisk()
      yield* work(finished, undefined, new Set(), 3)
      const extension = yield* work(finished.after("kill"), undefined, new Set(), 5)
      for (let crashAt = 0; crashAt < extension.operations; crashAt++) {
        const disk = finished.after("kill")
        yield* work(disk, crashAt, new Set(), 5)
        const again = disk.after("power failure")
        yield* work(again, undefined, new Set(), 5)
        expect(records(again), `crash at ${crashAt}`).toEqual(records(undisturbed))
      }
    }))
})
