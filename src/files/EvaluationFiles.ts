import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { EvaluationConfiguration, EvaluationRecord, EvaluationSummary } from "../domain/EvaluationRecords.js"
import type { EvaluationFile } from "../services/EvaluationStore.js"
import { EvaluationStore } from "../services/EvaluationStore.js"
import { RunStoreError } from "../services/RunStore.js"
import { describeDifferences, differences } from "./Differences.js"
import { ensureFolder, replaceFile } from "./DurableFiles.js"
import { cannotRead } from "./FileFailure.js"
import { decodeLine, encodeLines, firstItem, mendJsonl, openWriter, readRecords } from "./JsonlFile.js"
import { holdLock } from "./Lock.js"
import { releaseOnFailure } from "./ReleaseOnFailure.js"

/** Settings that change no record: an evaluation goes on although they differ. */
const immaterial = ["overwriteOutput", "gamesPerBatch", "runName", "output"].map((name) => `settings.${name}`)

const Typed = Schema.Struct({ type: Schema.String })

const isConfiguration = (value: unknown) => Schema.is(Typed)(value) && value.type === "configuration"

/** What stands at the place of the output. */
type Existing =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Evaluation"; readonly configuration: unknown }

const lookAt = Effect.fn("EvaluationFiles.lookAt")(function*(output: string) {
  const fs = yield* FileSystem.FileSystem
  const failure = Effect.mapError(cannotRead(output))
  const nothing: Existing = { _tag: "Nothing" }
  if (!(yield* failure(fs.exists(output)))) return nothing
  const info = yield* failure(fs.stat(output))
  if (info.type !== "File") {
    return yield* new RunStoreError({ path: output, reason: "it is not a file", fix: "Choose another --output." })
  }
  if (Number(info.size) === 0) return nothing
  const first = yield* firstItem(output)
  if (Option.isSome(first) && first.value._tag === "Line" && isConfiguration(first.value.value)) {
    const evaluation: Existing = { _tag: "Evaluation", configuration: first.value.value }
    return evaluation
  }
  return yield* new RunStoreError({
    path: output,
    reason: "the file there was not written by an evaluation of this program (its first line is no configuration)",
    fix: "Choose another --output, or move the file away."
  })
})

/** Records of a stopped evaluation, and whether it was complete after all. */
const readFinished = Effect.fn("EvaluationFiles.readFinished")(function*(output: string) {
  const records: Array<EvaluationRecord> = []
  let complete = false
  yield* mendJsonl(output, (line) =>
    Effect.gen(function*() {
      const { type } = yield* decodeLine(Typed, output, line)
      if (type === "summary") complete = true
      if (type === "trajectory") records.push(yield* decodeLine(EvaluationRecord, output, line))
    }))
  return { records, complete }
})

const start = Effect.fn("EvaluationFiles.start")(function*(configuration: EvaluationConfiguration) {
  const { output } = configuration.settings
  const text = yield* encodeLines(EvaluationConfiguration, output, [configuration])
  yield* replaceFile(output, Stream.succeed(new TextEncoder().encode(text)))
  const none: ReadonlyArray<EvaluationRecord> = []
  return none
})

/** The records to go on from; refuses what may not be gone on with. */
const startOrContinue = Effect.fn("EvaluationFiles.startOrContinue")(function*(
  configuration: EvaluationConfiguration
) {
  const { output, overwriteOutput } = configuration.settings
  const existing = yield* lookAt(output)
  if (existing._tag === "Nothing") return yield* start(configuration)

  const changed = differences(existing.configuration, Schema.encodeSync(EvaluationConfiguration)(configuration))
    .filter(({ path }) => !immaterial.includes(path))
  if (changed.length > 0 && overwriteOutput) return yield* start(configuration)
  if (changed.length > 0) {
    return yield* new RunStoreError({
      path: output,
      reason: `it holds another evaluation: ${describeDifferences(changed)}`,
      fix: "Choose another --output, or replace it with --overwrite-output."
    })
  }
  const { complete, records } = yield* readFinished(output)
  if (complete && overwriteOutput) return yield* start(configuration)
  if (complete) {
    return yield* new RunStoreError({
      path: output,
      reason: "the evaluation there is complete",
      fix: "Choose another --output, or replace it with --overwrite-output."
    })
  }
  return records
})

/** All lines of the complete file, in their order. */
const completeText = Effect.fn("EvaluationFiles.completeText")(function*(
  configuration: EvaluationConfiguration,
  summary: EvaluationSummary
) {
  const { output } = configuration.settings
  const Line = Schema.Union(EvaluationConfiguration, EvaluationRecord)
  const lines = yield* Stream.runCollect(readRecords(Line, output))
  const records = [...lines].filter((line) => line.type === "trajectory").sort(byPlace)
  const first = yield* encodeLines(EvaluationConfiguration, output, [configuration])
  const middle = yield* encodeLines(EvaluationRecord, output, records)
  const last = yield* encodeLines(EvaluationSummary, output, [summary])
  return first + middle + last
})

const byPlace = (one: EvaluationRecord, other: EvaluationRecord): number =>
  one.group_index - other.group_index || compare(one.split, other.split) || compare(one.game_id, other.game_id)

const compare = (one: string, other: string): number => one < other ? -1 : one > other ? 1 : 0

const open = Effect.fn("EvaluationFiles.open")(function*(configuration: EvaluationConfiguration) {
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const { output } = configuration.settings
  yield* ensureFolder(path.dirname(output))
  yield* holdLock(`${output}.lock`)
  const finished = yield* startOrContinue(configuration)
  const writer = yield* openWriter(output)
  const turn = yield* Effect.makeSemaphore(1)
  let complete = false

  const refuseComplete = Effect.suspend(() =>
    complete
      ? Effect.fail(
        new RunStoreError({
          path: output,
          reason: "the evaluation was completed and takes no more lines",
          fix: "This is a fault of the program: complete is called once, after the last game."
        })
      )
      : Effect.void
  )
  const file: EvaluationFile = {
    place: output,
    finished,
    append: Effect.fn("EvaluationFile.append")(function*(record: EvaluationRecord) {
      yield* refuseComplete
      yield* writer.append(yield* encodeLines(EvaluationRecord, output, [record]))
    }, turn.withPermits(1)),
    complete: Effect.fn("EvaluationFile.complete")(
      function*(summary: EvaluationSummary) {
        yield* refuseComplete
        const text = yield* completeText(configuration, summary)
        yield* replaceFile(output, Stream.succeed(new TextEncoder().encode(text)))
        complete = true
      },
      Effect.uninterruptible,
      turn.withPermits(1),
      Effect.provide(context)
    )
  }
  return file
})

/**
 * Keeps each evaluation in the JSON Lines file `settings.output`: its configuration, one line a finished game, and,
 * once it is complete, the games in order and a summary. A process may be killed at any moment; the same evaluation
 * then goes on from the games that were finished. `<output>.lock` is there while a process has the file open.
 */
export const layerEvaluationFiles: Layer.Layer<
  EvaluationStore,
  never,
  FileSystem.FileSystem | Path.Path
> = Layer.effect(
  EvaluationStore,
  Effect.map(Effect.context<FileSystem.FileSystem | Path.Path>(), (context) => ({
    open: (configuration: EvaluationConfiguration) =>
      Effect.mapInputContext(
        releaseOnFailure(open(configuration)),
        (scope: Context.Context<Scope.Scope>) => Context.merge(context, scope)
      )
  }))
)
