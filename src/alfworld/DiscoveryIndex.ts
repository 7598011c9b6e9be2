import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { TaskType } from "../domain/Game.js"

/** Why a folder with a game file is not among the games. */
export const SkipReason = Schema.Literal(
  "movable-or-sliced",
  "without-folder",
  "no-trajectory-data",
  "bad-trajectory-data",
  "other-task-type",
  "bad-game-file",
  "solvable-missing",
  "unsolvable",
  "repeated",
  "unreadable"
)
export type SkipReason = typeof SkipReason.Type

/** What reading a folder's files showed. */
export const Outcome = Schema.Union(
  Schema.TaggedStruct("Playable", { taskType: TaskType, sha256: Schema.String }),
  Schema.TaggedStruct("Skipped", { reason: SkipReason })
)
export type Outcome = typeof Outcome.Type

const FileStamp = Schema.Struct({
  size: Schema.Number,
  mtimeMs: Schema.Number,
  inode: Schema.Number,
  birthtimeMs: Schema.Number
})

const IndexEntry = Schema.Struct({
  folder: Schema.Struct({
    name: Schema.String,
    game: FileStamp,
    trajectory: Schema.UndefinedOr(FileStamp)
  }),
  outcome: Outcome
})
export type IndexEntry = typeof IndexEntry.Type

/** The number goes up when the same files would be judged otherwise than before. */
const Index = Schema.parseJson(Schema.Struct({
  version: Schema.Literal(2),
  root: Schema.String,
  entries: Schema.Array(IndexEntry)
}))

/** The folder of the operating system for files that can be made again, or none where there is no home folder. */
export const defaultIndexFolder = Effect.fn("DiscoveryIndex.defaultIndexFolder")(function*() {
  const path = yield* Path.Path
  const xdg = Config.nonEmptyString("XDG_CACHE_HOME")
  const windows = Config.nonEmptyString("LOCALAPPDATA")
  const home = Config.map(Config.nonEmptyString("HOME"), (folder) => path.join(folder, ".cache"))
  const folder = yield* Effect.option(Config.orElse(Config.orElse(xdg, () => windows), () => home))
  return Option.getOrUndefined(Option.map(folder, (root) => path.join(root, "agentopsd", "alfworld")))
})

const indexFile = (path: Path.Path, folder: string, root: string): string =>
  path.join(folder, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`)

/** The entries kept for a root, by folder name; none where there is no index that can be used. */
export const readIndex = Effect.fn("DiscoveryIndex.readIndex")(function*(folder: string | undefined, root: string) {
  const none: ReadonlyMap<string, IndexEntry> = new Map()
  if (folder === undefined) return none
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const index = yield* fs.readFileString(indexFile(path, folder, root)).pipe(
    Effect.flatMap(Schema.decode(Index)),
    Effect.option
  )
  if (Option.isNone(index) || index.value.root !== root) return none
  return new Map(index.value.entries.map((entry) => [entry.folder.name, entry]))
})

/** Keeps the entries for the next run, where that is possible. */
export const writeIndex = Effect.fn("DiscoveryIndex.writeIndex")(
  function*(folder: string | undefined, root: string, entries: ReadonlyArray<IndexEntry>) {
    if (folder === undefined) return
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = indexFile(path, folder, root)
    const text = yield* Schema.encode(Index)({ version: 2, root, entries })
    yield* fs.makeDirectory(folder, { recursive: true })
    // Two runs may index at the same time: each writes its own file and puts it in place whole.
    const temporary = yield* fs.makeTempFileScoped({ directory: folder, prefix: "index-" })
    yield* fs.writeFileString(temporary, text)
    yield* fs.rename(temporary, file)
  },
  Effect.scoped,
  Effect.catchAll((cause) => Effect.logDebug("The index of games could not be kept", cause))
)
