import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** The first of `base`, `base-2`, `base-3`, … that nothing in the folder of runs is called. */
export const freeRunName = Effect.fn("RunNames.freeRunName")(function*(runDir: string, base: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const taken = new Set(yield* fs.readDirectory(path.resolve(runDir)).pipe(Effect.orElseSucceed(() => [])))
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
  return name
})
