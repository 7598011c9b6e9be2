import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** What made a run's records. Written down for people; a run may be resumed with other versions. */
export const Versions = Schema.Struct({
  agentopsd: Schema.String,
  node: Schema.String,
  effect: Schema.String
})
export type Versions = typeof Versions.Type

const PackageText = Schema.parseJson(Schema.Struct({ name: Schema.Literal("agentopsd"), version: Schema.String }))

/** The version in agentopsd's `package.json` above this module, be it a source, in `dist` or in the bundle. */
const packageVersion = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  let folder = path.dirname(yield* path.fromFileUrl(new URL(import.meta.url)))
  while (path.dirname(folder) !== folder) {
    const found = yield* fs.readFileString(path.join(folder, "package.json"))
      .pipe(Effect.flatMap((json) => Schema.decode(PackageText)(json)), Effect.option)
    if (Option.isSome(found)) return found.value.version
    folder = path.dirname(folder)
  }
  return "unknown"
})

/** The versions at work in this process. */
export const currentVersions = Effect.gen(function*() {
  const versions: Versions = {
    agentopsd: yield* Effect.orElseSucceed(packageVersion, () => "unknown"),
    node: process.versions.node,
    effect: Effect.void[Effect.EffectTypeId]._V
  }
  return versions
})
