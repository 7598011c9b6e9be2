/** The built-in policy: a small transformer with its own optimiser, sampled and trained in this process. */
export { type ModelFiles, packagedModels } from "./BaseModels.js"
export {
  type CloningSequence,
  type CloningStart,
  type CloningStep,
  type CloningTrainer,
  makeCloningTrainer
} from "./CloningTrainer.js"
export { type EmbeddedPolicyOptions, layerEmbeddedPolicy } from "./EmbeddedPolicy.js"
export { EngineError } from "./Engine.js"
export { type ModelShape, standardShape } from "./ModelShape.js"
export { decodeWeights, encodeWeights, type ModelWeights, WeightFileError } from "./WeightFile.js"
export { layer as layerEmbeddedChatFormat } from "./chat/EmbeddedChatFormat.js"
export { hintFor, layer as layerEmbeddedHints } from "./chat/Hints.js"
