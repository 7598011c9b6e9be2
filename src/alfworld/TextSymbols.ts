/**
 * Reads the text level of a TextWorld grammar: rule bodies, command templates and feedback.
 *
 * As in TextWorld, reading never fails: it stops at the first character that fits nothing and the rest is dropped, and
 * whitespace at the very beginning is swallowed.
 */

export type TextSymbol =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "rule"; readonly name: string }
  | Conditional
  | { readonly kind: "list"; readonly item: Conditional }

/** `{body}` for the present binding, or `{body | query}` once for every match of the query. */
export interface Conditional {
  readonly kind: "conditional"
  readonly body:
    | { readonly kind: "rule"; readonly name: string }
    | { readonly kind: "expression"; readonly source: string }
  readonly query: string | undefined
}

const leading = /\s*(?:\/\/[^\n]*\n?\s*)*/y
const tabs = /\t*/y
const blanks = /\s*/y
const ruleName = /#([\p{L}\p{N}_ ()/!<>\-,.]+)#/uy
const plainText = /[^;|"<>[\]#{}]+/y
const quotedText = /"([^"]*)"/y
const expression = /[^|[\]{}<>\n]+/y
const queryText = /[^;|{}[\]#\n]+/y

/** The symbols of a text. */
export const parseTextSymbols = (text: string): ReadonlyArray<TextSymbol> => {
  const reader = new Reader(text)
  reader.skip(leading)
  const symbols: Array<TextSymbol> = []
  for (let symbol = readSymbol(reader); symbol !== undefined; symbol = readSymbol(reader)) symbols.push(symbol)
  return symbols
}

class Reader {
  private index = 0

  constructor(private readonly text: string) {}

  /** Matches a sticky pattern here, moving on when it matches. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.index
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.index = pattern.lastIndex
    return match
  }

  skip(pattern: RegExp): void {
    this.match(pattern)
  }

  take(character: string): boolean {
    if (this.text.charAt(this.index) !== character) return false
    this.index++
    return true
  }
}

const readSymbol = (reader: Reader): TextSymbol | undefined => {
  reader.skip(tabs)
  if (reader.take("[")) return readList(reader)
  if (reader.take("{")) return readConditional(reader)
  const rule = reader.match(ruleName)?.[1]
  if (rule !== undefined) return { kind: "rule", name: rule }
  const text = reader.match(plainText)?.[0] ?? reader.match(quotedText)?.[1]
  return text === undefined ? undefined : { kind: "text", text }
}

const readList = (reader: Reader): TextSymbol | undefined => {
  reader.skip(blanks)
  if (!reader.take("{")) return undefined
  const item = readConditional(reader)
  reader.skip(blanks)
  return item === undefined || !reader.take("]") ? undefined : { kind: "list", item }
}

const readConditional = (reader: Reader): Conditional | undefined => {
  reader.skip(blanks)
  const rule = reader.match(ruleName)?.[1]
  const source = rule === undefined ? reader.match(expression)?.[0] : undefined
  reader.skip(blanks)
  const query = reader.take("|") ? reader.match(queryText)?.[0] : undefined
  if (!reader.take("}")) return undefined
  if (rule !== undefined) return { kind: "conditional", body: { kind: "rule", name: rule }, query }
  if (source === undefined) return undefined
  return { kind: "conditional", body: { kind: "expression", source: source.trim() }, query }
}
