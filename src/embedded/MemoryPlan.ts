import type { Address } from "./Kernels.js"
import type { LinearMap, ModelShape, Tensor } from "./ModelShape.js"
import {
  adapterTensors,
  baseTensors,
  headSize,
  linearMaps,
  linearSize,
  paddedRankOf,
  paddedVocabularyOf,
  widthOf
} from "./ModelShape.js"

/**
 * Where everything lies in an engine's memory: plain data, computed once by the main thread and sent to the workers.
 * All numbers are float32 (positions int32).
 */
export interface MemoryPlan {
  readonly bytes: number
  readonly shape: ModelShape
  /** What `forwardBackward` differentiates. */
  readonly training: Training
  readonly model: ModelPlan
  /** One per worker. */
  readonly workspaces: ReadonlyArray<WorkspacePlan>
  readonly slots: SlotsPlan
  /** Gradient of each shard; laid out like the trained region. Empty when nothing is trained. */
  readonly gradients: ReadonlyArray<Address>
  /** Adam's moments of the trained region. */
  readonly firstMoments: Address
  readonly secondMoments: Address
}

/** Which parameters are trained: none, the adapter's, or all of the base network's. */
export type Training = "none" | "adapter" | "base"

/** Gradients are always summed in this many shards, in order, so that they do not depend on the number of workers. */
export const shardCount = 4

/** Rows a block of the forward and backward passes has. */
export const blockRows = 256

/** Consecutive parameters. */
export interface Region {
  readonly start: Address
  readonly floats: number
  readonly tensors: ReadonlyArray<PlacedTensor>
}

export interface PlacedTensor extends Tensor {
  readonly address: Address
}

export interface LinearPlan {
  readonly inputs: number
  readonly outputs: number
  readonly weight: Address
  /** Low-rank factors, 0 where there is no adapter. */
  readonly factorA: Address
  readonly factorB: Address
  /** The effective matrix W + 2AB in panels, for x·W. */
  readonly panels: Address
  /** Its transpose in panels, for dy·Wᵀ; 0 when nothing is trained. */
  readonly transposedPanels: Address
  /** 2A in panels and 2Bᵀ in panels, for the adapter's gradient. */
  readonly factorAPanels: Address
  readonly factorBTransposedPanels: Address
}

export interface LayerPlan {
  readonly attentionNorm: Address
  readonly feedForwardNorm: Address
  readonly linear: Readonly<Record<LinearMap, LinearPlan>>
}

export interface ModelPlan {
  /** The adapter's rank as the kernels see it (a multiple of 8), 0 without adapter. */
  readonly paddedRank: number
  readonly base: Region
  readonly adapter: Region
  readonly tokenEmbedding: Address
  readonly previousEmbedding: Address
  readonly secondPreviousEmbedding: Address
  readonly finalNorm: Address
  readonly layers: ReadonlyArray<LayerPlan>
  /** The tied head Eᵀ in panels, and E in panels for its gradient. */
  readonly headPanels: Address
  readonly headTransposedPanels: Address
  /** Rotary tables [position][16]. */
  readonly cosines: Address
  readonly sines: Address
  /** Scratch for packing: the largest linear map, and the scaled factors. */
  readonly effective: Address
  readonly scaledFactor: Address
}

/** What the forward pass of a layer leaves for the backward pass. */
export interface LayerActivations {
  readonly queryKeyValue: Address
  readonly attended: Address
  readonly middle: Address
  readonly up: Address
  readonly attentionScales: Address
  readonly feedForwardScales: Address
}

/** A worker's scratch memory. */
export interface WorkspacePlan {
  /** Rows it can hold: the context length. */
  readonly maxRows: number
  readonly positions: Address
  /** The residual stream before each layer and after the last; a single one where nothing is trained. */
  readonly hidden: ReadonlyArray<Address>
  readonly activations: ReadonlyArray<LayerActivations>
  readonly normed: Address
  readonly gelu: Address
  readonly scores: Address
  readonly headInput: Address
  readonly headNormed: Address
  readonly headScales: Address
  readonly logits: Address
  readonly maxAndSum: Address
  /** A copy of one row of logits, for drawing at another temperature. */
  readonly drawRow: Address
  /** Keys and values of one layer of one sequence, for scoring and training. */
  readonly keys: Address
  readonly values: Address
  readonly backward: BackwardPlan | undefined
}

