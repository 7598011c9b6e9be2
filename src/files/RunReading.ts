import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { EpisodeRecord, JournalEvent, MetricsRecord } from "../domain/RunRecords.js"
import type { RunStoreError } from "../services/RunStore.js"
import { readRecords } from "./JsonlFile.js"
import type { RunFiles } from "./RunFiles.js"
import { runFiles } from "./RunFiles.js"

type RecordStream<A> = Stream.Stream<A, RunStoreError, FileSystem.FileSystem | Path.Path>

const recordsOf = <A, I>(schema: Schema.Schema<A, I>, file: keyof RunFiles) => (folder: string): RecordStream<A> =>
  Stream.unwrap(Effect.map(Path.Path, (path) => readRecords(schema, runFiles(path, folder)[file])))

/** The metrics of a run folder, one update at a time; the run may be at work. */
export const readMetrics = recordsOf(MetricsRecord, "metrics")

/** The episodes of a run folder, one at a time; the run may be at work. */
export const readEpisodes = recordsOf(EpisodeRecord, "episodes")

/** The journal of a run folder, one event at a time; the run may be at work. */
export const readJournal = recordsOf(JournalEvent, "journal")
