import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { EvaluationConfiguration, EvaluationRecord, EvaluationSummary } from "../domain/EvaluationRecords.js"
import type { RunStoreError } from "./RunStore.js"

/** One evaluation's file, open for writing by this process alone. */
export interface EvaluationFile {
  readonly place: string
  /** Records of games that an earlier, stopped evaluation with the same configuration finished. */
  readonly finished: ReadonlyArray<EvaluationRecord>
  /** Appends one finished game, durably. May be called in any order of games. */
  readonly append: (record: EvaluationRecord) => Effect.Effect<void, RunStoreError>
  /**
   * Ends the file: its records in the order of `group_index`, then the summary, replaced atomically. So equal
   * evaluations give equal files, whatever was finished first.
   */
  readonly complete: (summary: EvaluationSummary) => Effect.Effect<void, RunStoreError>
}

/**
 * Evaluation files. Opening refuses an unfinished file of another configuration (naming what differs) and a complete
 * file, unless its settings say `overwriteOutput`.
 */
export class EvaluationStore extends Context.Tag("agentopsd/EvaluationStore")<EvaluationStore, {
  readonly open: (
    configuration: EvaluationConfiguration
  ) => Effect.Effect<EvaluationFile, RunStoreError, Scope.Scope>
}>() {}
