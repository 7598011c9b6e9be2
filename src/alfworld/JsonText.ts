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

/** Parses JSON; on failure gives the offset of the offending character. */
export const readJson = (
  text: string
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly offset: number; readonly reason: string } => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const offset = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    const { column, line } = lineAndColumn(text, offset)
    const character = offset < text.length ? quoted(text.charAt(offset)) : "the end of the text"
    return { ok: false, offset, reason: `${character} at line ${line}, column ${column} of it` }
  }
}
