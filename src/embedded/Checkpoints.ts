import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { PolicyError } from "../services/Policy.js"
import { backend, refused } from "./PolicyFailure.js"

/** `state`: an adapter with the optimiser's memory. `weights`: the adapter alone. */
export type CheckpointKind = "state" | "weights"

const scheme = "embedded://"
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** The path under which a checkpoint of a run is known, for example `embedded://my-run/state/step-000030`. */
export const checkpointPath = (run: string, kind: CheckpointKind, name: string): string =>
  `${scheme}${run}/${kind}/${name}`

/** The parts of a checkpoint's path, or `undefined` where it is none. */
export const parseCheckpointPath = (
  path: string
): { readonly run: string; readonly kind: CheckpointKind; readonly name: string } | undefined => {
  if (!path.startsWith(scheme)) return undefined
  const [run, kind, name, ...rest] = path.slice(scheme.length).split("/")
  if (rest.length > 0 || !namePattern.test(run) || !namePattern.test(name ?? "")) return undefined
  return kind === "state" || kind === "weights" ? { run, kind, name } : undefined
}

/** Where checkpoints lie: `<directory>/<run>/<kind>/<name>.bin`. */
export interface Checkpoints {
  readonly write: (
    run: string,
    kind: CheckpointKind,
    name: string,
    bytes: Uint8Array
  ) => Effect.Effect<string, PolicyError>
  /** The bytes, and the file they came from. */
  readonly read: (
    path: string,
    kind: CheckpointKind
  ) => Effect.Effect<{ readonly bytes: Uint8Array; readonly file: string }, PolicyError>
}

/**
 * Checkpoints below a directory. A file is written under another name, brought to disk and renamed, so that it is there
 * whole or not at all.
 */
export const makeCheckpoints = Effect.fn("Checkpoints.make")(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const fileOf = (run: string, kind: CheckpointKind, name: string): string =>
    paths.join(directory, run, kind, `${name}.bin`)

  const replace = Effect.fnUntraced(function*(file: string, bytes: Uint8Array) {
    const temporary = `${file}.tmp`
    yield* fs.makeDirectory(paths.dirname(file), { recursive: true })
    yield* Effect.scoped(Effect.gen(function*() {
      const opened = yield* fs.open(temporary, { flag: "w" })
      yield* opened.writeAll(bytes)
      yield* opened.sync
    }))
    yield* fs.rename(temporary, file)
    // The new name itself must reach the disk; Windows does so by itself and cannot open a folder.
    if (process.platform !== "win32") {
      yield* Effect.scoped(Effect.flatMap(fs.open(paths.dirname(file)), (folder) => folder.sync))
    }
  })

  const write: Checkpoints["write"] = Effect.fn("Checkpoints.write")(function*(run, kind, name, bytes) {
    if (!namePattern.test(run) || !namePattern.test(name)) {
      const fix = "Use letters, digits, dots, dashes and underscores"
      return yield* refused("save", `${JSON.stringify(`${run}/${name}`)} cannot name a checkpoint`, fix)
    }
    const file = fileOf(run, kind, name)
    yield* replace(file, bytes).pipe(
      Effect.mapError((cause) =>
        new PolicyError({
          backend,
          operation: "save",
          reason: `${file} cannot be written (${cause.message})`,
          fix: "Make room or give the right to write there, then start again",
          kind: "retryable",
          cause
        })
      )
    )
    return checkpointPath(run, kind, name)
  })

  const read: Checkpoints["read"] = Effect.fn("Checkpoints.read")(function*(path, kind) {
    const parts = parseCheckpointPath(path)
    if (parts === undefined || parts.kind !== kind) {
      const fix = `Give a path like ${checkpointPath("RUN", kind, "step-000030")}`
      return yield* refused("open", `${JSON.stringify(path)} is no path of ${kind} of the embedded policy`, fix)
    }
    const file = fileOf(parts.run, kind, parts.name)
    const bytes = yield* fs.readFile(file).pipe(
      Effect.mapError((cause) =>
        new PolicyError({
          backend,
          operation: "open",
          reason: `${path} cannot be read from ${file} (${cause.message})`,
          fix: "Check the path and the folder of runs",
          kind: "refused",
          cause
        })
      )
    )
    return { bytes, file }
  })

  const checkpoints: Checkpoints = { write, read }
  return checkpoints
})
