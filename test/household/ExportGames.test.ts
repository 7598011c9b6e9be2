import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerAlfworld } from "../../src/alfworld/AlfworldGames.js"
import { exportGames } from "../../src/household/ExportGames.js"
import { generateGame } from "../../src/household/GeneratedGame.js"
import { specsOf } from "../../src/household/GameSet.js"
import { layerHousehold } from "../../src/household/HouseholdGames.js"
import { Environment } from "../../src/services/Environment.js"
import { Games } from "../../src/services/Games.js"

const options = { seed: 9, trainGames: 12 } as const

it.layer(NodeContext.layer)("exportGames", (it) => {
  it.scoped("writes an ALFWorld-style tree, and nothing the second time", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* fs.makeTempDirectoryScoped()
      expect(yield* exportGames(directory, options)).toEqual({ directory, games: 286, written: 286 })
      for (const split of ["train", "valid_seen", "valid_unseen"] as const) {
        for (const spec of specsOf(options, split).slice(0, 20)) {
          const folder = path.join(directory, "json_2.1.1", split, spec.taskFolder, spec.trial)
          const game = generateGame(spec)
          expect(yield* fs.readFileString(path.join(folder, "game.tw-pddl"))).toBe(game.text)
          const data = JSON.parse(yield* fs.readFileString(path.join(folder, "traj_data.json")))
          expect(data.task_id).toBe(spec.trial)
          expect(data.task_type).toBe(spec.taskType)
          expect(data.pddl_params.object_target).toBe(spec.object)
          expect([data.pddl_params.parent_target, data.pddl_params.toggle_target]).toContain(spec.target)
          expect(data.scene.scene_num).toBe(spec.inventory.scene)
          expect(yield* fs.readDirectory(folder)).toHaveLength(2)
        }
      }
      expect(yield* exportGames(directory, options)).toEqual({ directory, games: 286, written: 0 })
    }))

  it.scoped("writes games that are found again under the same ids, and play the same", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* exportGames(directory, options)
      const exported = yield* Layer.build(layerAlfworld({ dataRoot: directory, indexFolder: false }))
      const generated = yield* Layer.build(layerHousehold(options))
      for (const split of ["train", "valid_seen", "valid_unseen"]) {
        const { games } = yield* Context.get(exported, Games).list(split)
        expect(games).toEqual((yield* Context.get(generated, Games).list(split)).games)
        for (const game of games.slice(0, 3)) {
          const one = yield* Context.get(exported, Environment).open(game)
          const other = yield* Context.get(generated, Environment).open(game)
          expect(one.initial).toEqual(other.initial)
          const command = one.initial.admissibleCommands[0]
          expect(yield* one.step(command)).toEqual(yield* other.step(command))
        }
      }
    }))

  it.scoped("goes on where an interrupted export stopped", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* exportGames(directory, { ...options, splits: ["train"] })
      const [first, second] = specsOf(options, "train")
      const file = (spec: typeof first, name: string): string =>
        path.join(directory, "json_2.1.1", "train", spec.taskFolder, spec.trial, name)
      yield* fs.remove(file(first, "traj_data.json"))
      yield* fs.remove(file(second, "game.tw-pddl"))
      yield* fs.writeFileString(file(second, "game.tw-pddl.partial"), "{")
      expect((yield* exportGames(directory, { ...options, splits: ["train"] })).written).toBe(2)
      expect(yield* fs.readFileString(file(second, "game.tw-pddl"))).toBe(generateGame(second).text)
      expect(yield* fs.exists(file(second, "game.tw-pddl.partial"))).toBe(false)
    }))

  it.scoped("refuses a folder with other games, before writing anything", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* exportGames(directory, { ...options, splits: ["train"] })
      const before = yield* fs.readDirectory(directory, { recursive: true })
      const others = yield* Effect.flip(exportGames(directory, { ...options, seed: 10 }))
      expect(others.message).toContain(directory)
      const [spec] = specsOf(options, "train")
      const file = path.join(directory, "json_2.1.1", "train", spec.taskFolder, spec.trial, "game.tw-pddl")
      yield* fs.writeFileString(file, "{}")
      const changed = yield* Effect.flip(exportGames(directory, options))
      expect(changed.message).toContain("game.tw-pddl is there with other content")
      expect(yield* fs.readDirectory(directory, { recursive: true })).toEqual(before)
    }))

  it.scoped("says which folder cannot be written", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped()
      const error = yield* Effect.flip(exportGames(file, options))
      expect(error._tag).toBe("ExportGamesError")
      expect(error.message).toContain(file)
    }))
})
