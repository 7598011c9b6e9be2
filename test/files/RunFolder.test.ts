import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Stream from "effect/Stream"
import type { JournalEvent } from "../../src/domain/RunRecords.js"
import type { TrainSettings } from "../../src/domain/Settings.js"
import {
  layerRunFolder,
  readEpisodes,
  readJournal,
  readMetrics,
  readRunConfig,
  readSettings
} from "../../src/files/index.js"
import type { RunRequest } from "../../src/services/RunStore.js"
import { RunStore } from "../../src/services/RunStore.js"
import { episode, metricsOf, trainSettings } from "./samples.js"

const layer = Layer.provideMerge(layerRunFolder, NodeContext.layer)

/** A folder for runs, and what is done in it. */
const inFolder = <A, E>(
  use: (folder: Folder) => Effect.Effect<A, E, RunStore | NodeContext.NodeContext>
) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const store = yield* RunStore
    const runDir = yield* fs.makeTempDirectoryScoped()
    const request = (changes: Partial<TrainSettings> = {}): RunRequest => ({
      settings: { ...trainSettings, runDir, ...changes },
      manifestHash: "games-1",
      policy: "embedded:tiny",
      resume: false
    })
    const run = `${runDir}/first`
    const file = (name: string) => `${run}/${name}`
    return yield* use({
      runDir,
      run,
      request,
      open: (given) => store.open(given),
      /** A closed run: events and records of steps, in the order given. */
      make: (parts) =>
        Effect.scoped(Effect.gen(function*() {
          const made = yield* store.open(request())
          for (const part of parts) {
            if (typeof part !== "number") yield* made.journal(part)
            else yield* made.recordUpdate(part, [episode(part, 0), episode(part, 1)], metricsOf(part))
          }
        })),
      refused: (given) =>
        Effect.map(Effect.flip(Effect.scoped(store.open(given))), (error) => error.message),
      text: (name) => fs.readFileString(file(name)).pipe(Effect.orElseSucceed(() => "absent")),
      append: (name, text) => fs.writeFileString(file(name), text, { flag: "a" }).pipe(Effect.orDie),
      replace: (name, text) => fs.writeFileString(file(name), text).pipe(Effect.orDie)
    })
  }).pipe(Effect.scoped, Effect.provide(layer), Logger.withMinimumLogLevel(LogLevel.None))

interface Folder {
  readonly runDir: string
  readonly run: string
  readonly request: (changes?: Partial<TrainSettings>) => RunRequest
  readonly open: RunStore["Type"]["open"]
  readonly make: (parts: ReadonlyArray<number | JournalEvent>) => Effect.Effect<void, unknown>
  readonly refused: (request: RunRequest) => Effect.Effect<string, unknown>
  readonly text: (name: string) => Effect.Effect<string>
  readonly append: (name: string, text: string) => Effect.Effect<void>
  readonly replace: (name: string, text: string) => Effect.Effect<void>
}

const saved = (step: number): JournalEvent => ({
  _tag: "saved",
  step,
  statePath: `embedded://first/state/step-${step}`,
  samplerPath: `embedded://first/weights/step-${step}`
})

const stepsIn = (text: string) => text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).step)

describe("a new run", () => {
  it.effect("is a folder with the configuration and one line a record, equal for equal runs", () =>
    inFolder(({ make, run, runDir, text }) =>
      Effect.gen(function*() {
        yield* make([{ _tag: "opened", step: 0 }, 1, 2, saved(2)])
        expect(yield* text("metrics.jsonl")).toBe(
          "{\"step\":1,\"train/success_rate\":0.3333333333333333,\"credit/weight_mean\":2}\n" +
            "{\"step\":2,\"train/success_rate\":0.25,\"credit/weight_mean\":3}\n"
        )
        expect(stepsIn(yield* text("episodes.jsonl"))).toEqual([1, 1, 2, 2])
        const config = yield* readRunConfig(run)
        expect(config.settings).toEqual({ ...trainSettings, runDir })
        expect(config.manifestHash).toBe("games-1")
        expect(config.policy).toBe("embedded:tiny")
        expect(config.versions.node).toBe(process.versions.node)
        expect(config.versions.agentopsd).toMatch(/^\d+\.\d+\.\d+/)
        expect(config.versions.effect).toMatch(/^3\./)
        const names = yield* (yield* FileSystem.FileSystem).readDirectory(run)
        expect(names.sort()).toEqual(["config.json", "episodes.jsonl", "journal.jsonl", "metrics.jsonl"])
      })
    ))

  it.effect("refuses a run of that name, a folder with anything in it, and its own process twice", () =>
    inFolder(({ make, open, refused, request, run, runDir }) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* make([])
        expect(yield* refused(request())).toBe(
          `${run}: there is a run of this name already. ` +
            `Choose another --run-name, or go on with it: agentopsd train --resume ${run}.`
        )
        yield* fs.makeDirectory(`${runDir}/taken`)
        yield* fs.writeFileString(`${runDir}/taken/letter.txt`, "mine")
        expect(yield* refused(request({ runName: "taken" }))).toContain("the folder is not empty")
        expect(yield* fs.readDirectory(`${runDir}/taken`)).toEqual(["letter.txt"])
        yield* fs.makeDirectory(`${runDir}/empty`)
        yield* Effect.scoped(open(request({ runName: "empty" })))
        yield* Effect.scoped(Effect.gen(function*() {
          yield* open({ ...request(), resume: true })
          expect(yield* refused({ ...request(), resume: true })).toContain("is using it already")
        }))
      })
    ))

  it.effect("refuses what cannot be recorded, and a step that was recorded", () =>
    inFolder(({ open, request, text }) =>
      Effect.gen(function*() {
        const run = yield* open(request())
        yield* run.recordUpdate(1, [episode(1, 0)], metricsOf(1))
        const again = yield* Effect.flip(run.recordUpdate(1, [], metricsOf(1)))
        expect(again.message).toContain("step 1 was to be recorded after step 1")
        const invalid = yield* Effect.flip(run.recordUpdate(2, [episode(2, 0)], { "train/loss": Number.NaN }))
        expect(invalid.message).toContain("train/loss")
        yield* run.recordUpdate(2, [], metricsOf(2))
        expect(stepsIn(yield* text("episodes.jsonl"))).toEqual([1])
        expect(stepsIn(yield* text("metrics.jsonl"))).toEqual([1, 2])
      }).pipe(Effect.scoped)
    ))
})

