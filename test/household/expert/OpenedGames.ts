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

/** Where games in the wording of data release 2.1.1 lie, if they are there. */
export const oldGamesDir = sharedDir("alfworld/games-extra/v2.1.1-wording")

/** All games below a folder, by path; none where the folder is absent. */
export const gamesOf = (
  folder: string | undefined
): ReadonlyArray<{ readonly name: string; readonly game: OpenGame }> =>
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("game.tw-pddl"))
      .sort()
      .map((name) => ({ name, game: openText(readFileSync(`${folder}/${name}`, "utf8"), name) }))
