// Causal attention with heads of 32 dimensions over a cache of keys and values.
//
// A row of queries, keys and values is [q | k | v], each `heads`·32 floats. A cache holds, per head, the keys in panels
// over positions [capacity/8][32][8] and the values in panels over dimensions [4][capacity][8], ready for `matmul`.

import { matmul } from "./matmul"
import { packPanels, packTransposedPanels, transpose } from "./packing"
import { softmax } from "./softmax"
import { multiplyAdd, sumOfLanes } from "./vector"

/** 1/√32. */
const SCORE_SCALE: f32 = 0.17677669529663687
const HEAD_BYTES: usize = 128
/** Queries handled together in the forward pass, and in the backward pass. */
const FORWARD_ROWS: i32 = 16
const BACKWARD_ROWS: i32 = 64

/** Writes keys and values of `rows` rows into a cache of `capacity` (a multiple of 8) positions from `position` on. */
export function storeKeysValues(
  qkv: usize, stride: usize, rows: i32, heads: i32, position: i32, keys: usize, values: usize, capacity: i32
): void {
  const headBytes = <usize>capacity * HEAD_BYTES
  const panelBytes = <usize>capacity * 32
  const width = <usize>heads * HEAD_BYTES
  for (let row = 0; row < rows; row++) {
    const p = <usize>(position + row)
    for (let head = 0; head < heads; head++) {
      let k = qkv + width + <usize>head * HEAD_BYTES
      let target = keys + <usize>head * headBytes + (p >> 3) * 1024 + (p & 7) * 4
      for (let i = 0; i < 32; i++) {
        store<f32>(target, load<f32>(k))
        k += 4
        target += 32
      }
      const v = qkv + 2 * width + <usize>head * HEAD_BYTES
      for (let quarter: usize = 0; quarter < 4; quarter++) {
        const t = values + <usize>head * headBytes + quarter * panelBytes + p * 32
        v128.store(t, v128.load(v + quarter * 32))
        v128.store(t, v128.load(v + quarter * 32, 16), 16)
      }
    }
    qkv += stride
  }
}

/**
 * Attention of `rows` query rows at `position` and after over the cache, which holds them already.
 * `scores`: scratch of 16·(capacity + 1) floats.
 */
export function attention(
  qkv: usize, stride: usize, rows: i32, heads: i32, position: i32,
  keys: usize, values: usize, capacity: i32, scores: usize, out: usize, outStride: usize
): void {
  const headBytes = <usize>capacity * HEAD_BYTES
  const panelBytes = <usize>capacity * 32
  for (let head = 0; head < heads; head++) {
    const headKeys = keys + <usize>head * headBytes
    const headValues = values + <usize>head * headBytes
    for (let first = 0; first < rows; first += FORWARD_ROWS) {
      const count = min(FORWARD_ROWS, rows - first)
      const visible = position + first + count
      const padded = (visible + 7) & ~7
      const scoreStride = <usize>padded * 4
      const q = qkv + <usize>first * stride + <usize>head * HEAD_BYTES
      matmul(q, stride, count, 32, headKeys, 1024, padded, scores, scoreStride, false)
      for (let row = 0; row < count; row++) {
        const own = position + first + row + 1
        softmax(scores + <usize>row * scoreStride, own, padded, SCORE_SCALE, scores + 16 * scoreStride)
      }
      const o = out + <usize>first * outStride + <usize>head * HEAD_BYTES
      matmul(scores, scoreStride, count, visible, headValues, panelBytes, 32, o, outStride, false)
    }
  }
}

