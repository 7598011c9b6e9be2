import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Metrics } from "../domain/Metrics.js"
import type { Checkpoint, EpisodeRecord, JournalEvent } from "../domain/RunRecords.js"
import type { TrainSettings } from "../domain/Settings.js"

/** The run's records could not be read or written. `path` is the file or folder; `fix` what a person can do. */
export class RunStoreError extends Schema.TaggedError<RunStoreError>("agentopsd/RunStoreError")("RunStoreError", {
  path: Schema.String,
  reason: Schema.String,
  fix: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.path}: ${this.reason}. ${this.fix}`
  }
}

export interface RunRequest {
  readonly settings: TrainSettings
  /** Hash of the training games; a resumed run must find the same. */
  readonly manifestHash: string
  /** Identity of what is trained besides the settings (for example the base model file's hash). */
  readonly policy: string
  /** `false` makes a new run and refuses an existing one; `true` goes on with an existing one. */
  readonly resume: boolean
}

/** One run's records, open for writing by this process alone. */
export interface Run {
  /** Where a person finds the records. */
  readonly place: string
  /** The last saved state; a resumed run goes on after its step. Undefined in a new run, or where none was saved. */
  readonly checkpoint: Checkpoint | undefined
  /** The run had already finished all steps of its settings. */
  readonly finished: boolean
  /**
   * Records one update, durably: its episodes, then its metrics. Records of steps after the checkpoint that a stopped
   * run had already written were set aside when the run was opened, so a step is never recorded twice.
   */
  readonly recordUpdate: (
    step: number,
    episodes: ReadonlyArray<EpisodeRecord>,
    metrics: Metrics
  ) => Effect.Effect<void, RunStoreError>
  /** Appends to the journal, durably, before it returns. */
  readonly journal: (event: JournalEvent) => Effect.Effect<void, RunStoreError>
}

/** The run folder: always on, complete without any Tracker. */
export class RunStore extends Context.Tag("agentopsd/RunStore")<RunStore, {
  readonly open: (request: RunRequest) => Effect.Effect<Run, RunStoreError, Scope.Scope>
}>() {}
