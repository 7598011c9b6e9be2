/**
 * The built-in policy's network: a causal transformer over a small word vocabulary.
 *
 * The input at position t is 4·(E[xₜ] + P[xₜ₋₁] + Q[xₜ₋₂]): embeddings of the two tokens before stand beside the
 * token's own, which gives the network cheap induction (id 0 stands for what lies before the start). Each layer is RMS
 * norm, causal attention with rotary positions, RMS norm, tanh-GELU feed-forward, both with residual connections; the
 * head is a last RMS norm and Eᵀ. There are no biases.
 */
export interface ModelShape {
  readonly layers: number
  /** Attention heads of 32 dimensions each; the width of the network is 32 times this. */
  readonly heads: number
  /** Width of the feed-forward layer, a multiple of 32. */
  readonly feedForward: number
  /** Number of words. */
  readonly vocabularySize: number
  /** Longest sequence in tokens, a multiple of 8. */
  readonly contextLength: number
}

/** Dimensions of an attention head; the kernels are written for it. */
export const headSize = 32

/** The inputs' scale: sums of three small embeddings are brought to the size the norms like. */
export const embeddingScale = 4

/** Width of the residual stream. */
export const widthOf = (shape: ModelShape): number => shape.heads * headSize

const roundUpTo8 = (n: number): number => Math.ceil(n / 8) * 8

/** Rows of an embedding in memory: the kernels work on multiples of 8; the rows past the vocabulary stay 0. */
export const paddedVocabularyOf = (shape: ModelShape): number => roundUpTo8(shape.vocabularySize)

/** Columns of a low-rank factor in memory; those past the rank stay 0. */
export const paddedRankOf = (rank: number): number => roundUpTo8(rank)

/** Longest adapter rank: beyond it the factors are larger than the matrices they change. */
export const largestRank = 64

/** Context of the models that come with the package, in tokens. */
export const standardContext = 1024

/** The shape of the models that come with the package, for a vocabulary. */
export const standardShape = (vocabularySize: number): ModelShape => ({
  layers: 3,
  heads: 4,
  feedForward: 512,
  vocabularySize,
  contextLength: standardContext
})

/** What is wrong with a shape, or `undefined`. */
export const shapeProblem = (shape: ModelShape): string | undefined => {
  const limits = [
    ["layers", shape.layers, 1, 64, 1],
    ["heads", shape.heads, 1, 32, 1],
    ["feedForward", shape.feedForward, 32, 8192, 32],
    ["vocabularySize", shape.vocabularySize, 2, 65_536, 1],
    ["contextLength", shape.contextLength, 8, 16_384, 8]
  ] as const
  for (const [name, value, least, most, step] of limits) {
    if (!Number.isInteger(value) || value < least || value > most || value % step !== 0) {
      return `${name} is ${value}, not a multiple of ${step} from ${least} to ${most}`
    }
  }
  return undefined
}

/** A parameter of the network: a row-major matrix, or a norm's gain (one row). */
export interface Tensor {
  readonly name: string
  readonly rows: number
  readonly columns: number
  /** Rows it has in memory; those past `rows` stay 0. */
  readonly paddedRows: number
}

/** The linear maps of a layer, applied as x·W with W of [inputs, outputs]. */
export const linearMaps = ["queryKeyValue", "attentionOutput", "up", "down"] as const
export type LinearMap = (typeof linearMaps)[number]

/** Size of a linear map. */
export interface LinearSize {
  readonly inputs: number
  readonly outputs: number
}

/** Inputs and outputs of a linear map. */
export const linearSize = (shape: ModelShape, map: LinearMap): LinearSize => {
  const width = widthOf(shape)
  switch (map) {
    case "queryKeyValue":
      return { inputs: width, outputs: 3 * width }
    case "attentionOutput":
      return { inputs: width, outputs: width }
    case "up":
      return { inputs: width, outputs: shape.feedForward }
    case "down":
      return { inputs: shape.feedForward, outputs: width }
  }
}

/** All parameters of the base network, in the order of weight files. */
export const baseTensors = (shape: ModelShape): ReadonlyArray<Tensor> => {
  const width = widthOf(shape)
  const embedding = (name: string): Tensor => ({
    name,
    rows: shape.vocabularySize,
    columns: width,
    paddedRows: paddedVocabularyOf(shape)
  })
  const gain = (name: string): Tensor => ({ name, rows: 1, columns: width, paddedRows: 1 })
  const layer = (index: number): ReadonlyArray<Tensor> => [
    gain(`layers.${index}.attentionNorm`),
    gain(`layers.${index}.feedForwardNorm`),
    ...linearMaps.map((map) => {
      const { inputs, outputs } = linearSize(shape, map)
      return { name: `layers.${index}.${map}`, rows: inputs, columns: outputs, paddedRows: inputs }
    })
  ]
  return [
    embedding("tokenEmbedding"),
    embedding("previousEmbedding"),
    embedding("secondPreviousEmbedding"),
    gain("finalNorm"),
    ...Array.from({ length: shape.layers }, (_, index) => layer(index)).flat()
  ]
}

/**
 * The low-rank adapter (Hu et al. 2021): every linear map becomes W + 2·A·B, the scale α/r being 2 at any rank.
 * A is [inputs, rank] and B [rank, outputs], both with the rank padded.
 */
export const adapterScale = 2

/** All parameters of an adapter, in the order of checkpoint files. */
export const adapterTensors = (shape: ModelShape, rank: number): ReadonlyArray<Tensor> => {
  const padded = paddedRankOf(rank)
  return Array.from({ length: shape.layers }, (_, index) =>
    linearMaps.flatMap((map) => {
      const { inputs, outputs } = linearSize(shape, map)
      return [
        { name: `layers.${index}.${map}.a`, rows: inputs, columns: padded, paddedRows: inputs },
        { name: `layers.${index}.${map}.b`, rows: padded, columns: outputs, paddedRows: padded }
      ]
    })).flat()
}

/** Number of floats of a list of tensors, without padding rows. */
export const countParameters = (tensors: ReadonlyArray<Tensor>): number =>
  tensors.reduce((sum, tensor) => sum + tensor.rows * tensor.columns, 0)
