import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { type Game, TaskType } from "../domain/Game.js"
import { type GameList, GamesError } from "../services/Games.js"
import { locateSplit } from "./DataRoot.js"
import { type IndexEntry, type Outcome, readIndex, SkipReason, writeIndex } from "./DiscoveryIndex.js"
import { parseGameFile } from "./GameFile.js"
import {
  type FileStamp,
  findGameFolders,
  type GameFolder,
  gameFileName,
  splitItself,
  trajectoryFileName
} from "./GameFolders.js"

/** Trial folders that were left out for one reason. */
export interface SkippedGames {
  readonly reason: SkipReason
  readonly count: number
  /** The first of them, as a path under the split. */
  readonly example: string
}

/** The games of one split, and what was left out. */
export interface DiscoveredGames extends GameList {
  /** In the order of {@link SkipReason}; reasons that left nothing out are absent. */
  readonly skipped: ReadonlyArray<SkippedGames>
}

/** Each reason in a few words, for reports. */
export const describeSkipReason: Readonly<Record<SkipReason, string>> = {
  "movable-or-sliced": "with a movable receptacle or a sliced object, which the text games do not cover",
  "without-folder": "that lies in the split's folder itself rather than in a folder of its own",
  "no-trajectory-data": "without traj_data.json",
  "bad-trajectory-data": "whose traj_data.json is damaged or has no task_type",
  "other-task-type": "of a task type that is not one of the six",
  "bad-game-file": "whose game.tw-pddl is damaged",
  "solvable-missing": "whose game.tw-pddl does not say whether it is solvable",
  unsolvable: "that cannot be solved",
  repeated: "that are linked to under two names",
  unreadable: "that cannot be read"
}

export interface DiscoveryOptions {
  /** The folder that holds the splits. */
  readonly splitsFolder: string
  readonly split: string
  /** Where to keep the index between runs; `undefined` to read every file every time. */
  readonly indexFolder: string | undefined
}

/** Files that changed this short a time before they were looked at may change again under the same time of change. */
const racyMs = 2000

/** Files are read this many at a time. */
const concurrency = 8

/**
 * Finds the games of a split as the reference implementation does: every folder below it with a `game.tw-pddl` whose
 * path under the split names neither `movable` nor `Sliced`, with a `traj_data.json` whose `task_type` is one of the
 * six, and marked solvable. A game's id is `<split>:<path under the split>`.
 *
 * Reading all of ALFWorld takes some seconds; an index of what was found makes the next time fast. A game whose files
 * differ in size, time of change, inode or time of birth is read again, and so is one that could not be read or had
 * only just changed. (A file that is changed in place, to the same size, with its time of change set back, is not
 * noticed.) The index is an aid only: where it cannot be kept, nothing fails.
 */
export const discoverGames = Effect.fn("Discovery.discoverGames")(function*(options: DiscoveryOptions) {
  const { indexFolder, split, splitsFolder } = options
  const root = yield* locateSplit(splitsFolder, split)
  const lookedAt = yield* Clock.currentTimeMillis
  const { folders, repeated, unreadable } = yield* Effect.mapError(findGameFolders(root), (cause) =>
    new GamesError({ source: root, reason: cause.message, fix: "Check that the folder can be read", cause }))
  const known = yield* readIndex(indexFolder, root)
  const entries = yield* Effect.forEach(folders, (folder) => examine(root, folder, known.get(folder.name)), {
    concurrency
  })
  const lasting = entries.filter((entry) => isLasting(entry, lookedAt))
  if (lasting.some((entry) => entry !== known.get(entry.folder.name)) || lasting.length !== known.size) {
    yield* writeIndex(indexFolder, root, lasting)
  }
  const result = summarize(split, entries, repeated, unreadable)
  if (result.games.length > 0) return result
  return yield* new GamesError({ source: root, reason: noGames(result), fix: howToGetGames(result) })
})

