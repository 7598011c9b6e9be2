import * as Schema from "effect/Schema"
import { TrajectoryCredit } from "./Credit.js"
import { Trajectory } from "./Trajectory.js"

/** One line of `episodes.jsonl`: a trajectory of one update with its credit. Times are absent: equal runs write equal lines. */
export const EpisodeRecord = Schema.Struct({
  /** The update it belongs to, from 1. */
  step: Schema.Positive,
  ...Trajectory.fields,
  /** Per turn the Teacher's log-probabilities (nats) of the action's ids; `null` where it was not asked. */
  teacherLogprobs: Schema.NullOr(Schema.Array(Schema.Array(Schema.NullOr(Schema.Number)))),
  credit: TrajectoryCredit
})
export type EpisodeRecord = typeof EpisodeRecord.Type

/** One line of `metrics.jsonl`: the step and its metrics, side by side. */
export const MetricsRecord = Schema.Struct(
  { step: Schema.Positive },
  Schema.Record({ key: Schema.String, value: Schema.Finite })
)
export type MetricsRecord = typeof MetricsRecord.Type

/** A saved state and the weights saved with it. `step` updates are in it. */
export const Checkpoint = Schema.Struct({
  step: Schema.Positive,
  statePath: Schema.String,
  samplerPath: Schema.String
})
export type Checkpoint = typeof Checkpoint.Type

/**
 * What happens to the trainer, written before and after it happens: a `begin` without its `end` is an outcome nobody
 * knows, and the run then goes on from the last `saved`.
 */
export const JournalEvent = Schema.Union(
  Schema.TaggedStruct("opened", { step: Schema.NonNegative }),
  Schema.TaggedStruct("begin", {
    step: Schema.Positive,
    effect: Schema.Literal("forwardBackward", "optimStep", "save"),
    minibatch: Schema.NonNegativeInt
  }),
  Schema.TaggedStruct("end", {
    step: Schema.Positive,
    effect: Schema.Literal("forwardBackward", "optimStep", "save"),
    minibatch: Schema.NonNegativeInt
  }),
  Schema.TaggedStruct("saved", Checkpoint.fields),
  Schema.TaggedStruct("finished", { step: Schema.NonNegative })
)
export type JournalEvent = typeof JournalEvent.Type
