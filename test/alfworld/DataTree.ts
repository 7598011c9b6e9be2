import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { smallGameText } from "./SmallGame.js"

/** What stands in a trial folder; `null` leaves a file out. */
export interface Trial {
  readonly game?: string | null
  readonly trajectory?: string | null
}

export const trajectoryOf = (taskType: string): string =>
  JSON.stringify({ task_id: "t", task_type: taskType, plan: {} })

/** Writes trial folders, given by their path under `root`. */
export const writeTrials = Effect.fnUntraced(function*(root: string, trials: Readonly<Record<string, Trial>>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const [name, { game, trajectory }] of Object.entries(trials)) {
    const folder = path.join(root, name)
    yield* fs.makeDirectory(folder, { recursive: true })
    const gameText = game === undefined ? smallGameText() : game
    const trajectoryText = trajectory === undefined ? trajectoryOf("pick_and_place_simple") : trajectory
    if (gameText !== null) yield* fs.writeFileString(path.join(folder, "game.tw-pddl"), gameText)
    if (trajectoryText !== null) yield* fs.writeFileString(path.join(folder, "traj_data.json"), trajectoryText)
  }
})
