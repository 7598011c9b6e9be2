/** ALFWorld-style text games: a native engine for `game.tw-pddl` files and the Layers that play a data set of them. */
export { type CompiledGame, type EngineState, start, step } from "./Engine.js"
export { type GameFileContents, parseGame, parseGameFile } from "./GameFile.js"
export { GameFileError, type GameFileSection, GameStepError } from "./GameFileError.js"