/** Scratch of the backward pass. */
export interface BackwardPlan {
  readonly dHidden: Address
  readonly dAttended: Address
  readonly dQueryKeyValue: Address
  readonly dUp: Address
  readonly attentionWork: Address
  readonly transposedInput: Address
  readonly packedOutput: Address
  readonly lowRankInput: Address
  readonly lowRankInputTransposed: Address
  readonly lowRankOutput: Address
}

/** Key-value caches of sequences being sampled. */
export interface SlotsPlan {
  readonly count: number
  readonly start: Address
  readonly slotBytes: number
}

/** Hands out 64-byte aligned places one after another. */
class Allocator {
  // Address 0 means "absent", and compiled code may keep data in the first page.
  private next = 65_536

  floats(count: number): Address {
    const address = this.next
    this.next = Math.ceil((address + count * 4) / 64) * 64
    return address
  }

  get end(): Address {
    return this.next
  }
}

const placeRegion = (allocator: Allocator, tensors: ReadonlyArray<Tensor>): Region => {
  const start = allocator.end
  const placed = tensors.map((tensor) => ({
    ...tensor,
    address: allocator.floats(tensor.paddedRows * tensor.columns)
  }))
  return { start, floats: (allocator.end - start) / 4, tensors: placed }
}

const planModel = (allocator: Allocator, shape: ModelShape, rank: number, training: Training): ModelPlan => {
  const width = widthOf(shape)
  const paddedRank = paddedRankOf(rank)
  const trained = training !== "none"
  const base = placeRegion(allocator, baseTensors(shape))
  const adapter = placeRegion(allocator, rank === 0 ? [] : adapterTensors(shape, rank))
  const addresses = new Map([...base.tensors, ...adapter.tensors].map((tensor) => [tensor.name, tensor.address]))
  const at = (name: string): Address => addresses.get(name) ?? 0
  const planLinear = (layer: number, map: LinearMap): LinearPlan => {
    const { inputs, outputs } = linearSize(shape, map)
    const name = `layers.${layer}.${map}`
    const size = inputs * outputs
    const lowRank = training === "adapter"
    return {
      inputs,
      outputs,
      weight: at(name),
      factorA: at(`${name}.a`),
      factorB: at(`${name}.b`),
      panels: allocator.floats(size),
      transposedPanels: trained ? allocator.floats(size) : 0,
      factorAPanels: lowRank ? allocator.floats(inputs * paddedRank) : 0,
      factorBTransposedPanels: lowRank ? allocator.floats(outputs * paddedRank) : 0
    }
  }
  const planLayer = (layer: number): LayerPlan => ({
    attentionNorm: at(`layers.${layer}.attentionNorm`),
    feedForwardNorm: at(`layers.${layer}.feedForwardNorm`),
    linear: {
      queryKeyValue: planLinear(layer, "queryKeyValue"),
      attentionOutput: planLinear(layer, "attentionOutput"),
      up: planLinear(layer, "up"),
      down: planLinear(layer, "down")
    }
  })
  const sizes = linearMaps.map((map) => linearSize(shape, map))
  const largest = Math.max(...sizes.map(({ inputs, outputs }) => inputs * outputs))
  const longest = Math.max(...sizes.map(({ inputs, outputs }) => Math.max(inputs, outputs)))
  const headFloats = paddedVocabularyOf(shape) * width
  return {
    paddedRank,
    base,
    adapter,
    tokenEmbedding: at("tokenEmbedding"),
    previousEmbedding: at("previousEmbedding"),
    secondPreviousEmbedding: at("secondPreviousEmbedding"),
    finalNorm: at("finalNorm"),
    layers: Array.from({ length: shape.layers }, (_, layer) => planLayer(layer)),
    headPanels: allocator.floats(headFloats),
    headTransposedPanels: trained ? allocator.floats(headFloats) : 0,
    cosines: allocator.floats(shape.contextLength * (headSize / 2)),
    sines: allocator.floats(shape.contextLength * (headSize / 2)),
    effective: allocator.floats(largest),
    scaledFactor: allocator.floats(2 * longest * paddedRank)
  }
}

