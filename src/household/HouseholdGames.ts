import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerNative } from "../alfworld/NativeEnvironment.js"
import { type Game, Split } from "../domain/Game.js"
import { type Environment, EnvironmentError } from "../services/Environment.js"
import { Games, GamesError } from "../services/Games.js"
import { generateGame } from "./GeneratedGame.js"
import { defaultSeed, gameList, type GameSetOptions } from "./GameSet.js"
import { gameSpecOfId } from "./GameSpec.js"

const sourceOf = (seed: number): string => `built-in household games (seed ${seed})`

/** Lists the built-in games: the splits `train`, `valid_seen` and `valid_unseen`. */
export const layerGames = (options: GameSetOptions = {}): Layer.Layer<Games> => {
  const source = sourceOf(options.seed ?? defaultSeed)
  return Layer.succeed(Games, {
    source,
    list: Effect.fn("HouseholdGames.list")(function*(split: string) {
      if (!Schema.is(Split)(split)) {
        return yield* new GamesError({
          source,
          reason: `there is no split ${JSON.stringify(split)}`,
          fix: `The splits are ${Split.literals.join(", ")}`
        })
      }
      return gameList(options, split)
    })
  })
}

/** Plays the built-in games of a seed: any whose id the generator gives, whether a list has it or not. */
export const layerEnvironment = ({ seed = defaultSeed }: GameSetOptions = {}): Layer.Layer<Environment> =>
  layerNative(Effect.fn("HouseholdGames.generate")(function*(game: Game) {
    const spec = gameSpecOfId(seed, game.id)
    if (spec === undefined) {
      return yield* new EnvironmentError({
        gameId: game.id,
        operation: "open",
        reason: `the ${sourceOf(seed)} have no game of this name. Another seed or version may have made it.`,
        retryable: false
      })
    }
    return { text: generateGame(spec).text, file: game.id }
  }))

/** The built-in household games, listed and playable: nothing to download, generated from their seed when opened. */
export const layerHousehold = (options: GameSetOptions = {}): Layer.Layer<Games | Environment> =>
  Layer.merge(layerGames(options), layerEnvironment(options))
