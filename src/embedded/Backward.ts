import { forBlocks } from "./Forward.js"
import type { Address } from "./Kernels.js"
import type { Machine } from "./Machine.js"
import { clearFloats } from "./Machine.js"
import type { BackwardPlan, LayerActivations, LayerPlan, LinearPlan } from "./MemoryPlan.js"
import { trainedRegion } from "./MemoryPlan.js"
import { embeddingScale, paddedVocabularyOf, widthOf } from "./ModelShape.js"
import type { ScoredBatch } from "./Scoring.js"

/** What the steps of one backward pass share. */
interface Pass {
  readonly machine: Machine
  readonly scratch: BackwardPlan
  /** All parameters are trained, not only the adapter's. */
  readonly all: boolean
  /** The gradient of the parameter at address p is gathered at p + offset. */
  readonly offset: number
}

/** Gathers dW += xᵀ·dy over at most 256 rows. */
const addProduct = (
  pass: Pass,
  x: Address,
  inputs: number,
  dy: Address,
  outputs: number,
  rows: number,
  target: Address
): void => {
  const { kernels } = pass.machine
  const { packedOutput, transposedInput } = pass.scratch
  kernels.transpose(x, inputs * 4, rows, inputs, transposedInput, rows * 4)
  kernels.packPanels(dy, outputs * 4, rows, outputs, packedOutput, rows * 32)
  kernels.matmul(
    transposedInput, rows * 4, inputs, rows, packedOutput, rows * 32, outputs, target, outputs * 4, true
  )
}

/** Gathers dA += xᵀ·(dy·2Bᵀ) and dB += (x·2A)ᵀ·dy over at most 256 rows. */
const addLowRankProducts = (pass: Pass, map: LinearPlan, x: Address, dy: Address, rows: number): void => {
  const { machine: { kernels, plan }, offset, scratch } = pass
  const { inputs, outputs } = map
  const rank = plan.model.paddedRank
  const xA = scratch.lowRankInput
  kernels.matmul(x, inputs * 4, rows, inputs, map.factorAPanels, inputs * 32, rank, xA, rank * 4, false)
  // dy·2Bᵀ is written panel by panel: it is the right operand of the next product.
  for (let panel = 0; panel < rank / 8; panel++) {
    const factor = map.factorBTransposedPanels + panel * outputs * 32
    const target = scratch.lowRankOutput + panel * rows * 32
    kernels.matmul(dy, outputs * 4, rows, outputs, factor, outputs * 32, 8, target, 32, false)
  }
  kernels.transpose(x, inputs * 4, rows, inputs, scratch.transposedInput, rows * 4)
  kernels.matmul(
    scratch.transposedInput, rows * 4, inputs, rows,
    scratch.lowRankOutput, rows * 32, rank,
    map.factorA + offset, rank * 4, true
  )
  kernels.transpose(xA, rank * 4, rows, rank, scratch.lowRankInputTransposed, rows * 4)
  kernels.packPanels(dy, outputs * 4, rows, outputs, scratch.packedOutput, rows * 32)
  kernels.matmul(
    scratch.lowRankInputTransposed, rows * 4, rank, rows,
    scratch.packedOutput, rows * 32, outputs,
    map.factorB + offset, outputs * 4, true
  )
}

const addLinearGradient = (pass: Pass, map: LinearPlan, x: Address, dy: Address, rows: number): void => {
  if (pass.all) {
    addProduct(pass, x, map.inputs, dy, map.outputs, rows, map.weight + pass.offset)
  } else {
    addLowRankProducts(pass, map, x, dy, rows)
  }
}

/** dx = dy·Wᵀ. */
const throughLinear = (pass: Pass, map: LinearPlan, dy: Address, rows: number, dx: Address): void => {
  const { inputs, outputs, transposedPanels } = map
  pass.machine.kernels.matmul(
    dy, outputs * 4, rows, outputs, transposedPanels, outputs * 32, inputs, dx, inputs * 4, false
  )
}

/** Where a norm's gain gathers its gradient; 0 where it is not trained. */
const gainGradient = (pass: Pass, gain: Address): Address => (pass.all ? gain + pass.offset : 0)

/** From the coefficients of the log-probabilities to the gradient of the last hidden rows, in `scratch.dHidden`. */
const headBackward = (pass: Pass, batch: ScoredBatch, coefficients: ArrayLike<number>): void => {
  const { machine, scratch } = pass
  const { floats, kernels, plan: { model, shape }, workspace } = machine
  const width = widthOf(shape)
  const rowBytes = width * 4
  const vocabulary = paddedVocabularyOf(shape)
  const count = batch.targets.length
  // d log p(target) / d logits = onehot(target) − p, and the workspace's logits hold p.
  for (let k = 0; k < count; k++) {
    const row = workspace.logits / 4 + k * vocabulary
    const coefficient = coefficients[k]
    for (let v = 0; v < shape.vocabularySize; v++) floats[row + v] *= -coefficient
    floats[row + batch.targets[k]] += coefficient
  }
  if (pass.all) {
    forBlocks(count, (first, rows) => {
      const dLogits = workspace.logits + first * vocabulary * 4
      const normed = workspace.headNormed + first * rowBytes
      addProduct(pass, dLogits, vocabulary, normed, width, rows, model.tokenEmbedding + pass.offset)
    })
  }
  const dNormed = scratch.dAttended
  const dInput = scratch.dQueryKeyValue
  kernels.matmul(
    workspace.logits, vocabulary * 4, count, vocabulary,
    model.headTransposedPanels, vocabulary * 32, width,
    dNormed, rowBytes, false
  )
  clearFloats(machine, dInput, count * width)
  kernels.rmsNormBackward(
    workspace.headInput, count, width, model.finalNorm, workspace.headScales,
    dNormed, dInput, gainGradient(pass, model.finalNorm)
  )
  clearFloats(machine, scratch.dHidden, batch.rows * width)
  for (let k = 0; k < count; k++) {
    kernels.addScaled(scratch.dHidden + batch.predictingRows[k] * rowBytes, dInput + k * rowBytes, width, 1)
  }
}

