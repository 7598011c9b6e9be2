import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"

/** The game inside a trial folder. */
export const gameFileName = "game.tw-pddl"

/** ALFRED's annotations inside a trial folder; its `task_type` is what is read of them. */
export const trajectoryFileName = "traj_data.json"

/**
 * Files as they were seen: a file whose stamp differs is read again. Inode and time of birth tell a file that was
 * replaced by one of equal size and time of change. Where a file system has no such thing, it is 0.
 */
export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
  readonly birthtimeMs: number
}

/** A folder with a game file. */
export interface GameFolder {
  /** The path under the split, with forward slashes; {@link splitItself} for the split's own folder. */
  readonly name: string
  readonly game: FileStamp
  /** `undefined` where there is no `traj_data.json`. */
  readonly trajectory: FileStamp | undefined
}

export interface GameFolders {
  /** Sorted by name (code points). */
  readonly folders: ReadonlyArray<GameFolder>
  /** Names of folders that are reached by a link as well as directly, or by two links; only the first is kept. */
  readonly repeated: ReadonlyArray<string>
  /** Names of folders, and of what may be a folder, that could not be read; sorted. */
  readonly unreadable: ReadonlyArray<string>
}

/** What the split's own folder is called among the folders. */
export const splitItself = "."

/** Folders are read this many at a time. */
const concurrency = 32

/** Folders nested deeper than this are not looked into. */
const maximumDepth = 32

/** Names that ALFRED and ALFWorld give to files alone: of these it need not be asked whether they are folders. */
const namesOfFiles = /\.(json|pddl|jpe?g|png|mp4|pt)$/

interface Visited {
  readonly path: string
  readonly name: string
  /** Identities of the folder and of those above it, so that a link back to one of them is not followed. */
  readonly chain: ReadonlyArray<string>
}

/** Finds the folders with a game file, `root` and all folders below it, also below such folders, following links. */
export const findGameFolders = Effect.fn("GameFolders.findGameFolders")(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found: Array<GameFolder & { readonly identity: string }> = []
  const unreadable: Array<string> = []

  /** What stands at a path: nothing when there is nothing, or a link to nothing; any other trouble is a failure. */
  const look = (file: string) =>
    fs.stat(file).pipe(
      Effect.asSome,
      Effect.catchIf(isAbsence, () => Effect.succeed(Option.none<FileSystem.File.Info>())),
      Effect.either
    )

  const childOf = Effect.fnUntraced(function*(parent: Visited, entry: string) {
    const child = path.join(parent.path, entry)
    const name = parent.name === splitItself ? entry : `${parent.name}/${entry}`
    const seen = yield* look(child)
    if (Either.isLeft(seen)) {
      unreadable.push(name)
      return []
    }
    if (Option.isNone(seen.right) || !isDirectory(seen.right.value)) return []
    const identity = identityOf(seen.right.value, child)
    if (parent.chain.includes(identity) || parent.chain.length >= maximumDepth) return []
    const visited: Visited = { path: child, name, chain: [...parent.chain, identity] }
    return [visited]
  })

  /** Records the folder, or its trouble, and tells whether what has the game file's name is in truth a folder. */
  const recordGame = Effect.fnUntraced(function*(folder: Visited) {
    const game = Option.flatten(Either.getRight(yield* look(path.join(folder.path, gameFileName))))
    if (Option.exists(game, isDirectory)) return true
    const gameFile = Option.filter(game, isFile)
    const trajectory = yield* look(path.join(folder.path, trajectoryFileName))
    // The folder's list has the game: a game that is absent all the same is a link to nothing.
    if (Option.isNone(gameFile) || Either.isLeft(trajectory)) {
      unreadable.push(folder.name)
      return false
    }
    found.push({
      name: folder.name,
      game: stamp(gameFile.value),
      trajectory: Option.getOrUndefined(Option.map(Option.filter(trajectory.right, isFile), stamp)),
      identity: folder.chain.at(-1) ?? folder.path
    })
    return false
  })

  const visit = Effect.fnUntraced(function*(folder: Visited) {
    const listed = yield* Effect.either(fs.readDirectory(folder.path))
    if (Either.isLeft(listed)) {
      if (!isAbsence(listed.left)) unreadable.push(folder.name)
      return []
    }
    const folderWithFileName = listed.right.includes(gameFileName) && (yield* recordGame(folder))
    const entries = listed.right.filter((entry) =>
      entry === gameFileName ? folderWithFileName : !namesOfFiles.test(entry)
    )
    return (yield* Effect.forEach(entries, (entry) => childOf(folder, entry))).flat()
  })

  const top = yield* fs.stat(root)
  let frontier: ReadonlyArray<Visited> = [{ path: root, name: splitItself, chain: [identityOf(top, root)] }]
  while (frontier.length > 0) frontier = (yield* Effect.forEach(frontier, visit, { concurrency })).flat()

  const seen = new Set<string>()
  const folders: Array<GameFolder> = []
  const repeated: Array<string> = []
  for (const { game, identity, name, trajectory } of found.sort((left, right) => left.name < right.name ? -1 : 1)) {
    if (seen.has(identity)) {
      repeated.push(name)
      continue
    }
    seen.add(identity)
    folders.push({ name, game, trajectory })
  }
  const result: GameFolders = { folders, repeated, unreadable: unreadable.sort() }
  return result
})

const isAbsence = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const isDirectory = (info: FileSystem.File.Info): boolean => info.type === "Directory"

const isFile = (info: FileSystem.File.Info): boolean => info.type === "File"

const milliseconds = (time: Option.Option<Date>): number =>
  Option.match(time, { onNone: () => 0, onSome: (date) => date.getTime() })

const stamp = (info: FileSystem.File.Info): FileStamp => ({
  size: Number(info.size),
  mtimeMs: milliseconds(info.mtime),
  inode: Option.getOrElse(info.ino, () => 0),
  birthtimeMs: milliseconds(info.birthtime)
})

/** Equal for all paths that lead to the same folder, on file systems that number their folders. */
const identityOf = (info: FileSystem.File.Info, path: string): string =>
  Option.match(info.ino, { onNone: () => path, onSome: (number) => `${info.dev}:${number}` })
