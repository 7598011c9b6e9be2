import * as NodeContext from "@effect/platform-node/NodeContext"
import { SystemError, type SystemErrorReason } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { locateSplits } from "../../src/alfworld/DataRoot.js"
import { type DiscoveredGames, discoverGames } from "../../src/alfworld/Discovery.js"
import { defaultIndexFolder } from "../../src/alfworld/DiscoveryIndex.js"
import { sharedDir } from "../shared.js"
import { trajectoryOf, type Trial, writeTrials } from "./DataTree.js"
import { smallGameText } from "./SmallGame.js"

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

const provided = <A, E>(
  effect: Effect.Effect<A, E, FileSystem.FileSystem | Path.Path | Scope.Scope>
): Effect.Effect<A, E> => effect.pipe(Effect.scoped, Effect.provide(NodeContext.layer))

/** Discovers the split `train` of a data root, without an index unless a folder is given. */
const discover = Effect.fnUntraced(function*(dataRoot: string, indexFolder?: string) {
  const splitsFolder = yield* locateSplits(dataRoot)
  return yield* discoverGames({ splitsFolder, split: "train", indexFolder })
})

const ids = ({ games }: DiscoveredGames): ReadonlyArray<string> => games.map(({ id }) => id)

/** Runs an effect with a file system in which one operation on paths with one ending fails, `times` times. */
const failing = (
  method: "readFileString" | "readDirectory" | "stat",
  ending: string,
  reason: SystemErrorReason = "PermissionDenied",
  times = Infinity
) =>
<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => {
    let failures = 0
    const failure = (path: string): Effect.Effect<void, SystemError> =>
      Effect.suspend(() => {
        if (!path.endsWith(ending) || failures >= times) return Effect.void
        failures++
        return Effect.fail(new SystemError({ module: "FileSystem", method, reason, pathOrDescriptor: path }))
      })
    const broken: Pick<FileSystem.FileSystem, typeof method> = {
      readFileString: (path, encoding) => Effect.zipRight(failure(path), fs.readFileString(path, encoding)),
      readDirectory: (path, options) => Effect.zipRight(failure(path), fs.readDirectory(path, options)),
      stat: (path) => Effect.zipRight(failure(path), fs.stat(path))
    }
    return Effect.provideService(effect, FileSystem.FileSystem, { ...fs, [method]: broken[method] })
  })

describe("the data root", () => {
  const trials: Readonly<Record<string, Trial>> = { "json_2.1.1/train/a/t1": {} }

  it.effect("may be the cache root, json_2.1.1 or a split's folder", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, trials)
      const fromRoot = yield* discover(root)
      expect(ids(fromRoot)).toEqual(["train:a/t1"])
      for (const given of ["json_2.1.1", "json_2.1.1/", "json_2.1.1/train", "json_2.1.1/train/../train"]) {
        expect(yield* discover(`${root}/${given}`)).toEqual(fromRoot)
      }
    })))

  it.effect("that is missing, or holds nothing known, is refused with a fix", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      const missing = yield* Effect.flip(discover(`${root}/nowhere`))
      expect(missing).toMatchObject({ _tag: "GamesError", reason: "there is no such folder" })
      expect(missing.message).toContain("Give the folder that holds json_2.1.1")
      const empty = yield* Effect.flip(discover(root))
      expect(empty.message).toContain("it holds neither json_2.1.1 nor any of train")
    })))

  it.effect("names its splits when the one asked for is not there", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "valid_seen/a/t": {}, "valid_unseen/a/t": {} })
      for (const split of ["train", "", ".", "..", "valid_seen/a", "nowhere"]) {
        const error = yield* Effect.flip(discoverGames({ splitsFolder: root, split, indexFolder: undefined }))
        expect(error.message).toContain("The splits there are valid_seen, valid_unseen")
      }
    })))

  it.effect("may itself contain \"movable\" or \"Sliced\" in its path", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(`${root}/movable/Sliced`, trials)
      expect(ids(yield* discover(`${root}/movable/Sliced`))).toEqual(["train:a/t1"])
    })))
})

