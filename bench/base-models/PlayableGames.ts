import * as Either from "effect/Either"
import { readdirSync, readFileSync } from "node:fs"
import { parseGame, step } from "../../src/alfworld/index.js"
import type { EngineState } from "../../src/alfworld/index.js"
import { type GameSpec, gameSpec } from "../../src/household/GameSpec.js"
import { taskSentences } from "../../src/household/TaskSentence.js"
import { realRates, worldOf } from "../../src/household/World.js"
import type { View } from "../../src/embedded/cloning/Demonstration.js"
import type { PlayableGame } from "./Playing.js"
import { openWorld } from "../../src/embedded/cloning/WorldGame.js"

const generated = (spec: GameSpec): PlayableGame => ({
  id: spec.id,
  taskType: spec.taskType,
  open: () => {
    const task = taskSentences(spec.taskType, spec.object, spec.target)[spec.index % 2]
    return openWorld(spec, worldOf(spec, realRates), task)
  }
})

/** The first games of `valid_unseen`, which cloning never plays; 134 hold ALFWorld's share of every task type. */
export const generatedGames = (count: number, seed: number): ReadonlyArray<PlayableGame> =>
  Array.from({ length: count }, (_, index) => generated(gameSpec(seed, "valid_unseen", index)))

const viewOf = (state: EngineState): View => ({
  text: state.observation,
  admissibleCommands: state.admissibleCommands,
  won: state.won
})

/** The games below a folder of `<task folder>/<trial>/game.tw-pddl`, by path. */
export const gamesBelow = (folder: string): ReadonlyArray<PlayableGame> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("game.tw-pddl"))
    .sort()
    .map((path) => ({
      id: path,
      taskType: path.split(/[\\/]/).at(-3)?.split("-", 1)[0] ?? path,
      open: () => {
        const game = Either.getOrThrow(parseGame(readFileSync(`${folder}/${path}`, "utf8"), path))
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
    }))