describe("a resumed run", () => {
  it.effect("goes on from its last saved state and sets later records aside", () =>
    inFolder(({ make, open, request, text }) =>
      Effect.gen(function*() {
        yield* make([{ _tag: "opened", step: 0 }, 1, 2, saved(2), 3, 4])
        const whole = { metrics: yield* text("metrics.jsonl"), episodes: yield* text("episodes.jsonl") }
        const run = yield* open({ ...request(), resume: true })
        expect(run.checkpoint?.step).toBe(2)
        expect(run.checkpoint?.statePath).toBe("embedded://first/state/step-2")
        expect(run.finished).toBe(false)
        const kept = { metrics: yield* text("metrics.jsonl"), episodes: yield* text("episodes.jsonl") }
        expect(stepsIn(kept.metrics)).toEqual([1, 2])
        expect(stepsIn(kept.episodes)).toEqual([1, 1, 2, 2])
        const superseded = yield* text("superseded.jsonl")
        expect(superseded).toBe(whole.episodes.slice(kept.episodes.length) + whole.metrics.slice(kept.metrics.length))
        yield* run.recordUpdate(3, [episode(3, 0), episode(3, 1)], metricsOf(3))
        yield* run.recordUpdate(4, [episode(4, 0), episode(4, 1)], metricsOf(4))
        expect(yield* text("metrics.jsonl")).toBe(whole.metrics)
        expect(yield* text("episodes.jsonl")).toBe(whole.episodes)
      }).pipe(Effect.scoped)
    ))

  it.effect("without a saved state begins again", () =>
    inFolder(({ make, open, request, text }) =>
      Effect.gen(function*() {
        yield* make([{ _tag: "opened", step: 0 }, 1])
        const run = yield* open({ ...request(), resume: true })
        expect(run.checkpoint).toBeUndefined()
        expect(yield* text("metrics.jsonl")).toBe("")
        expect(stepsIn(yield* text("superseded.jsonl"))).toEqual([1, 1, 1])
      }).pipe(Effect.scoped)
    ))

  it.effect("does not take a saved state whose records are missing or were set aside since", () =>
    inFolder(({ make, open, request }) =>
      Effect.gen(function*() {
        yield* make([{ _tag: "opened", step: 0 }, 1, saved(1), 2, saved(2), saved(3)])
        yield* Effect.scoped(Effect.gen(function*() {
          const run = yield* open({ ...request(), resume: true })
          expect(run.checkpoint?.step).toBe(2)
          yield* run.journal({ _tag: "opened", step: 2 })
          yield* run.recordUpdate(3, [], metricsOf(3))
        }))
        const run = yield* open({ ...request(), resume: true })
        expect(run.checkpoint?.step).toBe(2)
      }).pipe(Effect.scoped)
    ))

  it.effect("is finished when all its steps were, and goes on when maxSteps is raised", () =>
    inFolder(({ make, open, refused, request, runDir, text }) =>
      Effect.gen(function*() {
        yield* make([1, 2, 3, 4, 5, saved(5), { _tag: "finished", step: 5 }])
        const before = yield* text("metrics.jsonl")
        const same = yield* Effect.scoped(open({ ...request(), resume: true }))
        expect(same.finished).toBe(true)
        expect(yield* text("metrics.jsonl")).toBe(before)
        const longer = yield* Effect.scoped(open({ ...request({ maxSteps: 8 }), resume: true }))
        expect(longer.finished).toBe(false)
        expect(longer.checkpoint?.step).toBe(5)
        expect((yield* readSettings("first", runDir)).maxSteps).toBe(8)
        expect(yield* refused({ ...request(), resume: true })).toContain("settings.maxSteps was 8 and is now 5")
      })
    ))

  it.effect("refuses another configuration, naming each difference with both values", () =>
    inFolder(({ make, refused, request, runDir }) =>
      Effect.gen(function*() {
        yield* make([])
        const message = yield* refused({
          ...request({ seed: 8, dataRoot: "/games", maxSteps: 9 }),
          manifestHash: "games-2",
          policy: "other",
          resume: true
        })
        expect(message).toContain(
          "settings.dataRoot was null and is now \"/games\"; settings.seed was 7 and is now 8; " +
            "manifestHash was \"games-1\" and is now \"games-2\"; policy was \"embedded:tiny\" and is now \"other\""
        )
        expect(message).not.toContain("maxSteps was")
        expect((yield* readSettings("first", runDir)).maxSteps).toBe(5)
        const absent = { ...request({ runName: "absent" }), resume: true }
        expect(yield* refused(absent)).toContain("there is no run to resume")
        expect(yield* (yield* FileSystem.FileSystem).exists(`${runDir}/absent`)).toBe(false)
      })
    ))

  it.effect("repairs torn last lines of all files and nothing else", () =>
    inFolder(({ append, make, open, refused, replace, request, text }) =>
      Effect.gen(function*() {
        const resume = { ...request(), resume: true }
        yield* make([1, saved(1)])
        const whole = yield* Effect.forEach(["metrics.jsonl", "episodes.jsonl", "journal.jsonl"], (name) =>
          Effect.map(text(name), (before) => ({ name, before })))
        for (const torn of ["{\"step\":", "{\"step\":2\n", "\0\0\0"]) {
          yield* Effect.forEach(whole, ({ name }) =>
            append(name, torn))
          expect((yield* Effect.scoped(open(resume))).checkpoint?.step).toBe(1)
          for (const { before, name } of whole) expect(yield* text(name)).toBe(before)
        }
        for (const { before, name } of whole) {
          yield* replace(name, before.slice(0, -1))
          yield* Effect.scoped(open(resume))
          expect(yield* text(name)).toBe(before)
          yield* replace(name, `{"step":\n${before}`)
          expect(yield* refused(resume)).toContain(`${name}: line 1 is damaged: it is not JSON`)
          yield* replace(name, `${before}{"step":-1}\n`)
          expect(yield* refused(resume)).toMatch(/line \d is damaged: .*(step|_tag)/)
          yield* replace(name, before)
        }
        yield* replace("metrics.jsonl", "{\"step\":2}\n{\"step\":1}\n")
        expect(yield* refused(resume)).toContain("line 2 records step 1 after step 2")
      })
    ))
})

