import type { Address } from "./Kernels.js"
import type { Machine } from "./Machine.js"
import { copyFloats } from "./Machine.js"
import type { KeyValueCache } from "./MemoryPlan.js"
import { blockRows } from "./MemoryPlan.js"
import type { LinearPlan } from "./MemoryPlan.js"
import { embeddingScale, paddedVocabularyOf, widthOf } from "./ModelShape.js"

/**
 * Rows that belong to one sequence, at consecutive positions. A batch is a list of segments that follow one another
 * without padding; no result of a segment depends on the others.
 */
export interface Segment {
  readonly row: number
  readonly rows: number
  /** Position in its sequence of the first row. */
  readonly position: number
  readonly cache: KeyValueCache
}

/** Puts tokens `from..to` of a sequence into the batch, beginning at a row. */
export const embedTokens = (
  machine: Machine,
  ids: ArrayLike<number>,
  from: number,
  to: number,
  row: number
): void => {
  const { floats, integers, plan: { model, shape }, workspace } = machine
  const width = widthOf(shape)
  for (let t = from; t < to; t++) {
    const target = workspace.hidden[0] / 4 + (row + t - from) * width
    const token = model.tokenEmbedding / 4 + ids[t] * width
    const previous = model.previousEmbedding / 4 + (t >= 1 ? ids[t - 1] : 0) * width
    const second = model.secondPreviousEmbedding / 4 + (t >= 2 ? ids[t - 2] : 0) * width
    for (let i = 0; i < width; i++) {
      floats[target + i] = embeddingScale * (floats[token + i] + floats[previous + i] + floats[second + i])
    }
    integers[workspace.positions / 4 + row + t - from] = t
  }
}

/** out = x·W, or out += x·W. */
const applyLinear = (
  machine: Machine,
  map: LinearPlan,
  x: Address,
  rows: number,
  out: Address,
  accumulate: boolean
): void => {
  const { inputs, outputs, panels } = map
  machine.kernels.matmul(x, inputs * 4, rows, inputs, panels, inputs * 32, outputs, out, outputs * 4, accumulate)
}

/** Calls `run` for blocks of at most 256 rows. */
export const forBlocks = (rows: number, run: (first: number, count: number) => void): void => {
  for (let first = 0; first < rows; first += blockRows) run(first, Math.min(blockRows, rows - first))
}

/**
 * Runs the layers over an embedded batch and gives the address of the last hidden rows (before the last norm). With
 * `keep`, everything the backward pass needs is left in the workspace. Keys and values of the rows go to the segments'
 * caches, which must already hold those of earlier positions.
 */
export const forward = (machine: Machine, rows: number, segments: ReadonlyArray<Segment>, keep: boolean): Address => {
  const { kernels, plan: { model, shape }, workspace } = machine
  const width = widthOf(shape)
  const rowBytes = width * 4
  const { heads } = shape
  for (let index = 0; index < shape.layers; index++) {
    const layer = model.layers[index]
    const { attentionOutput, down, queryKeyValue, up } = layer.linear
    const saved = workspace.activations[keep ? index : 0]
    const input = workspace.hidden[keep ? index : 0]
    const output = workspace.hidden[keep ? index + 1 : 0]
    forBlocks(rows, (first, count) => {
      const scales = saved.attentionScales + first * 4
      const qkv = saved.queryKeyValue + first * 3 * rowBytes
      kernels.rmsNorm(input + first * rowBytes, count, width, layer.attentionNorm, workspace.normed, scales)
      applyLinear(machine, queryKeyValue, workspace.normed, count, qkv, false)
      const positions = workspace.positions + first * 4
      kernels.rotate(qkv, 3 * rowBytes, count, 2 * heads, positions, model.cosines, model.sines, 1)
    })
    for (const segment of segments) {
      const { cache, position, row } = segment
      const qkv = saved.queryKeyValue + row * 3 * rowBytes
      const out = saved.attended + row * rowBytes
      const keys = cache.keys(index)
      const values = cache.values(index)
      const count = segment.rows
      const stride = 3 * rowBytes
      kernels.storeKeysValues(qkv, stride, count, heads, position, keys, values, cache.capacity)
      const { capacity } = cache
      kernels.attention(
        qkv, stride, count, heads, position, keys, values, capacity, workspace.scores, out, rowBytes
      )
    }
    forBlocks(rows, (first, count) => {
      const offset = first * rowBytes
      const middle = saved.middle + offset
      const upRows = saved.up + (keep ? first * shape.feedForward * 4 : 0)
      copyFloats(machine, input + offset, middle, count * width)
      applyLinear(machine, attentionOutput, saved.attended + offset, count, middle, true)
      const scales = saved.feedForwardScales + first * 4
      kernels.rmsNorm(middle, count, width, layer.feedForwardNorm, workspace.normed, scales)
      applyLinear(machine, up, workspace.normed, count, upRows, false)
      kernels.gelu(upRows, count * shape.feedForward, workspace.gelu)
      copyFloats(machine, middle, output + offset, count * width)
      applyLinear(machine, down, workspace.gelu, count, output + offset, true)
    })
  }
  return workspace.hidden[keep ? shape.layers : 0]
}

/** Logits of some of the hidden rows, one after another in `workspace.logits`, each padded to a multiple of 8. */
export const computeLogits = (machine: Machine, hidden: Address, rows: ReadonlyArray<number>): void => {
  const { kernels, plan: { model, shape }, workspace } = machine
  const width = widthOf(shape)
  const rowBytes = width * 4
  const vocabulary = paddedVocabularyOf(shape)
  const count = rows.length
  for (let k = 0; k < count; k++) {
    copyFloats(machine, hidden + rows[k] * rowBytes, workspace.headInput + k * rowBytes, width)
  }
  kernels.rmsNorm(workspace.headInput, count, width, model.finalNorm, workspace.headNormed, workspace.headScales)
  kernels.matmul(
    workspace.headNormed, rowBytes, count, width,
    model.headPanels, rowBytes * 8, vocabulary,
    workspace.logits, vocabulary * 4, false
  )
}

/** One row of logits, normalised. */
export interface Distribution {
  /** The logits, without padding. */
  readonly logits: Float32Array
  /** Log-probability (nats, temperature 1) of a token. */
  readonly logprob: (token: number) => number
}

/**
 * Turns row `index` of the logits into probabilities, in place. Sampling and scoring both come through here, so their
 * log-probabilities agree bit for bit.
 */
export const normalizeRow = (machine: Machine, index: number): Distribution => {
  const { floats, kernels, plan: { shape }, workspace } = machine
  const vocabulary = paddedVocabularyOf(shape)
  const row = workspace.logits + index * vocabulary * 4
  const logits = floats.slice(row / 4, row / 4 + shape.vocabularySize)
  kernels.softmax(row, shape.vocabularySize, vocabulary, 1, workspace.maxAndSum)
  const maximum = floats[workspace.maxAndSum / 4]
  const logSum = Math.log(floats[workspace.maxAndSum / 4 + 1])
  return { logits, logprob: (token) => logits[token] - maximum - logSum }
}
