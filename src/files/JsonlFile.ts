import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { RunStoreError } from "../services/RunStore.js"
import { cutFile } from "./DurableFiles.js"
import { cannotRead, cannotWrite } from "./FileFailure.js"
import type { JsonlItem } from "./Jsonl.js"
import { encodeLine, jsonlStart, readChunk } from "./Jsonl.js"
import { describeParseError } from "./ParseProblem.js"

/** A whole line of a file. */
export type JsonlLine = Extract<JsonlItem, { readonly _tag: "Line" }>
/** A last line that a stopped process had not finished writing. */
export type JsonlTorn = Extract<JsonlItem, { readonly _tag: "Torn" }>

const damaged = (path: string, number: number, reason: string) =>
  new RunStoreError({
    path,
    reason: `line ${number} is damaged: ${reason}`,
    fix: "Restore the file from a copy, or move it away; only a torn last line is repaired by itself."
  })

const scanItems = (path: string): Stream.Stream<JsonlItem, RunStoreError, FileSystem.FileSystem> =>
  Stream.unwrap(Effect.map(FileSystem.FileSystem, (fs) => fs.stream(path))).pipe(
    Stream.mapError(cannotRead(path)),
    Stream.map((bytes): Uint8Array | undefined => bytes),
    Stream.concat(Stream.succeed(undefined)),
    Stream.mapAccum(jsonlStart, (position, bytes) => readChunk(position, bytes)),
    Stream.mapConcat((items) => items)
  )

/** The lines of a file, one at a time. A torn line can only be the last item; damage elsewhere is an error. */
export const scanJsonl = (
  path: string
): Stream.Stream<JsonlLine | JsonlTorn, RunStoreError, FileSystem.FileSystem> =>
  Stream.mapEffect(scanItems(path), (item) =>
    item._tag === "Damaged" ? Effect.fail(damaged(path, item.number, item.reason)) : Effect.succeed(item))

/** Reads one line as a record; the error names file and line. */
export const decodeLine = <A, I>(
  schema: Schema.Schema<A, I>,
  path: string,
  line: JsonlLine
): Effect.Effect<A, RunStoreError> =>
  Schema.decodeUnknown(schema)(line.value).pipe(
    Effect.mapError((error) => damaged(path, line.number, describeParseError(error)))
  )

/**
 * The records of a JSON Lines file, in memory one at a time. A torn last line is left out with a warning, since the
 * process that writes the file may be at work or may have been killed.
 */
export const readRecords = <A, I>(
  schema: Schema.Schema<A, I>,
  path: string
): Stream.Stream<A, RunStoreError, FileSystem.FileSystem> =>
  scanJsonl(path).pipe(
    Stream.mapEffect((item) =>
      item._tag === "Line"
        ? Effect.map(decodeLine(schema, path, item), Option.some)
        : Effect.as(Effect.logWarning(`${path}: left out a torn last line (line ${item.number})`), Option.none())
    ),
    Stream.filterMap((record) => record)
  )

/** A file that was read and may be appended to from its last whole line on. */
export interface MendedFile {
  /** 1 where a torn last line was cut off, else 0. */
  readonly torn: number
  /** Bytes of the whole lines. */
  readonly size: number
}

/**
 * Reads a whole file for a writer that will go on with it: gives each line to `visit`, then cuts a torn last line off
 * and completes a last newline, so that what is appended begins a line. A file that does not exist has no lines.
 */
export const mendJsonl = Effect.fn("JsonlFile.mend")(function*<R>(
  path: string,
  visit: (line: JsonlLine) => Effect.Effect<void, RunStoreError, R>
) {
  const fs = yield* FileSystem.FileSystem
  const exists = yield* fs.exists(path).pipe(Effect.mapError(cannotRead(path)))
  if (!exists) return { torn: 0, size: 0 }
  let size = 0
  let terminated = true
  let torn: JsonlTorn | undefined
  yield* Stream.runForEach(scanJsonl(path), (item) => {
    if (item._tag === "Torn") {
      torn = item
      return Effect.void
    }
    size = item.end
    terminated = item.terminated
    return visit(item)
  })
  if (torn !== undefined) {
    yield* Effect.logWarning(`${path}: cut off a torn last line (line ${torn.number}, ${torn.end - torn.start} bytes)`)
    yield* cutFile(path, torn.start)
    size = torn.start
  }
  if (!terminated) {
    yield* Effect.scoped(Effect.flatMap(openWriter(path), (writer) => writer.append("\n")))
    size += 1
  }
  const mended: MendedFile = { torn: torn === undefined ? 0 : 1, size }
  return mended
})

/** Appends whole lines to a file, durably. */
export interface JsonlWriter {
  /** Returns when the text is on the disk. After a failed append nothing more is written. */
  readonly append: (text: string) => Effect.Effect<void, RunStoreError>
}

/** Opens a file for appending until the scope ends. An append is never cut short by interruption. */
export const openWriter: (
  path: string
) => Effect.Effect<JsonlWriter, RunStoreError, FileSystem.FileSystem | Scope.Scope> = Effect.fn("JsonlFile.openWriter")(
  function*(path: string) {
    const fs = yield* FileSystem.FileSystem
    const file = yield* fs.open(path, { flag: "a" }).pipe(Effect.mapError(cannotWrite(path)))
    const turn = yield* Effect.makeSemaphore(1)
    const encoder = new TextEncoder()
    let failed = false
    return {
      append: Effect.fn("JsonlFile.append")(
        function*(text: string) {
          if (text === "") return
          if (failed) {
            return yield* new RunStoreError({
              path,
              reason: "an earlier write to it failed",
              fix: "Start again: a torn last line is repaired then, and the work goes on from what was recorded."
            })
          }
          failed = true
          yield* file.writeAll(encoder.encode(text)).pipe(
            Effect.zipRight(file.sync),
            Effect.mapError(cannotWrite(path))
          )
          failed = false
        },
        Effect.uninterruptible,
        turn.withPermits(1)
      )
    }
  }
)

/** Several records as the text of their lines; the error says which value cannot be recorded. */
export const encodeLines = <A, I>(
  schema: Schema.Schema<A, I>,
  path: string,
  records: ReadonlyArray<A>
): Effect.Effect<string, RunStoreError> =>
  Effect.map(
    Effect.forEach(records, (record) =>
      Either.mapLeft(encodeLine(schema, record), (problem) =>
        new RunStoreError({
          path,
          reason: `a record cannot be written: ${problem}`,
          fix: "This is a fault of the program that made the record; nothing of it was written."
        }))),
    (lines) => lines.join("")
  )

/** What a file begins with, whole or not; none where it has no lines. */
export const firstItem = Effect.fn("JsonlFile.firstItem")((path: string) => Stream.runHead(scanItems(path)))
