import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Metrics } from "../domain/Metrics.js"
import { EpisodeRecord, JournalEvent, MetricsRecord } from "../domain/RunRecords.js"
import type { Run, RunRequest } from "../services/RunStore.js"
import { RunStore, RunStoreError } from "../services/RunStore.js"
import { ensureFolder, syncFolder } from "./DurableFiles.js"
import { cannotRead } from "./FileFailure.js"
import { encodeLines, openWriter } from "./JsonlFile.js"
import { holdLock } from "./Lock.js"
import { releaseOnFailure } from "./ReleaseOnFailure.js"
import { configName, continueRunConfig, isRun, writeRunConfig } from "./RunConfig.js"
import { runFiles } from "./RunFiles.js"
import type { Recovered } from "./RunRecovery.js"
import { recover } from "./RunRecovery.js"

const lockName = "run.lock"

const refuseOccupied = Effect.fn("RunFolder.refuseOccupied")(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const failure = Effect.mapError(cannotRead(folder))
  if (!(yield* failure(fs.exists(folder)))) return
  const names = yield* failure(fs.readDirectory(folder))
  // A process that was killed while it made the run leaves these behind and nothing else.
  const own = (name: string) => name === `${configName}.tmp` || name === lockName || name.startsWith(`${lockName}.`)
  if (names.every(own)) return
  return yield* new RunStoreError({
    path: folder,
    reason: names.includes(configName) ? "there is a run of this name already" : "the folder is not empty",
    fix: names.includes(configName)
      ? `Choose another --run-name, or go on with it: agentopsd train --resume ${folder}.`
      : "Choose another --run-name."
  })
})

const create = Effect.fn("RunFolder.create")(function*(folder: string, request: RunRequest) {
  yield* refuseOccupied(folder)
  yield* ensureFolder(folder)
  const path = yield* Path.Path
  yield* holdLock(path.join(folder, lockName))
  yield* refuseOccupied(folder)
  yield* writeRunConfig(folder, request)
  const fresh: Recovered = { checkpoint: undefined, finished: false, lastStep: 0 }
  return fresh
})

const resume = Effect.fn("RunFolder.resume")(function*(folder: string, request: RunRequest) {
  const path = yield* Path.Path
  if (!(yield* isRun(folder))) {
    return yield* new RunStoreError({
      path: folder,
      reason: `there is no run to resume (it has no ${configName})`,
      fix: "Start it without --resume."
    })
  }
  yield* holdLock(path.join(folder, lockName))
  yield* continueRunConfig(folder, request)
  return yield* recover(runFiles(path, folder), request.settings.maxSteps)
})

const open = Effect.fn("RunFolder.open")(function*(request: RunRequest) {
  const path = yield* Path.Path
  const folder = path.join(request.settings.runDir, request.settings.runName)
  const files = runFiles(path, folder)
  const recovered = yield* request.resume ? resume(folder, request) : create(folder, request)
  const episodes = yield* openWriter(files.episodes)
  const metrics = yield* openWriter(files.metrics)
  const journal = yield* openWriter(files.journal)
  yield* syncFolder(folder)

  let lastStep = recovered.lastStep
  const run: Run = {
    place: folder,
    checkpoint: recovered.checkpoint,
    finished: recovered.finished,
    recordUpdate: Effect.fn("Run.recordUpdate")(
      function*(step: number, records: ReadonlyArray<EpisodeRecord>, values: Metrics) {
        if (step <= lastStep) {
          return yield* new RunStoreError({
            path: files.metrics,
            reason: `step ${step} was to be recorded after step ${lastStep}`,
            fix: "This is a fault of the program: each step is recorded once, in order."
          })
        }
        const episodeLines = yield* encodeLines(EpisodeRecord, files.episodes, records)
        const metricsLine = yield* encodeLines(MetricsRecord, files.metrics, [{ step, ...values }])
        lastStep = step
        yield* episodes.append(episodeLines)
        yield* metrics.append(metricsLine)
      }
    ),
    journal: Effect.fn("Run.journal")(function*(event: JournalEvent) {
      yield* journal.append(yield* encodeLines(JournalEvent, files.journal, [event]))
    })
  }
  return run
})

/**
 * Keeps each run in the folder `<runDir>/<runName>/`:
 *
 * - `config.json`: settings, hash of the games, the policy's identity and versions (`RunConfig`);
 * - `metrics.jsonl`: one `MetricsRecord` an update;
 * - `episodes.jsonl`: one `EpisodeRecord` a trajectory;
 * - `journal.jsonl`: one `JournalEvent` a line;
 * - `superseded.jsonl`: metrics and episodes that a stopped run had recorded after its last saved state, in the
 *   order in which they were set aside; absent where there are none;
 * - `run.lock`: while a process has the run open.
 *
 * What was recorded is on the disk before the effect that records it ends. A process may be killed at any moment;
 * the folder can then be resumed, or, before `config.json` is there, the run be started again.
 */
export const layerRunFolder: Layer.Layer<RunStore, never, FileSystem.FileSystem | Path.Path> = Layer.effect(
  RunStore,
  Effect.map(Effect.context<FileSystem.FileSystem | Path.Path>(), (context) => ({
    open: (request: RunRequest) =>
      Effect.mapInputContext(
        releaseOnFailure(open(request)),
        (scope: Context.Context<Scope.Scope>) => Context.merge(context, scope)
      )
  }))
)
