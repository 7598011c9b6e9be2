import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { TokenIds } from "./ChatFormat.js"

/** How tokens are drawn. Log-probabilities are always those of the whole distribution at temperature 1. */
export interface SamplingParams {
  /** 0 (or anything ≤ 1e-6) picks the most probable token. */
  readonly temperature: number
  /** Nucleus: the smallest set of most probable tokens whose probability reaches this. 1 keeps all. */
  readonly topP: number
  /** At most this many tokens are drawn. */
  readonly maxTokens: number
  /** Drawing ends with the first of these, which is kept as the last id. */
  readonly stopTokens: TokenIds
}

export interface SampleRequest {
  /** The whole history, token in. A backend may keep what it already computed of it. */
  readonly prompt: TokenIds
  /** How many continuations. */
  readonly count: number
  readonly params: SamplingParams
  /** Continuation i uses a stream of random numbers that depends on this seed and i alone. */
  readonly seed: number
}

/** One continuation, token out. */
export interface Sample {
  readonly ids: TokenIds
  /** Log-probability (nats) of each id given everything before it; the same length as `ids`. */
  readonly logprobs: ReadonlyArray<number>
  /** `stop`: the last id is a stop token. `length`: `maxTokens` or the context ended it. */
  readonly stopReason: "stop" | "length"
  /** Tokens of the prompt that were not computed again, where the backend knows. */
  readonly cachedTokens: number | undefined
}

/** A frozen policy. Rollout and Teacher of one update are given the same one. */
export interface Sampler {
  readonly snapshotId: string
  readonly sample: (request: SampleRequest) => Effect.Effect<ReadonlyArray<Sample>, PolicyError>
  /**
   * Log-probability (nats) of every id given those before it: as long as `ids`, `null` for the first. A backend that
   * cannot score a position puts `null` there too.
   */
  readonly logprobs: (ids: TokenIds) => Effect.Effect<ReadonlyArray<number | null>, PolicyError>
}

/**
 * One trajectory to learn from. All arrays are as long as `ids`; position t speaks of the prediction of `ids[t]`.
 * Where `advantages[t]` is 0 nothing is learnt and `logprobs[t]` is ignored.
 */
export interface Datum {
  readonly ids: TokenIds
  /** Log-probabilities (nats) under the policy that acted. */
  readonly logprobs: ReadonlyArray<number>
  readonly advantages: ReadonlyArray<number>
}

/**
 * The clipped surrogate of PPO. With ρ = exp(new − old log-probability), a token's loss is
 * −min(ρ·A, clip(ρ, clipLow, clipHigh)·A). `clipLow` and `clipHigh` are ratios (0.8 and 1.24), not distances from 1.
 */
export interface PpoLoss {
  readonly clipLow: number
  readonly clipHigh: number
}

export interface ForwardBackwardResult {
  /** Per datum the log-probability of every id under the weights before the step; `null` for the first position. */
  readonly logprobs: ReadonlyArray<ReadonlyArray<number | null>>
}

export interface AdamParams {
  readonly learningRate: number
  readonly beta1: number
  readonly beta2: number
  readonly weightDecay: number
  /** The gradient's norm is cut to this before the step; 0 leaves it. */
  readonly gradClipNorm: number
}

export interface OptimStepResult {
  /** Norm of the gradient before clipping, where the backend tells. */
  readonly gradNorm: number | undefined
}

/** The two calls that change a policy. `E` is wider than PolicyError where each call is also written to a journal. */
export interface Optimizer<E = PolicyError> {
  /** Adds the gradient of the data's loss (see `Capabilities.lossReduction`) to what the next step will use. */
  readonly forwardBackward: (data: ReadonlyArray<Datum>, loss: PpoLoss) => Effect.Effect<ForwardBackwardResult, E>
  /** One Adam step with the gradient gathered since the last one, which is then forgotten. */
  readonly optimStep: (adam: AdamParams) => Effect.Effect<OptimStepResult, E>
}

/** A policy in training. */
export interface Trainer extends Optimizer {
  /** Frozen weights of now, valid until the next optimiser step or the next snapshot; released with the scope. */
  readonly snapshot: Effect.Effect<Sampler, PolicyError, Scope.Scope>
  /** Saves weights and optimiser under a name; gives the path that `openTrainer` takes back. */
  readonly saveState: (name: string) => Effect.Effect<string, PolicyError>
  /** Saves weights alone; gives the path that `openSampler` takes. */
  readonly saveSamplerWeights: (name: string) => Effect.Effect<string, PolicyError>
}

/** What to train: a fresh adapter on a base model, or a saved state (which makes a new trainer). */
export type TrainerSource =
  | {
    readonly _tag: "Fresh"
    readonly baseModel: string
    /** Names the paths of what is saved. */
    readonly runName: string
    readonly loraRank: number
    /** Train the output embedding too. */
    readonly trainUnembed: boolean
    /** Seeds the adapter's initial weights. */
    readonly seed: number
  }
  | { readonly _tag: "Checkpoint"; readonly path: string; readonly runName: string }

/** What to sample from: a base model's name, or a path that `saveSamplerWeights` gave. */
export type SamplerSource =
  | { readonly _tag: "BaseModel"; readonly baseModel: string }
  | { readonly _tag: "Weights"; readonly path: string; readonly baseModel: string | undefined }

/** What a backend keeps or lacks; the stages read it instead of guessing. */
export interface Capabilities {
  /** Longest sequence in tokens. */
  readonly maxSequenceTokens: number
  /** How `forwardBackward` reduces the tokens' losses: `sum` over all tokens of the call, or their `token-mean`. */
  readonly lossReduction: "sum" | "token-mean"
  /** Whether the same call gives the same numbers again, so that a resumed run repeats its records exactly. */
  readonly deterministic: boolean
}

/**
 * A backend could not do what was asked.
 *
 * `retryable`: the call had no effect and may be sent again. `unknown-outcome`: it may or may not have had its effect
 * and must not be repeated. `fix` says what a person can do.
 */
export class PolicyError extends Schema.TaggedError<PolicyError>("agentopsd/PolicyError")("PolicyError", {
  backend: Schema.String,
  operation: Schema.String,
  reason: Schema.String,
  fix: Schema.String,
  kind: Schema.Literal("refused", "retryable", "unknown-outcome", "corrupt"),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.backend}: ${this.operation} failed: ${this.reason}. ${this.fix}`
  }
}

/** What trains and samples. */
export class Policy extends Context.Tag("agentopsd/Policy")<Policy, {
  readonly backend: string
  readonly capabilities: Capabilities
  readonly openTrainer: (source: TrainerSource) => Effect.Effect<Trainer, PolicyError, Scope.Scope>
  readonly openSampler: (source: SamplerSource) => Effect.Effect<Sampler, PolicyError, Scope.Scope>
}>() {}
