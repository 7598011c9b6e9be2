import * as Schema from "effect/Schema"
import { EvalSettings } from "./Settings.js"
import { StopReason } from "./Trajectory.js"

/**
 * Lines of an evaluation file (JSONL): a `configuration` line, one `trajectory` line a game, a closing `summary`
 * line. Field names are those of the record format that AgentOPSD evaluations already use.
 */
export const EvaluationStep = Schema.Struct({
  step: Schema.Positive,
  assistant_text: Schema.String,
  action: Schema.NullOr(Schema.String),
  valid_format: Schema.Boolean,
  admissible: Schema.Boolean,
  valid_action: Schema.Boolean,
  next_observation: Schema.String,
  environment_score: Schema.NullOr(Schema.Number),
  won: Schema.Boolean,
  prompt_tokens: Schema.NonNegativeInt,
  completion_tokens: Schema.NonNegativeInt,
  mean_old_logprob: Schema.NullOr(Schema.Number)
})
export type EvaluationStep = typeof EvaluationStep.Type

export const EvaluationRecord = Schema.Struct({
  type: Schema.Literal("trajectory"),
  game_id: Schema.String,
  split: Schema.String,
  task_type: Schema.String,
  group_index: Schema.NonNegativeInt,
  policy_snapshot_id: Schema.String,
  task: Schema.String,
  initial_observation: Schema.String,
  won: Schema.Boolean,
  truncated: Schema.Boolean,
  stop_reason: StopReason,
  invalid_action_count: Schema.NonNegativeInt,
  reward: Schema.Number,
  student_tokens: Schema.NonNegativeInt,
  steps: Schema.Array(EvaluationStep)
})
export type EvaluationRecord = typeof EvaluationRecord.Type

/** What was evaluated. A file is only continued with an equal configuration. */
export const EvaluationConfiguration = Schema.Struct({
  type: Schema.Literal("configuration"),
  settings: EvalSettings,
  /** Manifest hash of each split's games. */
  manifests: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Identity of the evaluated weights. */
  policy_snapshot_id: Schema.String
})
export type EvaluationConfiguration = typeof EvaluationConfiguration.Type

export const EvaluationSummary = Schema.Struct({
  type: Schema.Literal("summary"),
  base_model: Schema.String,
  model_path: Schema.NullOr(Schema.String),
  /** No skill text was in front of the policy. Always true. */
  skill_free: Schema.Literal(true),
  metrics: Schema.Record({ key: Schema.String, value: Schema.Finite })
})
export type EvaluationSummary = typeof EvaluationSummary.Type