describe("discoverGames", () => {
  it.effect("lists games by id, with their types, and hashes ids and contents", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, {
        "train/b/t1": { trajectory: trajectoryOf("look_at_obj_in_light") },
        "train/a-b/t2": {},
        "train/a/t10": {},
        "train/a/t2": { trajectory: trajectoryOf("pick_two_obj_and_place") }
      })
      const found = yield* discover(root)
      expect(found.games).toEqual([
        { id: "train:a-b/t2", split: "train", taskType: "pick_and_place_simple" },
        { id: "train:a/t10", split: "train", taskType: "pick_and_place_simple" },
        { id: "train:a/t2", split: "train", taskType: "pick_two_obj_and_place" },
        { id: "train:b/t1", split: "train", taskType: "look_at_obj_in_light" }
      ])
      expect(found.skipped).toEqual([])
      expect(found.manifestHash).toMatch(/^[0-9a-f]{64}$/)
      expect((yield* discover(root)).manifestHash).toBe(found.manifestHash)
      yield* writeTrials(root, { "train/b/t1": { game: smallGameText({ walkthrough: ["look"] }) } })
      expect((yield* discover(root)).manifestHash).not.toBe(found.manifestHash)
    })))

  it.effect("leaves out what cannot be played, and counts it by reason", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      const contents = JSON.parse(smallGameText())
      yield* writeTrials(root, {
        "train/good/t": {},
        "train/with-movable-recep/t": {},
        "train/AppleSliced/t": { game: "not even JSON" },
        "train/AppleSliced/t2": {},
        "train/no-annotations/t": { trajectory: null },
        "train/cut-annotations/t": { trajectory: "{\"task_type\": \"pick_and_place_simple\"" },
        "train/no-type/t": { trajectory: "{}" },
        "train/other-type/t": { trajectory: trajectoryOf("pick_and_place_with_movable_recep") },
        "train/cut-game/t": { game: smallGameText().slice(0, 500) },
        "train/no-grammar/t": { game: JSON.stringify({ ...contents, grammar: undefined }) },
        "train/unsolvable/t": { game: smallGameText({ solvable: false }) },
        "train/null-solvable/t": { game: smallGameText({ solvable: null }) },
        "train/no-solvable/t": { game: JSON.stringify({ ...contents, solvable: undefined }) },
        "train/no-game/t": { game: null }
      })
      const found = yield* discover(root)
      expect(ids(found)).toEqual(["train:good/t"])
      expect(found.skipped).toEqual([
        { reason: "movable-or-sliced", count: 3, example: "AppleSliced/t" },
        { reason: "no-trajectory-data", count: 1, example: "no-annotations/t" },
        { reason: "bad-trajectory-data", count: 2, example: "cut-annotations/t" },
        { reason: "other-task-type", count: 1, example: "other-type/t" },
        { reason: "bad-game-file", count: 2, example: "cut-game/t" },
        { reason: "solvable-missing", count: 2, example: "no-solvable/t" },
        { reason: "unsolvable", count: 1, example: "unsolvable/t" }
      ])
    })))

  it.effect("fails with the reasons when no game is left", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a/t": { trajectory: null }, "valid_seen/a": { game: null, trajectory: null } })
      const unannotated = yield* Effect.flip(discover(root))
      expect(unannotated.message).toContain("none of its games can be played: 1 without traj_data.json")
      expect(unannotated.fix).toContain("json archive")
      const options = { splitsFolder: root, split: "valid_seen", indexFolder: undefined }
      const none = yield* Effect.flip(discoverGames(options))
      expect(none.message).toContain("no game.tw-pddl was found below it")
      expect(none.fix).toContain("tw-pddl archive")
    })))

  it.effect("follows links, but neither in circles nor twice to one folder", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "elsewhere/t": {}, "train/a/t": {} })
      yield* fs.symlink(`${root}/elsewhere`, `${root}/train/linked`)
      yield* fs.symlink(`${root}/train`, `${root}/train/a/circle`)
      yield* fs.symlink(`${root}/train/a/t`, `${root}/train/again`)
      yield* fs.symlink(`${root}/nowhere`, `${root}/train/broken`)
      const found = yield* discover(root)
      expect(ids(found)).toEqual(["train:a/t", "train:linked/t"])
      expect(found.skipped).toEqual([{ reason: "repeated", count: 1, example: "again" }])
    })))
})

