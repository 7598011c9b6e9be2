import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { EvaluationConfiguration } from "../../src/domain/EvaluationRecords.js"
import type { EvalSettings } from "../../src/domain/Settings.js"
import { layerEvaluationFiles } from "../../src/files/index.js"
import { EvaluationStore } from "../../src/services/EvaluationStore.js"
import { sharedDir } from "../shared.js"
import { configuration, gameRecord, summary } from "./samples.js"

const layer = Layer.provideMerge(layerEvaluationFiles, NodeContext.layer)

interface Place {
  readonly output: string
  readonly fs: FileSystem.FileSystem
  readonly given: (changes?: Partial<EvalSettings>) => EvaluationConfiguration
  readonly open: EvaluationStore["Type"]["open"]
  /** Opens, appends games of the given numbers, and completes where asked. */
  readonly evaluate: (
    games: ReadonlyArray<number>,
    complete: boolean,
    changes?: Partial<EvalSettings>
  ) => Effect.Effect<ReadonlyArray<number>, unknown>
  readonly refused: (configuration: EvaluationConfiguration) => Effect.Effect<string, unknown>
  readonly text: Effect.Effect<string>
}

const inPlace = <A, E>(use: (place: Place) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const store = yield* EvaluationStore
    const output = `${yield* fs.makeTempDirectoryScoped()}/some/new/folder/eval.jsonl`
    const given = (changes: Partial<EvalSettings> = {}) => configuration({ output, ...changes })
    return yield* use({
      output,
      fs,
      given,
      open: (asked) => store.open(asked),
      evaluate: (games, complete, changes) =>
        Effect.scoped(Effect.gen(function*() {
          const file = yield* store.open(given(changes))
          yield* Effect.forEach(games, (game) => file.append(gameRecord(game)), { concurrency: "unbounded" })
          if (complete) yield* file.complete(summary)
          return file.finished.map((record) => record.group_index)
        })),
      refused: (asked) => Effect.map(Effect.flip(Effect.scoped(store.open(asked))), (error) => error.message),
      text: fs.readFileString(output).pipe(Effect.orElseSucceed(() => "absent"))
    })
  }).pipe(Effect.scoped, Effect.provide(layer), Logger.withMinimumLogLevel(LogLevel.None))

const gamesIn = (text: string) =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)).map((line) =>
    line.group_index ?? line.type
  )

