import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Flag, flagName } from "./Flags.js"
import type { KnownFlag } from "./Mistakes.js"

/** What the command line gave, by key; undefined where a flag is absent. Values are not yet read. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

const textOption = (key: string, flag: Flag): Options.Options<string | undefined> =>
  flag.aliases.reduce(
    (option, alias) => Options.withAlias(option, alias),
    Options.text(flagName(key)).pipe(Options.withPseudoName(flag.value), Options.withDescription(flag.description))
  ).pipe(Options.optional, Options.map((value) => Option.getOrUndefined(value)))

const switchOption = (key: string, flag: Flag): Options.Options<boolean | undefined> => {
  const name = flagName(key)
  return Options.all({
    on: Options.boolean(name).pipe(Options.withDescription(flag.description)),
    off: Options.boolean(`no-${name}`).pipe(Options.withDescription(`not --${name}`))
  }).pipe(Options.mapEffect(({ off, on }) => {
    if (on && off) {
      const problem = HelpDoc.p(`--${name} and --no-${name}: only one of them can be given`)
      return Effect.fail(ValidationError.invalidValue(problem))
    }
    return Effect.succeed(on ? true : off ? false : undefined)
  }))
}

/** The flags of a table as options of the command line parser. */
export const optionsOf = (flags: ReadonlyArray<readonly [string, Flag]>): Options.Options<FlagValues> => {
  const options: Record<string, Options.Options<string | boolean | undefined>> = {}
  for (const [key, flag] of flags) {
    options[key] = flag.kind === "switch" ? switchOption(key, flag) : textOption(key, flag)
  }
  return Options.all(options)
}

/** The same flags for finding mistakes. */
export const knownFlagsOf = (flags: ReadonlyArray<readonly [string, Flag]>): ReadonlyArray<KnownFlag> =>
  flags.flatMap(([key, flag]): ReadonlyArray<KnownFlag> => {
    const name = `--${flagName(key)}`
    if (flag.kind !== "switch") {
      return [{ names: [name, ...flag.aliases.map((alias) => `--${alias}`)], takesValue: true }]
    }
    return [{ names: [name], takesValue: false }, { names: [`--no-${flagName(key)}`], takesValue: false }]
  })
