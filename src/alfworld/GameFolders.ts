import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The game inside a trial folder. */
export const gameFileName = "game.tw-pddl"

/** ALFRED's annotations inside a trial folder; its `task_type` is what is read of them. */
export const trajectoryFileName = "traj_data.json"

/** Files as they were seen: a file whose size or time of change differs is read again. */
export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
}

/** A folder with a game file. */
export interface GameFolder {
  /** The path under the split, with forward slashes. */
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
  /** Names of folders that could not be read. */
  readonly unreadable: ReadonlyArray<string>
}

/** Folders are read this many at a time. */
const concurrency = 32

/** Folders nested deeper than this are not looked into. */
const maximumDepth = 32

interface Visited {
  readonly path: string
  readonly name: string
  /** Identities of the folder and of those above it, so that a link back to one of them is not followed. */
  readonly chain: ReadonlyArray<string>
}

/** Finds the folders with a game file below `root`, following links. */
export const findGameFolders = Effect.fn("GameFolders.findGameFolders")(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const found: Array<GameFolder & { readonly identity: string }> = []
  const unreadable: Array<string> = []

  const stampOf = (file: string) =>
    fs.stat(file).pipe(
      Effect.map((info): FileStamp | undefined => info.type === "File" ? stamp(info) : undefined),
      Effect.orElseSucceed(() => undefined)
    )

  const childOf = Effect.fnUntraced(function*(parent: Visited, entry: string) {
    const child = path.join(parent.path, entry)
    const info = yield* Effect.option(fs.stat(child))
    if (Option.isNone(info) || info.value.type !== "Directory") return []
    const identity = identityOf(info.value, child)
    if (parent.chain.includes(identity) || parent.chain.length >= maximumDepth) return []
    const name = parent.name === "" ? entry : `${parent.name}/${entry}`
    const visited: Visited = { path: child, name, chain: [...parent.chain, identity] }
    return [visited]
  })

  const visit = Effect.fnUntraced(function*(folder: Visited) {
    const listed = yield* Effect.option(fs.readDirectory(folder.path))
    if (Option.isNone(listed)) {
      unreadable.push(folder.name)
      return []
    }
    if (listed.value.includes(gameFileName)) {
      const game = yield* stampOf(path.join(folder.path, gameFileName))
      if (game === undefined) {
        unreadable.push(folder.name)
        return []
      }
      const trajectory = yield* stampOf(path.join(folder.path, trajectoryFileName))
      found.push({ name: folder.name, game, trajectory, identity: folder.chain.at(-1) ?? folder.path })
      return []
    }
    const entries = listed.value.filter((entry) => !/\.(json|pddl)$/.test(entry))
    return (yield* Effect.forEach(entries, (entry) => childOf(folder, entry))).flat()
  })

  const top = yield* fs.stat(root)
  let frontier: ReadonlyArray<Visited> = [{ path: root, name: "", chain: [identityOf(top, root)] }]
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
  const result: GameFolders = { folders, repeated, unreadable }
  return result
})

const stamp = (info: FileSystem.File.Info): FileStamp => ({
  size: Number(info.size),
  mtimeMs: Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
})

/** Equal for all paths that lead to the same folder, on file systems that number their folders. */
const identityOf = (info: FileSystem.File.Info, path: string): string =>
  Option.match(info.ino, { onNone: () => path, onSome: (number) => `${info.dev}:${number}` })