const summarize = (
  split: string,
  entries: ReadonlyArray<IndexEntry>,
  repeated: ReadonlyArray<string>,
  unreadable: ReadonlyArray<string>
): DiscoveredGames => {
  const games: Array<Game> = []
  const hash = createHash("sha256")
  const skipped = new Map<SkipReason, Array<string>>(SkipReason.literals.map((reason) => [reason, []]))
  for (const { folder, outcome } of entries) {
    if (outcome._tag === "Skipped") {
      skipped.get(outcome.reason)?.push(folder.name)
      continue
    }
    const id = `${split}:${folder.name}`
    games.push({ id, split, taskType: outcome.taskType })
    hash.update(`${id}\n${outcome.taskType}\n${outcome.sha256}\n`)
  }
  skipped.set("repeated", [...repeated])
  skipped.get("unreadable")?.push(...unreadable)
  return {
    games,
    manifestHash: hash.digest("hex"),
    skipped: [...skipped].flatMap(([reason, names]) =>
      names[0] === undefined ? [] : [{ reason, count: names.length, example: names[0] }]
    )
  }
}

const noGames = ({ skipped }: DiscoveredGames): string =>
  skipped.length === 0
    ? `no ${gameFileName} was found below it`
    : `none of its games can be played: ` +
      skipped.map(({ count, reason }) => `${count} ${describeSkipReason[reason]}`).join(", ")

const howToGetGames = ({ skipped }: DiscoveredGames): string =>
  skipped.some(({ reason }) => reason === "no-trajectory-data")
    ? "Unpack ALFWorld's json archive (traj_data.json) into the same folder as the game files"
    : "Unpack ALFWorld's tw-pddl archive (game.tw-pddl files) here, or run alfworld-download"

/** Decides what to make of a folder, reading its files only when they changed since the index was written. */
const examine = Effect.fnUntraced(function*(root: string, folder: GameFolder, known: IndexEntry | undefined) {
  if (known !== undefined && sameStamps(known.folder, folder)) return known
  const entry: IndexEntry = { folder, outcome: yield* judge(root, folder) }
  return entry
})

const sameStamps = (left: GameFolder, right: GameFolder): boolean =>
  sameStamp(left.game, right.game) && sameStamp(left.trajectory, right.trajectory)

const sameStamp = (left: FileStamp | undefined, right: FileStamp | undefined): boolean =>
  left?.size === right?.size &&
  left?.mtimeMs === right?.mtimeMs &&
  left?.inode === right?.inode &&
  left?.birthtimeMs === right?.birthtimeMs

/** Whether an entry may be kept: what could not be read may be readable the next time. */
const isLasting = ({ folder, outcome }: IndexEntry, lookedAt: number): boolean =>
  !(outcome._tag === "Skipped" && outcome.reason === "unreadable") &&
  Math.max(folder.game.mtimeMs, folder.trajectory?.mtimeMs ?? 0) < lookedAt - racyMs

const skip = (reason: SkipReason): Outcome => ({ _tag: "Skipped", reason })

const judge = Effect.fnUntraced(function*(root: string, folder: GameFolder) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (folder.name === splitItself) return skip("without-folder")
  if (folder.name.includes("movable") || folder.name.includes("Sliced")) return skip("movable-or-sliced")
  if (folder.trajectory === undefined) return skip("no-trajectory-data")
  const read = (name: string) => Effect.either(fs.readFileString(path.join(root, folder.name, name)))
  const trajectory = yield* read(trajectoryFileName)
  const game = yield* read(gameFileName)
  if (Either.isLeft(trajectory) || Either.isLeft(game)) return skip("unreadable")
  const annotations = decodeAnnotations(trajectory.right)
  if (Either.isLeft(annotations)) return skip("bad-trajectory-data")
  const taskType = annotations.right.task_type
  if (!isTaskType(taskType)) return skip("other-task-type")
  const contents = parseGameFile(game.right, gameFileName)
  if (Either.isLeft(contents)) return skip("bad-game-file")
  if (contents.right.solvable === undefined) return skip("solvable-missing")
  if (!contents.right.solvable) return skip("unsolvable")
  const outcome: Outcome = {
    _tag: "Playable",
    taskType,
    sha256: createHash("sha256").update(game.right).digest("hex")
  }
  return outcome
})

const decodeAnnotations = Schema.decodeEither(Schema.parseJson(Schema.Struct({ task_type: Schema.String })))

const isTaskType = Schema.is(TaskType)
