import * as Schema from "effect/Schema"

const Positive = Schema.Finite.pipe(Schema.positive())
const NonNegative = Schema.Finite.pipe(Schema.nonNegative())
const PositiveInt = Schema.Int.pipe(Schema.positive())
const Probability = Schema.Finite.pipe(Schema.between(0, 1))
const DecayRate = Schema.Finite.pipe(Schema.greaterThanOrEqualTo(0), Schema.lessThan(1))
const Seed = Schema.Int.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER))
const RunName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, {
    message: () => "expected 1 to 128 letters, digits, dots, dashes or underscores, starting with a letter or digit"
  })
)

/** Where the policy runs. */
export const Backend = Schema.Literal("embedded")
export type Backend = typeof Backend.Type

export const SwanlabMode = Schema.Literal("disabled")

/** How a trajectory is played. */
export const RolloutSettings = Schema.Struct({
  maxTurns: PositiveInt,
  /** Longest trajectory in tokens, the opening included. */
  maxTrajectoryTokens: PositiveInt,
  /** Longest action in tokens. */
  maxActionTokens: PositiveInt,
  temperature: NonNegative,
  topP: Probability.pipe(Schema.positive()),
  includeAdmissibleActions: Schema.Boolean
})
export type RolloutSettings = typeof RolloutSettings.Type

/** Constants of the credit formulas, named as in the paper. */
export const CreditSettings = Schema.Struct({
  /** γ: how much of the earlier turns' evidence is kept. */
  gamma: Probability,
  /** λ: share of the turn weight in the advantage; 0 is plain group-relative advantage. */
  reshapeLambda: Probability,
  /** b: largest distance of a turn weight from 1. */
  weightBound: Probability,
  /** ε: clips the prior and keeps the two divisions by a standard deviation finite. */
  epsilon: Positive.pipe(Schema.lessThan(0.5))
})
export type CreditSettings = typeof CreditSettings.Type

/** The optimiser's and the loss's constants. */
export const UpdateSettings = Schema.Struct({
  ppoClipLow: Positive.pipe(Schema.lessThanOrEqualTo(1)),
  ppoClipHigh: Schema.Finite.pipe(Schema.greaterThanOrEqualTo(1)),
  /** How many optimiser steps an update is cut into. */
  ppoMinibatches: PositiveInt,
  learningRate: Positive,
  beta1: DecayRate,
  beta2: DecayRate,
  weightDecay: NonNegative,
  /** 0 leaves the gradient as it is. */
  gradClipNorm: NonNegative
})
export type UpdateSettings = typeof UpdateSettings.Type

/** Everything that decides what a training run does. Stored in the run folder; nothing here is secret. */
export const TrainSettings = Schema.Struct({
  backend: Backend,
  baseModel: Schema.NonEmptyString,
  /** Folder of real game files; `null` plays the built-in household games. */
  dataRoot: Schema.NullOr(Schema.NonEmptyString),
  trainSplit: Schema.NonEmptyString,
  /** 0 takes all games of the split. */
  maxTrainGames: Schema.NonNegativeInt,
  maxSteps: PositiveInt,
  tasksPerUpdate: PositiveInt,
  groupSize: PositiveInt,
  ...RolloutSettings.fields,
  teacherConcurrency: PositiveInt,
  rolloutConcurrency: PositiveInt,
  ...CreditSettings.fields,
  ...UpdateSettings.fields,
  loraRank: PositiveInt,
  trainUnembed: Schema.Boolean,
  /** Folder of skill texts; `null` takes the backend's own. */
  skillsDir: Schema.NullOr(Schema.NonEmptyString),
  /** Save a state every so many updates; 0 saves only at the end. */
  saveEvery: Schema.NonNegativeInt,
  seed: Seed,
  runName: RunName,
  /** The folder that holds run folders. */
  runDir: Schema.NonEmptyString,
  swanlabProject: Schema.NonEmptyString,
  swanlabMode: SwanlabMode
})
export type TrainSettings = typeof TrainSettings.Type

/** Everything that decides what an evaluation does. */
export const EvalSettings = Schema.Struct({
  backend: Backend,
  baseModel: Schema.NonEmptyString,
  /** Trained weights (`embedded://…`); `null` plays the base model. */
  modelPath: Schema.NullOr(Schema.NonEmptyString),
  dataRoot: Schema.NullOr(Schema.NonEmptyString),
  split: Schema.Literal("valid_seen", "valid_unseen", "all"),
  /** 0 takes all games of a split. */
  limitPerSplit: Schema.NonNegativeInt,
  /** How many games are in flight; changes no result. */
  gamesPerBatch: PositiveInt,
  maxTurns: PositiveInt,
  maxTrajectoryTokens: PositiveInt,
  /** Longest action in tokens. */
  maxAssistantTokens: PositiveInt,
  temperature: NonNegative,
  topP: Probability.pipe(Schema.positive()),
  includeAdmissibleActions: Schema.Boolean,
  seed: Seed,
  /** The JSONL file of records. */
  output: Schema.NonEmptyString,
  overwriteOutput: Schema.Boolean,
  runName: RunName,
  /** The folder that holds run folders, where `embedded://RUN/…` paths are looked up. */
  runDir: Schema.NonEmptyString,
  swanlabProject: Schema.NonEmptyString,
  swanlabMode: SwanlabMode
})
export type EvalSettings = typeof EvalSettings.Type
