/** The built-in household games: ALFWorld-style games made from a seed, to list, to play and to export. */
export { type ExportedGames, exportGames, ExportGamesError, type ExportGamesOptions } from "./ExportGames.js"
export { type GeneratedGame, generateGame } from "./GeneratedGame.js"
export { defaultSeed, defaultTrainGames, gameList, type GameSetOptions, generatorVersion, specsOf } from "./GameSet.js"
export { type GameSpec, gameSpec, gameSpecOfId } from "./GameSpec.js"
export { layerEnvironment, layerGames, layerHousehold } from "./HouseholdGames.js"
export { realRates, tidy, type World, worldOf, type WorldOptions } from "./World.js"
export { type ExpertResult, playExpert } from "./expert/ExpertPlay.js"
