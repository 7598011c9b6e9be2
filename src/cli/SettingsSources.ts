import * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { unavailable } from "./Availability.js"
import { evalFlags, type FlagTable, trainFlags } from "./Flags.js"
import { fromEnvironment, fromFile, fromFlags, type GivenSettings, mergeGiven } from "./GivenSettings.js"
import type { FlagValues } from "./Options.js"
import { UsageError } from "./UsageError.js"

/**
 * A ConfigProvider of environment variables as they are. Its delimiter is one that no variable's name holds, so the
 * root's children are whole variables and unknown ones can be found. (Effect's own provider for the environment
 * lists names in capitals and then misses those that are not.)
 */
export const environment = (
  variables: Readonly<Record<string, string | undefined>>
): ConfigProvider.ConfigProvider => {
  const present = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return ConfigProvider.fromMap(new Map(present), { pathDelim: "\u0000", seqDelim: "\u0000" })
}

const variables = Config.hashMap(Config.string()).pipe(Config.map((map) => new Map(map)))

const readConfigFile = Effect.fn("SettingsSources.readConfigFile")(function*<Settings>(
  table: FlagTable<Settings>,
  path: string
) {
  const fs = yield* FileSystem.FileSystem
  const content = yield* fs.readFileString(path).pipe(
    Effect.mapError((error) => new UsageError({ problems: [`--config ${path}: cannot be read: ${error.message}`] }))
  )
  return yield* fromFile(table, path, content)
})

/**
 * All that was given for a command's settings: flags over the environment over the configuration file. What only
 * another version could do is refused.
 */
export const givenSettings = Effect.fn("SettingsSources.givenSettings")(function*<Settings>(
  table: FlagTable<Settings>,
  flags: FlagValues
) {
  const fromVariables = yield* fromEnvironment(table, [trainFlags, evalFlags], yield* Effect.orDie(variables))
  const file: GivenSettings = typeof flags.config === "string" ? yield* readConfigFile(table, flags.config) : {}
  const given = mergeGiven(fromFlags(table, flags), fromVariables, file)
  const [first, ...others] = unavailable(given)
  if (first !== undefined) return yield* new UsageError({ problems: [first, ...others] })
  return given
})
