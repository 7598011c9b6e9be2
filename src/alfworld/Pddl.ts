/**
 * Reads the bracketed text of PDDL as Fast Downward's translator does: tokens are separated by blanks and brackets
 * only (so `location,` is one token, comma included), `?` starts a new token, `;` starts a comment, and everything is
 * lower-cased.
 */
import { type GameFileSection, quoted, SectionFault } from "./GameFileError.js"

/** A token; `text` is lower case. */
export interface PddlAtom {
  readonly kind: "atom"
  readonly text: string
  readonly offset: number
}

/** A bracketed list. */
export interface PddlList {
  readonly kind: "list"
  readonly items: ReadonlyArray<PddlNode>
  readonly offset: number
}

export type PddlNode = PddlAtom | PddlList

/** Lists nested deeper than this are refused: no game comes near it, and later passes recurse over the lists. */
const maximumDepth = 200

const isBlank = (code: number): boolean => (code >= 0x1c && code <= 0x20) || (code >= 0x09 && code <= 0x0d)

/** How a node reads in an error message. */
export const describeNode = (node: PddlNode | undefined): string => {
  if (node === undefined) return "the end of the list"
  if (node.kind === "atom") return quoted(node.text)
  const head = node.items[0]
  if (head === undefined) return "()"
  return head.kind === "atom" ? `the list (${head.text} …)` : "a list of lists"
}

/** Parses exactly one bracketed list, throwing a {@link SectionFault} on anything else. */
export const parsePddl = (source: string, section: GameFileSection): PddlList => {
  const text = source.toLowerCase()
  const length = text.length
  const open: Array<{ readonly items: Array<PddlNode>; readonly offset: number }> = []
  let index = 0
  while (index < length) {
    const code = text.charCodeAt(index)
    if (isBlank(code)) {
      index++
    } else if (code === 0x3b) {
      const newline = text.indexOf("\n", index)
      index = newline < 0 ? length : newline + 1
    } else if (code === 0x28) {
      if (open.length >= maximumDepth) {
        throw new SectionFault(section, index, `lists nested at most ${maximumDepth} deep`, "a deeper list")
      }
      open.push({ items: [], offset: index })
      index++
    } else if (code === 0x29) {
      const closed = open.pop()
      if (closed === undefined) throw new SectionFault(section, index, "a list, opened by \"(\"", "\")\"")
      const list: PddlList = { kind: "list", items: closed.items, offset: closed.offset }
      const parent = open[open.length - 1]
      index++
      if (parent === undefined) {
        expectNothingMore(text, index, section)
        return list
      }
      parent.items.push(list)
    } else {
      const start = index
      index = endOfToken(text, index, section)
      const parent = open[open.length - 1]
      const token = text.slice(start, index)
      if (parent === undefined) throw new SectionFault(section, start, "a list, opened by \"(\"", quoted(token))
      parent.items.push({ kind: "atom", text: token, offset: start })
    }
  }
  const unclosed = open[open.length - 1]
  if (unclosed === undefined) throw new SectionFault(section, 0, "a list, opened by \"(\"", "no text")
  throw new SectionFault(section, unclosed.offset, "a \")\" that closes this list", "the end of the text")
}

const endOfToken = (text: string, start: number, section: GameFileSection): number => {
  let index = start
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7e) {
      throw new SectionFault(section, index, "ASCII characters outside comments", quoted(text.charAt(index)))
    }
    const ends = code === 0x28 || code === 0x29 || code === 0x3b || isBlank(code) || (code === 0x3f && index > start)
    if (ends) return index
  }
  return index
}

const expectNothingMore = (text: string, start: number, section: GameFileSection): void => {
  let index = start
  while (index < text.length) {
    if (isBlank(text.charCodeAt(index))) {
      index++
    } else if (text.charAt(index) === ";") {
      const newline = text.indexOf("\n", index)
      index = newline < 0 ? text.length : newline + 1
    } else {
      throw new SectionFault(section, index, "the end of the text after its one list", quoted(text.charAt(index)))
    }
  }
}
