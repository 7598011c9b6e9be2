import { createHash } from "node:crypto"
import type { Split } from "../domain/Game.js"
import type { GameList } from "../services/Games.js"
import { type GameSpec, gameSpec, validationGames } from "./GameSpec.js"

/** Which of the generator's games there are. */
export interface GameSetOptions {
  /** Another seed gives other games and other rooms; 0 by default. A non-negative integer. */
  readonly seed?: number
  /** How many training games are listed; 3,000 by default. More games do not change the others. */
  readonly trainGames?: number
}

export const defaultSeed = 0
export const defaultTrainGames = 3000

/** Goes up whenever some game's text changes, so that records made with other texts have another manifest hash. */
export const generatorVersion = 1

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, number) => all + number, 0)

/** The games of a split, sorted by id (code points). */
export const specsOf = (options: GameSetOptions, split: Split): ReadonlyArray<GameSpec> => {
  const seed = options.seed ?? defaultSeed
  const length = split === "train"
    ? options.trainGames ?? defaultTrainGames
    : sum(Object.values(validationGames[split]))
  const specs = Array.from({ length }, (_, index) => gameSpec(seed, split, index))
  return specs.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The games of a split as the Games service lists them. The manifest hash covers the generator's version and the
 * ids, which carry the seed: together they determine every byte of every game.
 */
export const gameList = (options: GameSetOptions, split: Split): GameList => {
  const games = specsOf(options, split).map(({ id, taskType }) => ({ id, split, taskType }))
  const hash = createHash("sha256").update(`agentopsd household games ${generatorVersion}\n`)
  for (const { id } of games) hash.update(`${id}\n`)
  return { games, manifestHash: hash.digest("hex") }
}
