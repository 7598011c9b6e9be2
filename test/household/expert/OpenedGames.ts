import * as Either from "effect/Either"
import { readdirSync, readFileSync } from "node:fs"
import { type EngineState, parseGame, step } from "../../../src/alfworld/index.js"
import type { OpenGame, View } from "../../../src/embedded/cloning/Demonstration.js"
import { sharedDir } from "../../shared.js"

const viewOf = (state: EngineState): View => ({
  text: state.observation,
  admissibleCommands: state.admissibleCommands,
  won: state.won
})

/** A game file, played by the native engine. */
export const openText = (text: string, file: string): OpenGame => {
  const game = Either.getOrThrow(parseGame(text, file))
  let state = game.initial
  return {
    task: game.task,
    initial: viewOf(state),
    step: (command) => {
      state = Either.getOrThrow(step(game, state, command))
      return viewOf(state)
    }
  }
}

/** Where the real games lie, if they are there. */
export const realGamesDir = sharedDir("alfworld/games")

/** All real games, by path. */
export const realGames = (): ReadonlyArray<{ readonly name: string; readonly game: OpenGame }> =>
  realGamesDir === undefined
    ? []
    : readdirSync(realGamesDir, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("game.tw-pddl"))
      .sort()
      .map((name) => ({ name, game: openText(readFileSync(`${realGamesDir}/${name}`, "utf8"), name) }))
