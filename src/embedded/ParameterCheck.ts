import type { TensorValues } from "./Parameters.js"

/**
 * Parameters of a network that works stay below 100; beyond this one, products of activations overflow float32 and the
 * log-probabilities are no numbers, though every parameter still is one.
 */
export const largestParameter = 1e6

/** Parameters that no log-probability can be computed with, in words. */
export const parameterProblem = (parameters: TensorValues): string | undefined => {
  for (const [name, values] of parameters) {
    const bad = values.findIndex((value) => !(Math.abs(value) <= largestParameter))
    if (bad >= 0) return `parameter ${bad} of ${name} has become ${values[bad]}`
  }
  return undefined
}

/** An optimiser's moments that no step can be made with, in words. */
export const momentProblem = (moments: TensorValues): string | undefined => {
  for (const [name, values] of moments) {
    const bad = values.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) return `the optimiser's moment ${bad} of ${name} has become ${values[bad]}`
  }
  return undefined
}
