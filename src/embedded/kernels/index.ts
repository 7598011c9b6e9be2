// What the WebAssembly module exports; `../Kernels.ts` types it for TypeScript.

export { attention, attentionBackward, storeKeysValues } from "./attention"
export { gelu, geluBackward } from "./gelu"
export { matmul } from "./matmul"
export { rmsNorm, rmsNormBackward } from "./normalization"
export { adam, addScaled } from "./optimizer"
export { packPanels, packTransposedPanels, transpose } from "./packing"
export { rotate } from "./rotary"
export { softmax } from "./softmax"