describe("an evaluation file", () => {
  it.effect("holds the configuration, the games in order and the summary, in whatever order they ended", () =>
    inPlace(({ evaluate, fs, output, text }) =>
      Effect.gen(function*() {
        yield* evaluate([2, 0, 3, 1], true)
        const first = yield* text
        expect(gamesIn(first)).toEqual(["configuration", 0, 1, 2, 3, "summary"])
        expect(yield* fs.readDirectory(output.slice(0, output.lastIndexOf("/")))).toEqual(["eval.jsonl"])
        yield* fs.remove(output)
        yield* evaluate([3, 1], false)
        expect(yield* evaluate([2, 0], true)).toEqual([3, 1])
        expect(yield* text).toBe(first)
      })
    ))

  it.effect("goes on although how it is run differs, and completes with how it was run last", () =>
    inPlace(({ evaluate, fs, open, output, given, text }) =>
      Effect.gen(function*() {
        yield* evaluate([0], false)
        const changes = { gamesPerBatch: 1, runName: "again", overwriteOutput: true }
        const moved = `${output}.moved`
        yield* fs.rename(output, moved)
        const file = yield* Effect.scoped(open(given({ ...changes, output: moved })))
        expect(file.finished).toEqual([gameRecord(0)])
        yield* fs.rename(moved, output)
        yield* evaluate([1], true, changes)
        const continued = yield* text
        yield* fs.remove(output)
        yield* evaluate([0, 1], true, changes)
        expect(yield* text).toBe(continued)
      })
    ))

  it.effect("of another configuration is refused, naming what differs, or replaced where asked", () =>
    inPlace(({ evaluate, given, output, refused, text }) =>
      Effect.gen(function*() {
        yield* evaluate([0, 1], false)
        const before = yield* text
        const other = { ...given({ temperature: 1, split: "valid_seen" }), manifests: { valid_seen: "other" } }
        expect(yield* refused(other)).toBe(
          `${output}: it holds another evaluation: settings.split was "all" and is now "valid_seen"; ` +
            `settings.temperature was 0 and is now 1; manifests.valid_seen was "abc" and is now "other"; ` +
            `manifests.valid_unseen was "def" and is now absent. ` +
            `Choose another --output, or replace it with --overwrite-output.`
        )
        expect(yield* refused({ ...given(), policy_snapshot_id: "embedded:other" })).toContain("policy_snapshot_id was")
        expect(yield* text).toBe(before)
        expect(yield* evaluate([5], false, { temperature: 1, overwriteOutput: true })).toEqual([])
        expect(gamesIn(yield* text)).toEqual(["configuration", 5])
      })
    ))

  it.effect("that is complete is protected, or replaced where asked", () =>
    inPlace(({ evaluate, given, refused, text }) =>
      Effect.gen(function*() {
        yield* evaluate([0, 1], true)
        const before = yield* text
        expect(yield* refused(given())).toContain("the evaluation there is complete")
        expect(yield* refused(given({ seed: 1 }))).toContain("settings.seed was 7 and is now 1")
        expect(yield* text).toBe(before)
        expect(yield* evaluate([0], false, { overwriteOutput: true })).toEqual([])
        // The same command once more goes on with its own unfinished file.
        expect(yield* evaluate([1], true, { overwriteOutput: true })).toEqual([0])
        expect(gamesIn(yield* text)).toEqual(gamesIn(before))
      })
    ))

  it.effect("is repaired where its last line is torn and refused where it is damaged", () =>
    inPlace(({ evaluate, fs, given, output, refused, text }) =>
      Effect.gen(function*() {
        yield* evaluate([0, 1], false)
        const before = yield* text
        yield* fs.writeFileString(output, `${before}{"type":"traj`)
        expect(yield* evaluate([], false)).toEqual([0, 1])
        expect(yield* text).toBe(before)
        yield* fs.writeFileString(output, `${before}{"type":"traj\n{}\n`)
        expect(yield* refused(given())).toContain("line 4 is damaged: it is not JSON")
        yield* fs.writeFileString(output, `${before}{"type":"trajectory"}\n`)
        expect(yield* refused(given())).toContain("line 4 is damaged: game_id: is missing")
      })
    ))

  it.effect("that is not ours is never touched, whatever is asked", () =>
    inPlace(({ evaluate, fs, given, output, refused, text }) =>
      Effect.gen(function*() {
        yield* fs.makeDirectory(output.slice(0, output.lastIndexOf("/")), { recursive: true })
        const reference = sharedDir("reference-eval")
        const others = ["# notes\n", "{}\n", "{\"type\":\"configuration", "{\"type\":\"trajectory\"}\n", "\0\0", "[1]"]
        if (reference !== undefined) {
          others.push(yield* fs.readFileString(`${reference}/base-qwen35-4b-eval.jsonl`))
        }
        for (const other of others) {
          yield* fs.writeFileString(output, other)
          for (const overwriteOutput of [false, true]) {
            expect(yield* refused(given({ overwriteOutput }))).toContain("was not written by an evaluation")
          }
          expect(yield* text).toBe(other)
        }
        yield* fs.writeFileString(output, "")
        expect(yield* evaluate([0], true)).toEqual([])
        yield* fs.makeDirectory(`${output}.folder`)
        expect(yield* refused(given({ output: `${output}.folder` }))).toContain("it is not a file")
      })
    ))

  it.effect("is used by one at a time, and takes nothing after its end", () =>
    inPlace(({ given, open, output, refused, text }) =>
      Effect.gen(function*() {
        const file = yield* open(given())
        expect(yield* refused(given())).toContain(`${output}.lock: this process`)
        yield* file.complete(summary)
        const before = yield* text
        expect((yield* Effect.flip(file.append(gameRecord(0)))).message).toContain("takes no more lines")
        expect((yield* Effect.flip(file.complete(summary))).message).toContain("takes no more lines")
        expect(yield* text).toBe(before)
      }).pipe(Effect.scoped)
    ))
})
