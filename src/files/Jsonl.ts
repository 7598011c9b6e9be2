import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { describeParseError } from "./ParseProblem.js"

/** One line of a JSON Lines file, or what stands in its place. Offsets are bytes from the file's start. */
export type JsonlItem =
  | {
    readonly _tag: "Line"
    /** From 1; empty lines count but give no item. */
    readonly number: number
    readonly start: number
    /** After the line's newline, where it has one. */
    readonly end: number
    /** `false` where the file ends without the line's newline. */
    readonly terminated: boolean
    readonly text: string
    readonly value: unknown
  }
  /** The file's last line, which is not JSON: a write that was cut short. */
  | { readonly _tag: "Torn"; readonly number: number; readonly start: number; readonly end: number }
  /** A line that is not JSON although others follow it. */
  | { readonly _tag: "Damaged"; readonly number: number; readonly reason: string }

interface Suspect {
  readonly number: number
  readonly start: number
  readonly reason: string
}

/** Where a reader stands between two chunks of a file. */
export interface JsonlPosition {
  readonly number: number
  /** Offset of the first byte that belongs to no line yet. */
  readonly offset: number
  readonly rest: ReadonlyArray<Uint8Array>
  /** A line that was not JSON; whether it is torn or damaged depends on what follows. */
  readonly suspect: Suspect | undefined
}

export const jsonlStart: JsonlPosition = { number: 1, offset: 0, rest: [], suspect: undefined }

const newline = 10

/** Reads the next chunk of bytes; `undefined` is the file's end. Memory is that of the longest line. */
export const readChunk = (
  position: JsonlPosition,
  chunk: Uint8Array | undefined
): readonly [JsonlPosition, ReadonlyArray<JsonlItem>] => {
  const items: Array<JsonlItem> = []
  let { number, offset, rest, suspect } = position

  const take = (bytes: Uint8Array, terminated: boolean) => {
    const start = offset
    const end = start + bytes.length + (terminated ? 1 : 0)
    const parsed = parseLine(bytes)
    const empty = Either.isRight(parsed) && parsed.right === undefined
    if (suspect !== undefined && !empty) {
      items.push({ _tag: "Damaged", number: suspect.number, reason: suspect.reason })
      suspect = undefined
    }
    if (Either.isLeft(parsed)) {
      suspect = { number, start, reason: parsed.left }
    } else if (parsed.right !== undefined) {
      items.push({ _tag: "Line", number, start, end, terminated, ...parsed.right })
    }
    number += 1
    offset = end
  }

  if (chunk === undefined) {
    const last = joined(rest)
    if (last.length > 0) take(last, false)
    if (suspect !== undefined) items.push({ _tag: "Torn", number: suspect.number, start: suspect.start, end: offset })
    return [{ number, offset, rest: [], suspect: undefined }, items]
  }
  let from = 0
  let to = chunk.indexOf(newline, from)
  while (to !== -1) {
    const line = joined([...rest, chunk.subarray(from, to)])
    rest = []
    take(line, true)
    from = to + 1
    to = chunk.indexOf(newline, from)
  }
  if (from < chunk.length) rest = [...rest, chunk.subarray(from)]
  return [{ number, offset, rest, suspect }, items]
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (parts.length === 1) return parts[0]
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

const decodeText = (bytes: Uint8Array): Either.Either<string, string> =>
  Either.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => "it is not UTF-8 text"
  })

/** `undefined` for a line of white space alone. */
const parseLine = (
  bytes: Uint8Array
): Either.Either<{ readonly text: string; readonly value: unknown } | undefined, string> =>
  Either.flatMap(decodeText(bytes), (text) =>
    text.trim() === ""
      ? Either.right(undefined)
      : Either.try({
        try: () => ({ text, value: JSON.parse(text) as unknown }),
        catch: () => "it is not JSON"
      }))

/**
 * A record as one line with its newline. Equal records give equal lines: keys stand in the schema's order (those of
 * a record of metrics in the order given) and numbers in JavaScript's shortest form. Negative zero is written as 0.
 * JSON has no NaN and no infinities: they become `null` where the schema allows it there and are refused elsewhere.
 * The left side says what is wrong.
 */
export const encodeLine = <A, I>(schema: Schema.Schema<A, I>, record: A): Either.Either<string, string> =>
  Schema.encodeEither(schema)(record).pipe(
    Either.mapLeft((error) => describeParseError(error)),
    Either.flatMap((encoded) => {
      const text = JSON.stringify(encoded)
      const path = nonFinitePath(encoded)
      if (path === undefined) return Either.right(`${text}\n`)
      return Schema.decodeUnknownEither(schema)(JSON.parse(text)).pipe(
        Either.mapBoth({
          onLeft: () => `${path.join(".")} is not a finite number`,
          onRight: () => `${text}\n`
        })
      )
    })
  )

/** Path of the first number that JSON cannot write, or `undefined`. */
const nonFinitePath = (value: unknown): ReadonlyArray<string | number> | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : []
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const inner = nonFinitePath(value[i])
      if (inner !== undefined) return [i, ...inner]
    }
    return undefined
  }
  for (const [key, item] of Object.entries(value)) {
    const inner = nonFinitePath(item)
    if (inner !== undefined) return [key, ...inner]
  }
  return undefined
}
