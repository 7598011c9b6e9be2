import type { Machine } from "./Machine.js"
import { clearFloats } from "./Machine.js"
import { trainedRegion } from "./MemoryPlan.js"
import { packParameters } from "./Parameters.js"

/** Settings of one Adam step; `step` counts from 1. */
export interface AdamStep {
  readonly step: number
  readonly learningRate: number
  readonly beta1: number
  readonly beta2: number
  readonly epsilon: number
  /** Decoupled; applied to matrices and embeddings, not to gains. */
  readonly weightDecay: number
  /** The gradient's norm is cut to this; 0 leaves it. */
  readonly gradClipNorm: number
}

/** βᵗ by multiplication, which is exact in its rounding everywhere; `**` is not. */
const power = (base: number, exponent: number): number => {
  let result = 1
  for (let i = 0; i < exponent; i++) result *= base
  return result
}

/** Forgets the gradients. */
export const clearGradients = (machine: Machine): void => {
  const { floats } = trainedRegion(machine.plan)
  for (const gradient of machine.plan.gradients) clearFloats(machine, gradient, floats)
}

/** Sums the shards, in order, into the first and gives the gradient's norm. */
const sumShards = (machine: Machine): number => {
  const { floats, kernels, plan } = machine
  const region = trainedRegion(plan)
  const [first, ...others] = plan.gradients
  for (const other of others) kernels.addScaled(first, other, region.floats, 1)
  let squares = 0
  for (let i = first / 4; i < first / 4 + region.floats; i++) squares += floats[i] * floats[i]
  return Math.sqrt(squares)
}

/**
 * One step of Adam on the trained parameters, with the gradients gathered since the last one, which are forgotten.
 * Gives the gradient's norm before clipping. Where that is not finite nothing is changed (but the gradients forgotten).
 */
export const stepParameters = (machine: Machine, settings: AdamStep): number => {
  const { kernels, plan } = machine
  const region = trainedRegion(plan)
  const norm = sumShards(machine)
  if (Number.isFinite(norm)) {
    const { beta1, beta2, epsilon, gradClipNorm, learningRate, step, weightDecay } = settings
    const scale = gradClipNorm > 0 && norm > gradClipNorm ? gradClipNorm / norm : 1
    const correction1 = 1 / (1 - power(beta1, step))
    const correction2 = 1 / (1 - power(beta2, step))
    for (const tensor of region.tensors) {
      const offset = tensor.address - region.start
      kernels.adam(
        tensor.address,
        plan.gradients[0] + offset,
        plan.firstMoments + offset,
        plan.secondMoments + offset,
        tensor.paddedRows * tensor.columns,
        learningRate,
        beta1,
        beta2,
        correction1,
        correction2,
        epsilon,
        scale,
        tensor.rows === 1 ? 0 : weightDecay
      )
    }
    packParameters(machine)
  }
  clearGradients(machine)
  return norm
}