describe("the folders of games", () => {
  it.effect("may hold other games below them", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a": {}, "train/a/b/c/t": {}, "train/a/b": { game: "{" } })
      const found = yield* discover(root)
      expect(ids(found)).toEqual(["train:a", "train:a/b/c/t"])
      expect(found.skipped).toEqual([{ reason: "bad-game-file", count: 1, example: "a/b" }])
    })))

  it.effect("are not the split's own folder, which would leave a game without a name", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train": {}, "train/a/t": {} })
      const found = yield* discover(root)
      expect(ids(found)).toEqual(["train:a/t"])
      expect(found.skipped).toEqual([{ reason: "without-folder", count: 1, example: "." }])
    })))

  it.effect("are not those with a folder of a game file's name, which are searched", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a/game.tw-pddl": {} })
      const found = yield* discover(root)
      expect(ids(found)).toEqual(["train:a/game.tw-pddl"])
      expect(found.skipped).toEqual([])
    })))

  it.effect("that cannot be looked at, or have a file that cannot, are reported", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a/t": {}, "train/b/t": {} })
      for (
        const [method, ending, example] of [
          ["stat", "/b", "b"],
          ["stat", "/b/t", "b/t"],
          ["readDirectory", "/b", "b"],
          ["stat", "/b/t/game.tw-pddl", "b/t"],
          ["stat", "/b/t/traj_data.json", "b/t"],
          ["readFileString", "/b/t/traj_data.json", "b/t"]
        ] as const
      ) {
        const found = yield* failing(method, ending)(discover(root))
        expect(ids(found)).toEqual(["train:a/t"])
        expect(found.skipped).toEqual([{ reason: "unreadable", count: 1, example }])
      }
    })))

  it.effect("may vanish while they are searched", () =>
    provided(Effect.gen(function*() {
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a/t": {}, "train/b/t": {} })
      for (const method of ["stat", "readDirectory"] as const) {
        const found = yield* failing(method, "/b/t", "NotFound")(discover(root))
        expect(ids(found)).toEqual(["train:a/t"])
        expect(found.skipped).toEqual([])
      }
    })))

  it.effect("are reported when their game is a link to nothing", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const root = yield* temporaryFolder
      yield* writeTrials(root, { "train/a/t": {}, "train/b/t": { game: null } })
      yield* fs.symlink(`${root}/nowhere`, `${root}/train/b/t/game.tw-pddl`)
      expect((yield* discover(root)).skipped).toEqual([{ reason: "unreadable", count: 1, example: "b/t" }])
    })))
})

