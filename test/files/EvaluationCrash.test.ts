import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { layerEvaluationFiles } from "../../src/files/EvaluationFiles.js"
import { Processes } from "../../src/files/LockOwner.js"
import { EvaluationStore } from "../../src/services/EvaluationStore.js"
import { MemoryDisk } from "./MemoryDisk.js"
import { configuration, gameRecord, summary } from "./samples.js"

const output = "/results/eval.jsonl"
const games = 4

/** Evaluates what is not yet in the file, in an order of its own. */
const evaluate = (acknowledged: Set<number>, order: ReadonlyArray<number>) =>
  Effect.scoped(Effect.gen(function*() {
    const file = yield* (yield* EvaluationStore).open(configuration())
    const finished = new Set(file.finished.map((record) => record.group_index))
    const missing = [...acknowledged].filter((index) => !finished.has(index))
    for (const index of order) {
      if (finished.has(index)) continue
      yield* file.append(gameRecord(index))
      acknowledged.add(index)
    }
    yield* file.complete(summary)
    return missing
  }))

let ids = 0

const work = (disk: MemoryDisk, crashAt: number | undefined, acknowledged: Set<number>, order: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const { fileSystem, operations } = disk.open(crashAt === undefined ? {} : { crashAt })
    const id = `process-${ids++}`
    const exit = yield* Effect.exit(evaluate(acknowledged, order)).pipe(
      Effect.provide(Layer.provide(
        layerEvaluationFiles,
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

describe("an evaluation file after a crash", () => {
  for (const end of ["kill", "power failure"] as const) {
    it.effect(`goes on to the file of an undisturbed evaluation after a ${end} at any operation`, () =>
      Effect.gen(function*() {
        const undisturbed = new MemoryDisk()
        const whole = yield* work(undisturbed, undefined, new Set(), [...Array(games).keys()])
        for (let crashAt = 0; crashAt < whole.operations; crashAt++) {
          const acknowledged = new Set<number>()
          const disk = new MemoryDisk()
          yield* work(disk, crashAt, acknowledged, [3, 1, 0, 2])
          const found = disk.after(end)
          const text = found.text(output)
          const resumed = yield* work(found, undefined, acknowledged, [3, 2, 1, 0])
          const context = `crash at ${crashAt}: ${JSON.stringify(resumed.exit)}`
          if (text === undefined || text !== undisturbed.text(output)) {
            expect(resumed.exit, context).toEqual(Exit.succeed([]))
          } else {
            expect(Exit.isFailure(resumed.exit), context).toBe(true)
          }
          expect(found.files(), context).toEqual(undisturbed.files())
        }
      }))
  }
})
