/** Reads JSON with errors that say where. */
import { lineAndColumn, quoted } from "./GameFileError.js"

/** A JSON object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** How a JSON value reads in an error message. */
export const describeJson = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly offset: number; readonly reason: string }

/** Parses JSON; on failure gives the offset of the first character that does not fit. */
export const readJson = (text: string): JsonReading => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    const offset = firstFault(text)
    const { column, line } = lineAndColumn(text, offset)
    const character = offset < text.length ? quoted(text.charAt(offset)) : "the end of the text"
    return { ok: false, offset, reason: `${character} at line ${line}, column ${column} of it` }
  }
}

const blanks = /[ \t\n\r]*/y
const plainScalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Reads a string from its opening quote: where it ends or, when it is malformed, where it stops being well formed. */
const readString = (text: string, start: number): { readonly complete: boolean; readonly end: number } => {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return { complete: true, end: index + 1 }
    if (code < 0x20) break
    escape.lastIndex = index
    if (code !== 0x5c) index++
    else if (escape.test(text)) index = escape.lastIndex
    else break
  }
  return { complete: false, end: index }
}

/** What may come next: a value, a member's key, or what follows a value. */
type Expected = "value" | "value or end" | "key" | "key or end" | "more"

/**
 * The offset of the first character that cannot be part of a JSON text; its length when only the end is missing.
 * `JSON.parse` tells the position in some of its messages only.
 */
const firstFault = (text: string): number => {
  const open: Array<"{" | "["> = []
  let expected: Expected = "value"
  let index = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = index
    if (!pattern.test(text)) return false
    index = pattern.lastIndex
    return true
  }
  for (;;) {
    take(blanks)
    const character = text.charAt(index)
    const container = open[open.length - 1]
    const mayEnd = expected === "more" || expected === "value or end" || expected === "key or end"
    const string = character === "\"" && expected !== "more" ? readString(text, index) : undefined
    if (string !== undefined && !string.complete) return string.end
    if (mayEnd && container !== undefined && character === (container === "{" ? "}" : "]")) {
      open.pop()
      index++
      expected = "more"
    } else if (expected === "more") {
      if (container === undefined || character !== ",") return index
      index++
      expected = container === "{" ? "key" : "value"
    } else if (expected === "key" || expected === "key or end") {
      if (string === undefined) return index
      index = string.end
      take(blanks)
      if (text.charAt(index) !== ":") return index
      index++
      expected = "value"
    } else if (character === "{" || character === "[") {
      open.push(character)
      index++
      expected = character === "{" ? "key or end" : "value or end"
    } else if (string !== undefined) {
      index = string.end
      expected = "more"
    } else if (take(plainScalar)) {
      expected = "more"
    } else {
      return index
    }
  }
}
