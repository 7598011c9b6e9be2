/** A loss over the tokens of one sequence, as the workers receive it. Arrays are as long as `ids`. */
export interface LossDatum {
  readonly ids: ArrayLike<number>
  /** Log-probabilities (nats) under the policy that acted; ignored by cross-entropy. */
  readonly oldLogprobs: ArrayLike<number>
  /** Advantage, or cross-entropy weight, of every token; the first token's is ignored, since nothing predicts it. */
  readonly weights: ArrayLike<number>
}

/**
 * `ppo`: with ρ = exp(new − old), a token's loss is −min(ρ·A, clip(ρ, clipLow, clipHigh)·A) (Schulman et al. 2017).
 * `cross-entropy`: a token's loss is −w·log p. Both are sums over tokens, multiplied by `scale`.
 */
export type Loss =
  | { readonly kind: "ppo"; readonly clipLow: number; readonly clipHigh: number; readonly scale: number }
  | { readonly kind: "cross-entropy"; readonly scale: number }

/** A token's loss, and its derivative by the token's log-probability. */
export interface TokenLoss {
  readonly value: number
  readonly derivative: number
}

const zero: TokenLoss = { value: 0, derivative: 0 }

/** One token's loss; a token of weight 0 costs nothing, whatever its log-probabilities are. */
export const tokenLoss = (loss: Loss, logprob: number, oldLogprob: number, weight: number): TokenLoss => {
  if (weight === 0) return zero
  if (loss.kind === "cross-entropy") {
    return { value: -weight * logprob * loss.scale, derivative: -weight * loss.scale }
  }
  const ratio = Math.exp(logprob - oldLogprob)
  const clipped = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh)
  const plain = ratio * weight
  // Where the clipped value is the smaller one it is constant: no gradient.
  if (clipped * weight < plain) return { value: -clipped * weight * loss.scale, derivative: 0 }
  return { value: -plain * loss.scale, derivative: -plain * loss.scale }
}
