import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import type { Checkpoint } from "../domain/RunRecords.js"
import { JournalEvent } from "../domain/RunRecords.js"
import { RunStoreError } from "../services/RunStore.js"
import { cutFile, replaceFile } from "./DurableFiles.js"
import { cannotRead } from "./FileFailure.js"
import { decodeLine, mendJsonl } from "./JsonlFile.js"
import type { RunFiles } from "./RunFiles.js"

/** What a journal says so far. `saved` holds the states of the run's present history, the oldest first. */
export interface JournalState {
  readonly saved: ReadonlyArray<Checkpoint>
  readonly finished: number | undefined
}

export const emptyJournal: JournalState = { saved: [], finished: undefined }

/**
 * Reads one event. `opened` starts a new history after its step: what an earlier process saved or finished beyond
 * that belongs to records that were set aside.
 */
export const readEvent = (state: JournalState, event: JournalEvent): JournalState => {
  switch (event._tag) {
    case "opened":
      return {
        saved: state.saved.filter(({ step }) => step <= event.step),
        finished: state.finished !== undefined && state.finished <= event.step ? state.finished : undefined
      }
    case "saved": {
      const { samplerPath, statePath, step } = event
      const older = state.saved.filter((checkpoint) => checkpoint.step < step)
      return { ...state, saved: [...older, { step, statePath, samplerPath }] }
    }
    case "finished":
      return { ...state, finished: event.step }
    case "begin":
    case "end":
      return state
  }
}

const Numbered = Schema.Struct({ step: Schema.Positive })

/** Where the records of steps after a given one begin in a file whose steps never fall. */
interface Cut {
  readonly path: string
  /** Bytes of the records to keep. */
  readonly keep: number
  /** Bytes of all records. */
  readonly size: number
  /** Of the whole file, 0 where it has no records. */
  readonly lastStep: number
}

const findCut = Effect.fn("RunRecovery.findCut")(function*(path: string, step: number) {
  let keep: number | undefined
  let lastStep = 0
  const { size } = yield* mendJsonl(path, (line) =>
    Effect.gen(function*() {
      const record = yield* decodeLine(Numbered, path, line)
      if (record.step < lastStep) {
        return yield* new RunStoreError({
          path,
          reason: `line ${line.number} records step ${record.step} after step ${lastStep}`,
          fix: "Restore the file from a copy: its records must stand in the order of their steps."
        })
      }
      lastStep = record.step
      if (record.step > step) keep ??= line.start
    }))
  const cut: Cut = { path, keep: keep ?? size, size, lastStep }
  return cut
})

const bytesOf = (path: string, offset: number, length: number) =>
  Stream.unwrap(
    Effect.map(FileSystem.FileSystem, (fs) => fs.stream(path, { offset, bytesToRead: length }))
  ).pipe(Stream.mapError(cannotRead(path)))

const digest = <E, R>(content: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(
    Stream.runFold(content, createHash("sha256"), (hash, bytes) => hash.update(bytes)),
    (hash) => hash.digest("hex")
  )

/**
 * Copies the records to be cut off to the end of `superseded.jsonl`, which is replaced in one step. A process that
 * was killed between this and the cuts finds the same records at that file's end and does not copy them again.
 */
const setAside = Effect.fn("RunRecovery.setAside")(function*(superseded: string, cuts: ReadonlyArray<Cut>) {
  const fs = yield* FileSystem.FileSystem
  const failure = Effect.mapError(cannotRead(superseded))
  const exists = yield* failure(fs.exists(superseded))
  const older = exists ? Number((yield* failure(fs.stat(superseded))).size) : 0
  const added = cuts.reduce((length, cut) => length + cut.size - cut.keep, 0)
  const content = Stream.flatMap(
    Stream.fromIterable(cuts),
    (cut) => bytesOf(cut.path, cut.keep, cut.size - cut.keep)
  )
  if (older >= added && (yield* digest(bytesOf(superseded, older - added, added))) === (yield* digest(content))) return
  yield* replaceFile(superseded, Stream.concat(exists ? bytesOf(superseded, 0, older) : Stream.empty, content))
})

/** A stopped run, ready to go on. */
export interface Recovered {
  readonly checkpoint: Checkpoint | undefined
  readonly finished: boolean
  /** Step of the last record that was kept, 0 where there is none. */
  readonly lastStep: number
}

/**
 * Brings the files of a stopped run back to its last saved state. Records of later steps are set aside first, then
 * the files are cut, episodes before metrics. Each cut is one truncation at a line's end: wherever it is interrupted,
 * the next recovery finds a file that begins with the records to keep, and finishes the work.
 *
 * A saved state counts only if the metrics of its step were recorded, so that no step is ever without records.
 */
export const recover = Effect.fn("RunRecovery.recover")(function*(files: RunFiles, maxSteps: number) {
  let journal = emptyJournal
  yield* mendJsonl(files.journal, (line) =>
    Effect.map(decodeLine(JournalEvent, files.journal, line), (event) => {
      journal = readEvent(journal, event)
    }))
  const recorded = yield* findCut(files.metrics, 0)
  const checkpoint = journal.saved.findLast(({ step }) => step <= recorded.lastStep)
  const finished = journal.finished !== undefined && journal.finished >= maxSteps
  const lastStep = finished ? recorded.lastStep : checkpoint?.step ?? 0

  const cuts = [yield* findCut(files.episodes, lastStep), yield* findCut(files.metrics, lastStep)]
    .filter(({ keep, size }) => keep < size)
  if (cuts.length > 0) {
    yield* Effect.logInfo(`${files.superseded}: set aside the records of steps after ${lastStep}`)
    yield* setAside(files.superseded, cuts)
    yield* Effect.forEach(cuts, (cut) => cutFile(cut.path, cut.keep), { discard: true })
  }
  const recovered: Recovered = { checkpoint, finished, lastStep }
  return recovered
})
