import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Split } from "../domain/Game.js"
import { generateGame } from "./GeneratedGame.js"
import { type GameSetOptions, specsOf } from "./GameSet.js"
import type { GameSpec } from "./GameSpec.js"

/** Games could not be written to a folder. `fix` says what a person can do. */
export class ExportGamesError extends Schema.TaggedError<ExportGamesError>("agentopsd/ExportGamesError")(
  "ExportGamesError",
  {
    directory: Schema.String,
    reason: Schema.String,
    fix: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `Cannot export games to ${this.directory}: ${this.reason}. ${this.fix}`
  }
}

export interface ExportGamesOptions extends GameSetOptions {
  /** The splits to write; all three by default. */
  readonly splits?: ReadonlyArray<Split>
}

export interface ExportedGames {
  /** The folder to give to tools that read ALFWorld data: it holds `json_2.1.1`. */
  readonly directory: string
  readonly games: number
  /** How many of the games were not there before. */
  readonly written: number
}

/** The content of a game's `traj_data.json`: what text tools read of ALFWorld's annotation files. */
export const trajectoryData = ({ inventory, object, target, taskType, trial }: GameSpec, task: string): string => {
  const lamp = taskType === "look_at_obj_in_light"
  return JSON.stringify({
    task_id: trial,
    task_type: taskType,
    pddl_params: {
      mrecep_target: "",
      object_sliced: false,
      object_target: object,
      parent_target: lamp ? "" : target,
      toggle_target: lamp ? target : ""
    },
    scene: { floor_plan: `FloorPlan${inventory.scene}`, scene_num: inventory.scene },
    turk_annotations: { anns: [{ task_desc: task, high_descs: [] }] }
  })
}

const gameFile = "game.tw-pddl"
const trajectoryFile = "traj_data.json"

/** Marks a file that is being written. */
const partial = ".partial"

/**
 * Writes the built-in games as ALFWorld writes its data,
 * `<directory>/json_2.1.1/<split>/<task folder>/<trial>/{game.tw-pddl,traj_data.json}`, so that any tool for ALFWorld
 * can play them. Games that are there already stay; a folder with anything else in it is refused before anything is
 * written. Interrupted, it may be run again.
 */
export const exportGames = Effect.fn("Household.exportGames")(
  function*(directory: string, options: ExportGamesOptions = {}) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = path.join(directory, "json_2.1.1")
    const refusal = (reason: string): ExportGamesError =>
      new ExportGamesError({ directory, reason, fix: "Choose an empty folder, or remove it first" })

    const games = (options.splits ?? Split.literals)
      .flatMap((split) => specsOf(options, split))
      .map((spec) => ({ spec, folder: path.join(spec.split, spec.taskFolder, spec.trial) }))
    type PlacedGame = (typeof games)[number]
    const filesOf = ({ folder, spec }: PlacedGame): ReadonlyArray<readonly [file: string, text: string]> => {
      const game = generateGame(spec)
      return [
        [path.join(folder, gameFile), game.text],
        [path.join(folder, trajectoryFile), trajectoryData(spec, game.task)]
      ]
    }

    const present = new Set((yield* fs.exists(root)) ? yield* fs.readDirectory(root, { recursive: true }) : [])
    const expected = new Set(games.flatMap(({ folder, spec }) => [
      spec.split,
      path.join(spec.split, spec.taskFolder),
      folder,
      ...[gameFile, gameFile + partial, trajectoryFile, trajectoryFile + partial].map((name) => path.join(folder, name))
    ]))
    const foreign = [...present].find((entry) => !expected.has(entry))
    if (foreign !== undefined) return yield* refusal(`it holds other things already, such as ${foreign}`)

    const checkPresent = Effect.fnUntraced(function*(game: PlacedGame) {
      if (!present.has(game.folder)) return
      for (const [file, text] of filesOf(game)) {
        if (!present.has(file)) continue
        const found = yield* fs.readFileString(path.join(root, file))
        if (found !== text) return yield* refusal(`${file} is there with other content`)
      }
    })
    yield* Effect.forEach(games, checkPresent, { concurrency: 8, discard: true })

    const write = Effect.fnUntraced(function*(game: PlacedGame) {
      const missing = filesOf(game).filter(([file]) => !present.has(file))
      if (missing.length === 0) return 0
      yield* fs.makeDirectory(path.join(root, game.folder), { recursive: true })
      for (const [file, text] of missing) {
        const target = path.join(root, file)
        yield* fs.writeFileString(target + partial, text)
        yield* fs.rename(target + partial, target)
      }
      return 1
    })
    const written = yield* Effect.forEach(games, write, { concurrency: 8 })
    const summary: ExportedGames = {
      directory,
      games: games.length,
      written: written.reduce((sum: number, one) => sum + one, 0)
    }
    return summary
  },
  (effect, directory) =>
    Effect.catchTags(effect, {
      SystemError: (cause) => Effect.fail(unwritable(directory, cause)),
      BadArgument: (cause) => Effect.fail(unwritable(directory, cause))
    })
)

const unwritable = (directory: string, cause: Error): ExportGamesError =>
  new ExportGamesError({
    directory,
    reason: cause.message,
    fix: "Choose a folder that can be written to, with 200 MB of free space",
    cause
  })
