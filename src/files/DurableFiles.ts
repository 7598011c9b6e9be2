import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunStoreError } from "../services/RunStore.js"
import { cannotWrite } from "./FileFailure.js"

/** Makes the names inside a folder durable. Windows keeps them so by itself and cannot open a folder. */
export const syncFolder = Effect.fn("DurableFiles.syncFolder")(function*(folder: string) {
  if (process.platform === "win32") return
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (file) => file.sync)).pipe(
    Effect.mapError(cannotWrite(folder))
  )
})

/** Makes a folder and what is missing above it, durably. */
export const ensureFolder: (
  folder: string
) => Effect.Effect<void, RunStoreError, FileSystem.FileSystem | Path.Path> = Effect.fn("DurableFiles.ensureFolder")(
  function*(folder: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const parent = path.dirname(folder)
    if (parent === folder || (yield* fs.exists(folder).pipe(Effect.mapError(cannotWrite(folder))))) return
    yield* ensureFolder(parent)
    yield* fs.makeDirectory(folder, { recursive: true }).pipe(Effect.mapError(cannotWrite(folder)))
    yield* syncFolder(parent)
  }
)

/**
 * Replaces a file in one step: whoever looks, and whatever is interrupted, finds the old content or the new one.
 * Beside it `<file>.tmp` may be left behind, which the next replacement overwrites.
 */
export const replaceFile = Effect.fn("DurableFiles.replaceFile")(function*<E, R>(
  file: string,
  content: Stream.Stream<Uint8Array, E, R>
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const temporary = `${file}.tmp`
  yield* Effect.scoped(
    Effect.gen(function*() {
      const opened = yield* fs.open(temporary, { flag: "w" }).pipe(Effect.mapError(cannotWrite(temporary)))
      yield* Stream.runForEach(content, (bytes) =>
        opened.writeAll(bytes).pipe(Effect.mapError(cannotWrite(temporary))))
      yield* opened.sync.pipe(Effect.mapError(cannotWrite(temporary)))
    })
  )
  yield* fs.rename(temporary, file).pipe(Effect.mapError(cannotWrite(file)))
  yield* syncFolder(path.dirname(file))
})

/** Cuts a file after its first `length` bytes, durably. */
export const cutFile = Effect.fn("DurableFiles.cutFile")(function*(file: string, length: number) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(
    Effect.gen(function*() {
      const opened = yield* fs.open(file, { flag: "r+" })
      yield* opened.truncate(length)
      yield* opened.sync
    })
  ).pipe(Effect.mapError(cannotWrite(file)))
})
