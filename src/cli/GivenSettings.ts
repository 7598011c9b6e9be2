import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { environmentName, environmentPrefix, type Flag, flagEntries, flagName, type FlagTable } from "./Flags.js"
import { suggestion } from "./Spelling.js"
import { UsageError } from "./UsageError.js"

/** A value that somebody gave, and how messages name it. */
export interface Given {
  readonly value: unknown
  /** `--seed`, `--seed (from AGENTOPSD_SEED)`, `--seed (from train.json)`. */
  readonly name: string
}

/** Values that somebody gave, by settings key. */
export type GivenSettings = Readonly<Record<string, Given>>

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const switchWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false]
])

/** Reads text as the kind of value a flag takes. Text that is no such value stays as it is, for the Schema to refuse. */
export const readText = (flag: Flag, text: string): unknown => {
  switch (flag.kind) {
    case "number":
      return numeral.test(text.trim()) ? Number(text) : text
    case "switch":
      return switchWords.get(text.trim().toLowerCase()) ?? text
    case "text":
      return text
  }
}

/** Values of flags, as the command line gave them. */
export const fromFlags = <Settings>(
  table: FlagTable<Settings>,
  flags: Readonly<Record<string, string | boolean | undefined>>
): GivenSettings => {
  const given: Record<string, Given> = {}
  for (const [key, flag] of flagEntries(table)) {
    const value = flags[key]
    if (value === undefined) continue
    given[key] = { name: `--${flagName(key)}`, value: typeof value === "string" ? readText(flag, value) : value }
  }
  return given
}

/**
 * Values of `AGENTOPSD_…` variables. `everyTable` are the tables of all commands: a variable that none of them knows is
 * refused, one that only another command knows is left alone.
 */
export const fromEnvironment = <Settings>(
  table: FlagTable<Settings>,
  everyTable: ReadonlyArray<FlagTable<unknown>>,
  variables: ReadonlyMap<string, string>
): Either.Either<GivenSettings, UsageError> => {
  const known = new Set(everyTable.flatMap((other) => Object.keys(other).map((key) => environmentName(key))))
  const strange = [...variables.keys()].filter((name) => name.startsWith(environmentPrefix) && !known.has(name))
  const [first, ...others] = strange.sort().map((name) =>
    `environment variable ${name} is no setting of agentopsd${suggestion(name, [...known])}`
  )
  if (first !== undefined) return Either.left(new UsageError({ problems: [first, ...others] }))

  const given: Record<string, Given> = {}
  for (const [key, flag] of flagEntries(table)) {
    const variable = environmentName(key)
    const value = variables.get(variable)
    if (value === undefined) continue
    given[key] = { name: `--${flagName(key)} (from ${variable})`, value: readText(flag, value) }
  }
  return Either.right(given)
}

/** Values of a configuration file: a JSON object whose keys are the flags' names without dashes in front. */
export const fromFile = <Settings>(
  table: FlagTable<Settings>,
  path: string,
  content: string
): Either.Either<GivenSettings, UsageError> => {
  const parsed = Schema.decodeEither(Schema.parseJson())(content)
  if (Either.isLeft(parsed)) {
    const reason = ParseResult.ArrayFormatter.formatErrorSync(parsed.left).map((issue) => issue.message).join("; ")
    return Either.left(new UsageError({ problems: [`--config ${path}: not JSON: ${reason}`] }))
  }
  const value = parsed.right
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const problem = `--config ${path}: expected a JSON object such as {"max-steps": 10}`
    return Either.left(new UsageError({ problems: [problem] }))
  }
  const keys = new Map(Object.keys(table).map((key) => [flagName(key), key]))
  const [first, ...others] = Object.keys(value)
    .filter((name) => !keys.has(name))
    .map((name) => `--config ${path}: unknown setting ${JSON.stringify(name)}${suggestion(name, [...keys.keys()])}`)
  if (first !== undefined) return Either.left(new UsageError({ problems: [first, ...others] }))

  const given: Record<string, Given> = {}
  for (const [name, setting] of Object.entries(value)) {
    const key = keys.get(name)
    if (key !== undefined) given[key] = { name: `--${name} (from ${path})`, value: setting }
  }
  return Either.right(given)
}

/** Puts sources on top of each other; an earlier one wins. */
export const mergeGiven = (...sources: ReadonlyArray<GivenSettings>): GivenSettings =>
  Object.assign({}, ...[...sources].reverse())

const expectation = /^Expected (.*), actual ([\s\S]*)$/

/** Words of the Schema that a person at a shell would not use. */
const plainWords: ReadonlyMap<string, string> = new Map([
  ["number", "a number"],
  ["boolean", "true or false"],
  ["a non empty string", "text that is not empty"]
])

/** What is wrong with one setting, from all that the Schema said about it. */
const problemOf = (name: string, value: unknown, messages: ReadonlyArray<string>): string => {
  const expected: Array<string> = []
  for (const message of messages) {
    const parts = expectation.exec(message)
    // A setting that may be absent is `null` in the Schema, which nobody writes in a flag.
    if (parts !== null && parts[1] !== "null") expected.push(plainWords.get(parts[1]) ?? parts[1])
    if (parts === null) expected.push(message.replace(/^expected /i, ""))
  }
  const actual = typeof value === "number" ? String(value) : JSON.stringify(value)
  return `${name}: expected ${[...new Set(expected)].join(" or ")}, actual ${actual}`
}

/** Decodes the defaults with what was given on top, once, with one Schema. */
export const decodeSettings = <Settings, Encoded extends object>(
  schema: Schema.Schema<Settings, Encoded>,
  defaults: Encoded,
  given: GivenSettings
): Either.Either<Settings, UsageError> => {
  const values = Object.fromEntries(Object.entries(given).map(([key, { value }]) => [key, value]))
  const decoded = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })({
    ...defaults,
    ...values
  })
  return Either.mapLeft(decoded, (error) => {
    const messages = new Map<string, Array<string>>()
    for (const issue of ParseResult.ArrayFormatter.formatErrorSync(error)) {
      const key = String(issue.path[0])
      messages.set(key, [...(messages.get(key) ?? []), issue.message])
    }
    const [first, ...others] = [...messages].map(([key, list]) =>
      problemOf(given[key]?.name ?? `--${flagName(key)}`, values[key], list)
    )
    return new UsageError({ problems: [first ?? error.message, ...others] })
  })
}
