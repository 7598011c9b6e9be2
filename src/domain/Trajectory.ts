import * as Schema from "effect/Schema"

/**
 * Why a trajectory ended.
 *
 * `won`: the goal was reached. `lost`: the environment ended the game without it. `max_turns`, `token_budget`: the
 * configured limits. `deadline`: its time was up. All are ordinary ends; none is an error.
 */
export const StopReason = Schema.Literal("won", "lost", "max_turns", "token_budget", "deadline")
export type StopReason = typeof StopReason.Type

/** One action of the policy and what came of it. */
export const Turn = Schema.Struct({
  /** Position of the action's first id in the trajectory's `ids`. */
  start: Schema.NonNegativeInt,
  /** Position after the action's last id; `end − start` log-probabilities belong to it. */
  end: Schema.NonNegativeInt,
  /** Log-probabilities (nats) of the action's ids under the snapshot that sampled them; `null` for one not finite. */
  logprobs: Schema.Array(Schema.NullOr(Schema.Number)),
  /** The command sent to the environment, or `null` where the action held none. */
  command: Schema.NullOr(Schema.String),
  /** Why the action held no command. */
  invalidReason: Schema.NullOr(Schema.String),
  /** The command was on the environment's list at that time. */
  admissible: Schema.Boolean,
  /** The text that answered it. */
  observation: Schema.String,
  won: Schema.Boolean,
  score: Schema.NullOr(Schema.Number)
})
export type Turn = typeof Turn.Type

/**
 * One playthrough of a game by a frozen policy: token in, token out.
 *
 * `ids` is the concatenation of everything sent to and received from the policy; turn k's action is
 * `ids[start..end)`, everything else is text of the prompt and of the environment. Reward is 1 when won, else 0.
 */
export const Trajectory = Schema.Struct({
  gameId: Schema.String,
  split: Schema.String,
  taskType: Schema.String,
  /**
   * Number of the playthrough among those of its game in its update, from 0: a group's first is a multiple of the
   * group size.
   */
  attempt: Schema.NonNegativeInt,
  snapshotId: Schema.String,
  task: Schema.String,
  initialObservation: Schema.String,
  /** Commands that the opening listed (empty unless the configuration shows them). */
  openingCommands: Schema.Array(Schema.String),
  /** How many ids the opening has. */
  openingLength: Schema.NonNegativeInt,
  ids: Schema.Array(Schema.NonNegativeInt),
  turns: Schema.Array(Turn),
  stopReason: StopReason,
  won: Schema.Boolean,
  reward: Schema.Number
})
export type Trajectory = typeof Trajectory.Type

/** Number of actions that held no command or one that the environment did not list. */
export const invalidActionCount = (trajectory: Trajectory): number =>
  trajectory.turns.reduce((n, turn) => n + (turn.admissible ? 0 : 1), 0)

/** A configured limit ended it. */
export const isTruncated = (trajectory: Trajectory): boolean =>
  trajectory.stopReason !== "won" && trajectory.stopReason !== "lost"