describe("reading runs", () => {
  it.effect("finds a run by name or path, and its settings with the folder it lies in", () =>
    inFolder(({ make, run, runDir }) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* make([])
        const settings = { ...trainSettings, runDir }
        expect(yield* readSettings("first", runDir)).toEqual(settings)
        expect(yield* readSettings(run, "runs")).toEqual(settings)
        expect(yield* readSettings(`${run}/`, "runs")).toEqual(settings)
        yield* fs.makeDirectory(`${runDir}/moved`)
        yield* fs.rename(run, `${runDir}/moved/first`)
        const moved = yield* readSettings(`${runDir}/moved/first`, "runs")
        expect(moved.runDir).toBe(`${runDir}/moved`)
        const store = yield* RunStore
        yield* Effect.scoped(
          store.open({ settings: moved, manifestHash: "games-1", policy: "embedded:tiny", resume: true })
        )
        yield* fs.rename(`${runDir}/moved/first`, `${runDir}/moved/second`)
        expect((yield* Effect.flip(readSettings("second", `${runDir}/moved`))).message).toContain(
          "Name the folder first again"
        )
        expect((yield* Effect.flip(readSettings("absent", runDir))).message).toContain(
          `neither ${runDir}/absent/config.json nor absent/config.json exists`
        )
        yield* fs.writeFileString(`${runDir}/moved/second/config.json`, "{\"settings\":{}}")
        expect((yield* Effect.flip(readSettings("second", `${runDir}/moved`))).message).toContain("settings.backend")
      })
    ))

  it.effect("gives the records of a run at work, without a line that is being written", () =>
    inFolder(({ append, open, request, run }) =>
      Effect.gen(function*() {
        const opened = yield* open(request())
        yield* opened.journal({ _tag: "opened", step: 0 })
        yield* opened.recordUpdate(1, [episode(1, 0), episode(1, 1)], metricsOf(1))
        yield* append("metrics.jsonl", "{\"step\":2,\"tr")
        expect(Chunk.toArray(yield* Stream.runCollect(readMetrics(run)))).toEqual([{ step: 1, ...metricsOf(1) }])
        expect(Chunk.toArray(yield* Stream.runCollect(readEpisodes(run)))).toEqual([episode(1, 0), episode(1, 1)])
        expect(Chunk.toArray(yield* Stream.runCollect(readJournal(run)))).toEqual([{ _tag: "opened", step: 0 }])
        const absent = yield* Effect.flip(Stream.runDrain(readMetrics(`${run}-absent`)))
        expect(absent.message).toContain("it could not be read")
      }).pipe(Effect.scoped)
    ))
})