/** dScores ← P·(dP − ⟨P, dP⟩)/√32, row by row: the gradient through softmax and scale. */
function softmaxBackward(probabilities: usize, gradients: usize, rows: i32, stride: usize): void {
  const scale = f32x4.splat(SCORE_SCALE)
  for (let row = 0; row < rows; row++) {
    const p = probabilities + <usize>row * stride
    const d = gradients + <usize>row * stride
    let product = f32x4.splat(0)
    for (let i: usize = 0; i < stride; i += 16) {
      product = multiplyAdd(product, v128.load(p + i), v128.load(d + i))
    }
    const mean = f32x4.splat(sumOfLanes(product))
    for (let i: usize = 0; i < stride; i += 16) {
      const centred = f32x4.sub(v128.load(d + i), mean)
      v128.store(d + i, f32x4.mul(f32x4.mul(v128.load(p + i), centred), scale))
    }
  }
}

/**
 * Backward pass of one whole sequence: from `dOut` to `dQkv` (overwritten). The probabilities are computed again.
 * `work`: scratch of 3·(32 + 64)·n + 4,100 floats, n being `rows` rounded up to a multiple of 8.
 */
export function attentionBackward(
  qkv: usize, stride: usize, rows: i32, heads: i32, dOut: usize, dOutStride: usize, dQkv: usize, work: usize
): void {
  const padded = (rows + 7) & ~7
  const width = <usize>heads * HEAD_BYTES
  const headBytes = <usize>padded * HEAD_BYTES
  const blockBytes = <usize>padded * <usize>BACKWARD_ROWS * 4
  const keysTransposed = work
  const valuesTransposed = keysTransposed + headBytes
  const keyPanels = valuesTransposed + headBytes
  const probabilities = keyPanels + headBytes
  const dScores = probabilities + blockBytes
  const transposed = dScores + blockBytes
  const dOutPanels = transposed + blockBytes
  const queryPanels = dOutPanels + 8192
  const maxAndSum = queryPanels + 8192
  for (let head = 0; head < heads; head++) {
    const q = qkv + <usize>head * HEAD_BYTES
    const k = q + width
    const v = k + width
    const dq = dQkv + <usize>head * HEAD_BYTES
    const dk = dq + width
    const dv = dk + width
    const o = dOut + <usize>head * HEAD_BYTES
    packTransposedPanels(k, stride, rows, 32, keysTransposed, 1024)
    packTransposedPanels(v, stride, rows, 32, valuesTransposed, 1024)
    packPanels(k, stride, rows, 32, keyPanels, <usize>padded * 32)
    for (let row = 0; row < rows; row++) {
      memory.fill(dk + <usize>row * stride, 0, HEAD_BYTES)
      memory.fill(dv + <usize>row * stride, 0, HEAD_BYTES)
    }
    for (let first = 0; first < rows; first += BACKWARD_ROWS) {
      const count = min(BACKWARD_ROWS, rows - first)
      const visible = first + count
      const visiblePadded = (visible + 7) & ~7
      const scoreStride = <usize>visiblePadded * 4
      const blockQ = q + <usize>first * stride
      const blockO = o + <usize>first * dOutStride
      matmul(blockQ, stride, count, 32, keysTransposed, 1024, visiblePadded, probabilities, scoreStride, false)
      for (let row = 0; row < count; row++) {
        softmax(probabilities + <usize>row * scoreStride, first + row + 1, visiblePadded, SCORE_SCALE, maxAndSum)
      }
      matmul(blockO, dOutStride, count, 32, valuesTransposed, 1024, visiblePadded, dScores, scoreStride, false)
      softmaxBackward(probabilities, dScores, count, scoreStride)
      const blockDq = dq + <usize>first * stride
      matmul(dScores, scoreStride, count, visible, keyPanels, <usize>padded * 32, 32, blockDq, stride, false)
      packPanels(blockO, dOutStride, count, 32, dOutPanels, 2048)
      packPanels(blockQ, stride, count, 32, queryPanels, 2048)
      transpose(probabilities, scoreStride, count, visiblePadded, transposed, 256)
      matmul(transposed, 256, visible, count, dOutPanels, 2048, 32, dv, stride, true)
      transpose(dScores, scoreStride, count, visiblePadded, transposed, 256)
      matmul(transposed, 256, visible, count, queryPanels, 2048, 32, dk, stride, true)
    }
  }
}