/** Through a layer's feed-forward part and its attention's output map; leaves `scratch.dAttended`. */
const feedForwardBackward = (pass: Pass, layer: LayerPlan, saved: LayerActivations, rows: number): void => {
  const { machine: { kernels, plan: { shape }, workspace }, scratch } = pass
  const width = widthOf(shape)
  const { attentionOutput, down, up } = layer.linear
  forBlocks(rows, (first, count) => {
    const offset = first * width * 4
    const dOut = scratch.dHidden + offset
    const middle = saved.middle + offset
    const upRows = saved.up + first * shape.feedForward * 4
    const scales = saved.feedForwardScales + first * 4
    kernels.gelu(upRows, count * shape.feedForward, workspace.gelu)
    addLinearGradient(pass, down, workspace.gelu, dOut, count)
    throughLinear(pass, down, dOut, count, scratch.dUp)
    kernels.geluBackward(upRows, count * shape.feedForward, scratch.dUp)
    kernels.rmsNorm(middle, count, width, layer.feedForwardNorm, workspace.normed, scales)
    addLinearGradient(pass, up, workspace.normed, scratch.dUp, count)
    throughLinear(pass, up, scratch.dUp, count, workspace.normed)
    const dGain = gainGradient(pass, layer.feedForwardNorm)
    kernels.rmsNormBackward(middle, count, width, layer.feedForwardNorm, scales, workspace.normed, dOut, dGain)
    addLinearGradient(pass, attentionOutput, saved.attended + offset, dOut, count)
    throughLinear(pass, attentionOutput, dOut, count, scratch.dAttended + offset)
  })
}

/** Through a layer's attention and first norm. `last`: nothing below it is trained. */
const attentionLayerBackward = (
  pass: Pass,
  layer: LayerPlan,
  saved: LayerActivations,
  input: Address,
  batch: ScoredBatch,
  last: boolean
): void => {
  const { machine: { kernels, plan: { model, shape }, workspace }, scratch } = pass
  const width = widthOf(shape)
  const rowBytes = width * 4
  const stride = 3 * rowBytes
  const { queryKeyValue } = layer.linear
  for (const { row, rows } of batch.segments) {
    const qkv = saved.queryKeyValue + row * stride
    const dOut = scratch.dAttended + row * rowBytes
    const dQkv = scratch.dQueryKeyValue + row * stride
    kernels.attentionBackward(qkv, stride, rows, shape.heads, dOut, rowBytes, dQkv, scratch.attentionWork)
  }
  forBlocks(batch.rows, (first, count) => {
    const dQkv = scratch.dQueryKeyValue + first * stride
    const inputRows = input + first * rowBytes
    const scales = saved.attentionScales + first * 4
    const positions = workspace.positions + first * 4
    kernels.rotate(dQkv, stride, count, 2 * shape.heads, positions, model.cosines, model.sines, -1)
    kernels.rmsNorm(inputRows, count, width, layer.attentionNorm, workspace.normed, scales)
    addLinearGradient(pass, queryKeyValue, workspace.normed, dQkv, count)
    if (last) return
    throughLinear(pass, queryKeyValue, dQkv, count, workspace.normed)
    const dHidden = scratch.dHidden + first * rowBytes
    const dGain = gainGradient(pass, layer.attentionNorm)
    kernels.rmsNormBackward(inputRows, count, width, layer.attentionNorm, scales, workspace.normed, dHidden, dGain)
  })
}

const embeddingsBackward = (pass: Pass, batch: ScoredBatch): void => {
  const { machine: { kernels, plan: { model, shape } }, offset, scratch } = pass
  const width = widthOf(shape)
  let row = 0
  const add = (embedding: Address, id: number): void => {
    const gradient = embedding + offset + id * width * 4
    kernels.addScaled(gradient, scratch.dHidden + row * width * 4, width, embeddingScale)
  }
  for (const ids of batch.sequences) {
    for (let t = 0; t < ids.length; t++) {
      add(model.tokenEmbedding, ids[t])
      add(model.previousEmbedding, t >= 1 ? ids[t - 1] : 0)
      add(model.secondPreviousEmbedding, t >= 2 ? ids[t - 2] : 0)
      row++
    }
  }
}

/**
 * Adds a batch's gradient to one shard. The batch must be the last one scored with `keep` on this machine;
 * `coefficients[k]` is the loss's derivative by the k-th log-probability.
 */
export const backward = (
  machine: Machine,
  batch: ScoredBatch,
  coefficients: ArrayLike<number>,
  gradient: Address
): void => {
  const { plan, workspace } = machine
  const scratch = workspace.backward
  if (scratch === undefined || batch.targets.length === 0) return
  const all = plan.training === "base"
  const pass: Pass = { machine, scratch, all, offset: gradient - trainedRegion(plan).start }
  headBackward(pass, batch, coefficients)
  for (let index = plan.shape.layers - 1; index >= 0; index--) {
    const layer = plan.model.layers[index]
    const saved = workspace.activations[index]
    feedForwardBackward(pass, layer, saved, batch.rows)
    attentionLayerBackward(pass, layer, saved, workspace.hidden[index], batch, index === 0 && !all)
  }
  if (all) embeddingsBackward(pass, batch)
}