const planBackward = (allocator: Allocator, shape: ModelShape, paddedRank: number): BackwardPlan => {
  const width = widthOf(shape)
  const rows = shape.contextLength
  const widest = Math.max(3 * width, shape.feedForward, paddedVocabularyOf(shape))
  return {
    dHidden: allocator.floats(rows * width),
    dAttended: allocator.floats(rows * width),
    dQueryKeyValue: allocator.floats(rows * 3 * width),
    dUp: allocator.floats(blockRows * shape.feedForward),
    attentionWork: allocator.floats(3 * (headSize + 64) * rows + 4100),
    transposedInput: allocator.floats(widest * blockRows),
    packedOutput: allocator.floats(widest * blockRows),
    lowRankInput: allocator.floats(blockRows * paddedRank),
    lowRankInputTransposed: allocator.floats(blockRows * paddedRank),
    lowRankOutput: allocator.floats(blockRows * paddedRank)
  }
}

const planWorkspace = (
  allocator: Allocator,
  shape: ModelShape,
  paddedRank: number,
  training: Training
): WorkspacePlan => {
  const width = widthOf(shape)
  const rows = shape.contextLength
  const vocabulary = paddedVocabularyOf(shape)
  const trained = training !== "none"
  const planActivations = (): LayerActivations => ({
    queryKeyValue: allocator.floats(rows * 3 * width),
    attended: allocator.floats(rows * width),
    middle: allocator.floats(rows * width),
    up: allocator.floats((trained ? rows : Math.min(rows, blockRows)) * shape.feedForward),
    attentionScales: allocator.floats(rows),
    feedForwardScales: allocator.floats(rows)
  })
  return {
    maxRows: rows,
    positions: allocator.floats(rows),
    hidden: Array.from({ length: trained ? shape.layers + 1 : 1 }, () => allocator.floats(rows * width)),
    activations: Array.from({ length: trained ? shape.layers : 1 }, planActivations),
    normed: allocator.floats(blockRows * Math.max(width, shape.feedForward)),
    gelu: allocator.floats(blockRows * shape.feedForward),
    scores: allocator.floats(16 * (rows + 1)),
    headInput: allocator.floats(rows * width),
    headNormed: allocator.floats(rows * width),
    headScales: allocator.floats(rows),
    logits: allocator.floats(rows * vocabulary),
    maxAndSum: allocator.floats(2),
    drawRow: allocator.floats(vocabulary),
    keys: allocator.floats(rows * width),
    values: allocator.floats(rows * width),
    backward: trained ? planBackward(allocator, shape, paddedRank) : undefined
  }
}

/** What a plan is made for. */
export interface PlanRequest {
  readonly shape: ModelShape
  /** Rank of the adapter, 0 for none. */
  readonly rank: number
  readonly training: Training
  readonly workers: number
  /** Sequences whose keys and values are kept between calls of the sampler. */
  readonly slots: number
}

/** Places everything. */
export const planMemory = (request: PlanRequest): MemoryPlan => {
  const { shape, rank, training, workers, slots } = request
  const allocator = new Allocator()
  const model = planModel(allocator, shape, rank, training)
  const trainedFloats = training === "none" ? 0 : (training === "base" ? model.base : model.adapter).floats
  const gradients = training === "none"
    ? []
    : Array.from({ length: shardCount }, () => allocator.floats(trainedFloats))
  const firstMoments = allocator.floats(trainedFloats)
  const secondMoments = allocator.floats(trainedFloats)
  const workspaces = Array.from(
    { length: workers },
    () => planWorkspace(allocator, shape, model.paddedRank, training)
  )
  const slotFloats = shape.layers * 2 * shape.contextLength * widthOf(shape)
  const start = allocator.floats(slots * slotFloats)
  return {
    bytes: allocator.end,
    shape,
    training,
    model,
    workspaces,
    slots: { count: slots, start, slotBytes: slotFloats * 4 },
    gradients,
    firstMoments,
    secondMoments
  }
}

/** The region that is trained. */
export const trainedRegion = (plan: MemoryPlan): Region =>
  plan.training === "base" ? plan.model.base : plan.model.adapter

/** Where a sequence's keys and values of a layer lie. */
export interface KeyValueCache {
  readonly capacity: number
  readonly keys: (layer: number) => Address
  readonly values: (layer: number) => Address
}

/** The cache of a slot. */
export const slotCache = (plan: MemoryPlan, slot: number): KeyValueCache => {
  const capacity = plan.shape.contextLength
  const half = capacity * widthOf(plan.shape) * 4
  const start = plan.slots.start + slot * plan.slots.slotBytes
  return {
    capacity,
    keys: (layer) => start + 2 * layer * half,
    values: (layer) => start + (2 * layer + 1) * half
  }
}
