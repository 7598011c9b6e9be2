import { headSize } from "./ModelShape.js"

/** cos and sin of an angle of [0, 1] by their Taylor series, in float64. */
const cosineAndSine = (angle: number): readonly [number, number] => {
  let cosine = 0
  let sine = 0
  let term = 1
  for (let n = 0; n < 24; n += 2) {
    cosine += term
    term *= angle / (n + 1)
    sine += term
    term *= -angle / (n + 2)
  }
  return [cosine, sine]
}

/**
 * Tables [position][16] of cos and sin of position·10000^(−i/16), the rotary angles of a head of 32 dimensions.
 *
 * Only +, −, ×, ÷ and √ are used (each position turns the one before by a fixed angle): those are exact IEEE-754
 * operations, whereas `Math.cos` and `**` may differ in the last bit between versions of the JavaScript engine.
 */
export const rotaryTables = (positions: number): { readonly cosines: Float32Array; readonly sines: Float32Array } => {
  const half = headSize / 2
  const cosines = new Float32Array(positions * half)
  const sines = new Float32Array(positions * half)
  const ratio = 1 / Math.sqrt(Math.sqrt(10))
  let frequency = 1
  for (let i = 0; i < half; i++) {
    const [stepCosine, stepSine] = cosineAndSine(frequency)
    let cosine = 1
    let sine = 0
    for (let position = 0; position < positions; position++) {
      cosines[position * half + i] = cosine
      sines[position * half + i] = sine
      const turned = cosine * stepCosine - sine * stepSine
      sine = cosine * stepSine + sine * stepCosine
      cosine = turned
    }
    frequency *= ratio
  }
  return { cosines, sines }
}
