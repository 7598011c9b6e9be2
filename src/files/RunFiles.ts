import type * as Path from "@effect/platform/Path"

/** Paths of the record files in a run folder. */
export interface RunFiles {
  readonly metrics: string
  readonly episodes: string
  readonly journal: string
  readonly superseded: string
}

export const runFiles = (path: Path.Path, folder: string): RunFiles => ({
  metrics: path.join(folder, "metrics.jsonl"),
  episodes: path.join(folder, "episodes.jsonl"),
  journal: path.join(folder, "journal.jsonl"),
  superseded: path.join(folder, "superseded.jsonl")
})
