/** ALFWorld-style text games: a native engine for `game.tw-pddl` files and the Layers that play a data set of them. */
export { type AlfworldOptions, layerAlfworld, layerEnvironment, layerGames } from "./AlfworldGames.js"
export { locateSplits } from "./DataRoot.js"
export {
  describeSkipReason,
  type DiscoveredGames,
  discoverGames,
  type DiscoveryOptions,
  type SkippedGames
} from "./Discovery.js"
export { defaultIndexFolder, SkipReason } from "./DiscoveryIndex.js"
export { type CompiledGame, type EngineState, start, step } from "./Engine.js"
export { type GameFileContents, parseGame, parseGameFile } from "./GameFile.js"
export { GameFileError, GameFileSection, GameStepError } from "./GameFileError.js"
export {
  type GameText,
  layerNative,
  makeNative,
  type NativeEnvironmentOptions,
  readGameFile
} from "./NativeEnvironment.js"
