import type { ModelShape } from "../../src/embedded/ModelShape.js"

/** Parameters by name, as float64. */
export type Parameters = ReadonlyMap<string, Float64Array>

/** A rows × columns matrix. */
type Matrix = ReadonlyArray<Float64Array>

const product = (x: Matrix, w: Float64Array, outputs: number): Array<Float64Array> =>
  x.map((row) => {
    const y = new Float64Array(outputs)
    row.forEach((value, k) => {
      for (let j = 0; j < outputs; j++) y[j] += value * w[k * outputs + j]
    })
    return y
  })

const plus = (x: Matrix, y: Matrix, factor = 1): Array<Float64Array> =>
  x.map((row, i) => row.map((value, j) => value + factor * y[i][j]))

const rmsNorm = (x: Matrix, gain: Float64Array): Array<Float64Array> =>
  x.map((row) => {
    const mean = row.reduce((sum, value) => sum + value * value, 0) / row.length
    return row.map((value, j) => (value / Math.sqrt(mean + 1e-5)) * gain[j])
  })

const gelu = (x: number): number => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))

/** The first `heads·32` entries, head by head, turned by their position. */
const rotated = (x: Float64Array, position: number): Float64Array => {
  const y = x.slice()
  for (let head = 0; head < x.length / 32; head++) {
    for (let i = 0; i < 16; i++) {
      const angle = position * 10_000 ** (-i / 16)
      const a = x[head * 32 + i]
      const b = x[head * 32 + i + 16]
      y[head * 32 + i] = a * Math.cos(angle) - b * Math.sin(angle)
      y[head * 32 + i + 16] = a * Math.sin(angle) + b * Math.cos(angle)
    }
  }
  return y
}

const logSoftmax = (x: ArrayLike<number>): Float64Array => {
  const values = Float64Array.from(x)
  const maximum = Math.max(...values)
  const sum = values.reduce((total, value) => total + Math.exp(value - maximum), 0)
  return values.map((value) => value - maximum - Math.log(sum))
}

/**
 * The network written a second time, with plain loops in float64 and nothing shared with the code under test:
 * log-probabilities of every token after the first.
 */
export const referenceLogprobs = (
  shape: ModelShape,
  parameters: Parameters,
  ids: ReadonlyArray<number>
): Float64Array => {
  const width = shape.heads * 32
  const get = (name: string): Float64Array => parameters.get(name) ?? new Float64Array(0)
  const linear = (x: Matrix, name: string, outputs: number): Array<Float64Array> => {
    const y = product(x, get(name), outputs)
    const a = get(`${name}.a`)
    if (a.length === 0) return y
    const rank = a.length / x[0].length
    return plus(y, product(product(x, a, rank), get(`${name}.b`), outputs), 2)
  }
  const embedding = (name: string, id: number): Float64Array => get(name).subarray(id * width, (id + 1) * width)
  let x: Array<Float64Array> = ids.map((id, t) => {
    const token = embedding("tokenEmbedding", id)
    const previous = embedding("previousEmbedding", t >= 1 ? ids[t - 1] : 0)
    const second = embedding("secondPreviousEmbedding", t >= 2 ? ids[t - 2] : 0)
    return Float64Array.from(token, (value, i) => 4 * (value + previous[i] + second[i]))
  })
  for (let layer = 0; layer < shape.layers; layer++) {
    const name = `layers.${layer}`
    const qkv = linear(rmsNorm(x, get(`${name}.attentionNorm`)), `${name}.queryKeyValue`, 3 * width)
    const queries = qkv.map((row, t) => rotated(row.slice(0, width), t))
    const keys = qkv.map((row, t) => rotated(row.slice(width, 2 * width), t))
    const attended = queries.map((query, t) => {
      const out = new Float64Array(width)
      for (let head = 0; head < shape.heads; head++) {
        const scores = Array.from({ length: t + 1 }, (_, s) => {
          let sum = 0
          for (let i = head * 32; i < (head + 1) * 32; i++) sum += query[i] * keys[s][i]
          return sum / Math.sqrt(32)
        })
        logSoftmax(scores).forEach((logWeight, s) => {
          for (let i = head * 32; i < (head + 1) * 32; i++) out[i] += Math.exp(logWeight) * qkv[s][2 * width + i]
        })
      }
      return out
    })
    x = plus(x, linear(attended, `${name}.attentionOutput`, width))
    const up = linear(rmsNorm(x, get(`${name}.feedForwardNorm`)), `${name}.up`, shape.feedForward)
    x = plus(x, linear(up.map((row) => row.map(gelu)), `${name}.down`, width))
  }
  const hidden = rmsNorm(x, get("finalNorm"))
  const tokens = get("tokenEmbedding")
  return Float64Array.from(ids.slice(1), (target, t) => {
    const logits = new Float64Array(shape.vocabularySize)
    for (let v = 0; v < logits.length; v++) {
      for (let i = 0; i < width; i++) logits[v] += hidden[t][i] * tokens[v * width + i]
    }
    return logSoftmax(logits)[target]
  })
}
