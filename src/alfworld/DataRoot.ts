import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { GamesError } from "../services/Games.js"

/** The folder name inside ALFWorld's archives, whatever their release. */
const releaseFolder = "json_2.1.1"

/** The splits of ALFWorld's data; `valid_train` is a sample of `train`. */
const knownSplits: ReadonlyArray<string> = ["train", "valid_seen", "valid_unseen", "valid_train"]

const howToGetData =
  "Give the folder that holds json_2.1.1 (where alfworld-download put it), json_2.1.1 itself, or one split's folder"

/**
 * Finds the folder that holds the splits, given itself, the folder above (ALFWorld's cache root) or one split's folder.
 */
export const locateSplits = Effect.fn("DataRoot.locateSplits")(function*(dataRoot: string) {
  const path = yield* Path.Path
  const root = path.resolve(dataRoot)
  const isFolder = yield* folderTest
  if (!(yield* isFolder(root))) {
    return yield* new GamesError({ source: root, reason: "there is no such folder", fix: howToGetData })
  }
  const release = path.join(root, releaseFolder)
  if (yield* isFolder(release)) return release
  for (const split of knownSplits) if (yield* isFolder(path.join(root, split))) return root
  if (knownSplits.includes(path.basename(root))) return path.dirname(root)
  return yield* new GamesError({
    source: root,
    reason: `it holds neither ${releaseFolder} nor any of ${knownSplits.join(", ")}`,
    fix: howToGetData
  })
})

/** Finds one split's folder below the folder that holds the splits. */
export const locateSplit = Effect.fn("DataRoot.locateSplit")(function*(splitsFolder: string, split: string) {
  const path = yield* Path.Path
  const isFolder = yield* folderTest
  const folder = path.join(splitsFolder, split)
  const isPlainName = split !== "" && path.basename(split) === split && split !== "." && split !== ".."
  if (isPlainName && (yield* isFolder(folder))) return folder
  const present: Array<string> = []
  for (const name of knownSplits) if (yield* isFolder(path.join(splitsFolder, name))) present.push(name)
  return yield* new GamesError({
    source: splitsFolder,
    reason: `it has no split "${split}"`,
    fix: `The splits there are ${present.length === 0 ? "none" : present.join(", ")}`
  })
})

const folderTest = Effect.map(FileSystem.FileSystem, (fs) => (path: string) =>
  fs.stat(path).pipe(
    Effect.map((info) => info.type === "Directory"),
    Effect.orElseSucceed(() => false)
  ))