describe("the index of games", () => {
  const setup = Effect.gen(function*() {
    // Long after the files are written: what changed only just now is not kept.
    yield* TestClock.setTime(Date.UTC(2200, 0))
    const root = yield* temporaryFolder
    const index = `${yield* temporaryFolder}/some/where`
    yield* writeTrials(root, { "train/a/t": {}, "train/b/t": { game: "{" } })
    return { root, index }
  })

  it.effect("is used when nothing changed, and gives the same result", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { index, root } = yield* setup
      const first = yield* discover(root, index)
      const files = yield* fs.readDirectory(index)
      expect(files).toHaveLength(1)
      const file = `${index}/${files[0]}`
      const kept = yield* fs.readFileString(file)
      expect(yield* discover(root, index)).toEqual(first)
      yield* fs.writeFileString(file, kept.replace("\"bad-game-file\"", "\"unsolvable\""))
      expect((yield* discover(root, index)).skipped).toEqual([{ reason: "unsolvable", count: 1, example: "b/t" }])
      expect(yield* fs.readDirectory(index)).toEqual(files)
    })))

  it.effect("notices changed, new and removed files", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { index, root } = yield* setup
      yield* discover(root, index)
      yield* writeTrials(root, { "train/b/t": {}, "train/c/t": {} })
      expect(ids(yield* discover(root, index))).toEqual(["train:a/t", "train:b/t", "train:c/t"])
      yield* fs.remove(`${root}/train/a`, { recursive: true })
      expect(ids(yield* discover(root, index))).toEqual(["train:b/t", "train:c/t"])
      const sameSize = smallGameText().replace("\"solvable\":true,", "\"solvable\":null,")
      yield* fs.writeFileString(`${root}/train/b/t/game.tw-pddl`, sameSize)
      yield* fs.utimes(`${root}/train/b/t/game.tw-pddl`, new Date(1000), new Date(1000))
      expect(ids(yield* discover(root, index))).toEqual(["train:c/t"])
    })))

  it.effect("notices a file that was replaced by one of the same size and time of change", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { index, root } = yield* setup
      const file = `${root}/train/a/t/game.tw-pddl`
      yield* fs.utimes(file, new Date(5000), new Date(5000))
      expect(ids(yield* discover(root, index))).toEqual(["train:a/t"])
      yield* fs.writeFileString(`${root}/new`, smallGameText().replace("\"solvable\":true,", "\"solvable\":null,"))
      yield* fs.utimes(`${root}/new`, new Date(5000), new Date(5000))
      yield* fs.rename(`${root}/new`, file)
      expect((yield* Effect.flip(discover(root, index))).message).toContain("1 whose game.tw-pddl does not say")
    })))

  it.effect("keeps nothing of files that had only just changed", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { index, root } = yield* setup
      const keptAt = Effect.fnUntraced(function*(time: number) {
        yield* TestClock.setTime(time)
        yield* discover(root, index)
        const file = `${index}/${(yield* fs.readDirectory(index))[0]}`
        return [...(yield* fs.readFileString(file)).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name)
      })
      const changed = Date.UTC(2100, 0)
      for (const name of ["game.tw-pddl", "traj_data.json"]) {
        yield* fs.utimes(`${root}/train/b/t/${name}`, new Date(changed), new Date(changed))
        expect(yield* keptAt(changed - 1)).toEqual(["a/t"])
        expect(yield* keptAt(changed + 2000)).toEqual(["a/t"])
        expect(yield* keptAt(changed + 2001)).toEqual(["a/t", "b/t"])
      }
    })))

  it.effect("keeps no failure to read a file", () =>
    provided(Effect.gen(function*() {
      const { index, root } = yield* setup
      yield* writeTrials(root, { "train/c/t": {} })
      for (const name of ["game.tw-pddl", "traj_data.json"]) {
        const first = yield* failing("readFileString", `a/t/${name}`, "Unknown", 1)(discover(root, index))
        expect(ids(first)).toEqual(["train:c/t"])
        expect(first.skipped).toContainEqual({ reason: "unreadable", count: 1, example: "a/t" })
        expect(ids(yield* discover(root, index))).toEqual(["train:a/t", "train:c/t"])
        yield* writeTrials(root, { "train/a/t": { trajectory: `${trajectoryOf("pick_and_place_simple")} ` } })
      }
    })))

  it.effect("that is damaged or cannot be written changes nothing", () =>
    provided(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { index, root } = yield* setup
      const first = yield* discover(root, index)
      const file = `${index}/${(yield* fs.readDirectory(index))[0]}`
      for (const damage of ["", "{", "[]", "{\"version\":0,\"root\":\"\",\"entries\":[]}"]) {
        yield* fs.writeFileString(file, damage)
        expect(yield* discover(root, index)).toEqual(first)
      }
      yield* fs.writeFileString(`${root}/file`, "")
      expect(yield* discover(root, `${root}/file`)).toEqual(first)
      expect(yield* discover(root, `${root}/file/below`)).toEqual(first)
    })))

  it.effect("lies in the operating system's cache folder", () =>
    provided(Effect.gen(function*() {
      const folderWith = (variables: ReadonlyArray<readonly [string, string]>) =>
        Effect.withConfigProvider(defaultIndexFolder(), ConfigProvider.fromMap(new Map(variables)))
      expect(yield* folderWith([["HOME", "/h"]])).toBe("/h/.cache/agentopsd/alfworld")
      expect(yield* folderWith([["HOME", "/h"], ["XDG_CACHE_HOME", "/x"]])).toBe("/x/agentopsd/alfworld")
      expect(yield* folderWith([["LOCALAPPDATA", "/w"]])).toBe("/w/agentopsd/alfworld")
      expect(yield* folderWith([])).toBeUndefined()
    })))
})

const extra = sharedDir("alfworld/games-extra")
const games = sharedDir("alfworld/games")

describe.skipIf(extra === undefined || games === undefined)("real data", () => {
  const split = (folder: string, name: string) =>
    Effect.flatMap(locateSplits(folder), (splitsFolder) =>
      discoverGames({ splitsFolder, split: name, indexFolder: undefined }))

  it.effect("is found whole", () =>
    provided(Effect.gen(function*() {
      const counts: Array<number> = []
      for (const name of ["train", "valid_seen", "valid_unseen"]) {
        const found = yield* split(games ?? "", name)
        counts.push(found.games.length)
        expect(found.skipped).toEqual([])
        for (const { id, taskType } of found.games) expect(id.startsWith(`${name}:${taskType}-`)).toBe(true)
      }
      expect(counts).toEqual([24, 18, 18])
      expect((yield* split(`${extra}/v2.1.1-wording`, "valid_unseen")).games).toHaveLength(6)
    })))

  it.effect("that cannot be played is left out for the right reason", () =>
    provided(Effect.gen(function*() {
      const reasonOf = (folder: string, name: string) =>
        Effect.map(Effect.flip(split(`${extra}/${folder}`, name)), ({ reason }) => reason)
      for (const name of ["train", "valid_seen", "valid_unseen"]) {
        expect(yield* reasonOf("unsolvable-2.1.1", name)).toContain("1 that cannot be solved")
      }
      expect(yield* reasonOf("missing-solvable-key-2.1.1", "valid_unseen")).toContain("1 with a movable receptacle")
      expect(yield* reasonOf("sliced-or-movable-no-game", "valid_seen")).toContain("no game.tw-pddl was found")
    })))
})
