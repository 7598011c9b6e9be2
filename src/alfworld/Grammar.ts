/** The document level of a TextWorld grammar (TWL2): rule blocks and actions. */
import { quoted, SectionFault } from "./GameFileError.js"
import { describeJson, isRecord, readJson } from "./JsonText.js"

/** One way to expand a rule. */
export interface RuleAlternative {
  readonly text: string
  /** A query that must have a match for this alternative to be chosen. */
  readonly condition: string | undefined
}

/** How an action is written as a command and what is said after it. */
export interface ActionTexts {
  readonly template: string
  readonly feedback: string
}

export interface Grammar {
  readonly rules: ReadonlyMap<string, ReadonlyArray<RuleAlternative>>
  /** By lower-case name. */
  readonly actions: ReadonlyMap<string, ActionTexts>
  /** The predicates whose negation some text may ask for, as `not_p` or `!p`. */
  readonly negations: ReadonlySet<string>
}

const blankOrComment = /(?:\s+|#[^\n]*)*/y
const word = /[\p{L}\p{N}_/-]+/uy
const quotedString = /"([^"]*)"/y
const block = /"""([\s\S]*?)"""/y

class Reader {
  index = 0

  constructor(readonly text: string) {}

  private match(pattern: RegExp): RegExpExecArray | undefined {
    blankOrComment.lastIndex = this.index
    blankOrComment.exec(this.text)
    const start = blankOrComment.lastIndex
    pattern.lastIndex = start
    const match = pattern.exec(this.text)
    this.index = match === null ? start : pattern.lastIndex
    return match ?? undefined
  }

  fault(expected: string): SectionFault {
    blankOrComment.lastIndex = this.index
    blankOrComment.exec(this.text)
    const at = blankOrComment.lastIndex
    const rest = this.text.slice(at, at + 20).split("\n")[0] ?? ""
    return new SectionFault("grammar", at, expected, rest === "" ? "the end of the grammar" : quoted(rest))
  }

  get atEnd(): boolean {
    return this.match(/$/y) !== undefined
  }

  word(expected: string): string {
    const match = this.match(word)
    if (match === undefined) throw this.fault(expected)
    return match[0]
  }

  take(symbol: "::" | ";" | "{" | "}"): boolean {
    return this.match(symbolPatterns[symbol]) !== undefined
  }

  expect(symbol: "::" | ";" | "{" | "}"): void {
    if (!this.take(symbol)) throw this.fault(quoted(symbol))
  }

  string(): string {
    const match = this.match(quotedString)
    if (match === undefined) throw this.fault("a text in double quotes")
    return match[1] ?? ""
  }

  /** A triple-quoted block and the offset of its text. */
  block(): { readonly text: string; readonly offset: number } {
    const match = this.match(block)
    if (match === undefined) throw this.fault("a block in triple double quotes")
    return { text: match[1] ?? "", offset: match.index + 3 }
  }
}

const symbolPatterns = { "::": /::/y, ";": /;/y, "{": /\{/y, "}": /\}/y }

/**
 * Parses the text of `grammar`, throwing a {@link SectionFault} when it is malformed. A rule that is defined again
 * replaces the earlier one.
 */
export const parseGrammar = (text: string): Grammar => {
  const reader = new Reader(text)
  const rules = new Map<string, ReadonlyArray<RuleAlternative>>()
  const actions = new Map<string, ActionTexts>()
  while (!reader.atEnd) {
    const keyword = reader.word("\"grammar\" or \"action\"")
    if (keyword === "grammar") {
      reader.expect("::")
      addRules(reader.block(), false, text, rules)
      reader.expect(";")
    } else if (keyword === "action") {
      const name = reader.word("the name of an action").toLowerCase()
      actions.set(name, parseAction(reader, name, rules))
    } else {
      throw new SectionFault("grammar", reader.index - keyword.length, "\"grammar\" or \"action\"", quoted(keyword))
    }
  }
  const negations = new Set([...text.matchAll(/(?:\bnot_|!\s*)([\w-]+)/g)].map((match) => match[1] ?? ""))
  return { rules, actions, negations }
}

const partsOfAction = "\"template\", \"feedback\", \"pddl\", \"grammar\" or \"}\""

const parseAction = (
  reader: Reader,
  name: string,
  rules: Map<string, ReadonlyArray<RuleAlternative>>
): ActionTexts => {
  const start = reader.index
  let template: string | undefined
  let feedback: string | undefined
  reader.expect("{")
  while (!reader.take("}")) {
    const key = reader.word(partsOfAction)
    reader.expect("::")
    if (key === "template") template = reader.string()
    else if (key === "feedback") feedback = reader.string()
    else if (key === "grammar") addRules(reader.block(), true, reader.text, rules)
    else if (key === "pddl") reader.block()
    else throw new SectionFault("grammar", reader.index, partsOfAction, quoted(key))
    reader.expect(";")
  }
  if (template === undefined || feedback === undefined) {
    const found = template === undefined ? "no template" : "no feedback"
    throw new SectionFault("grammar", start, `a template and a feedback for the action "${name}"`, found)
  }
  return { template, feedback }
}

/** In an action's block, lines that start with `#` are comments. */
const withoutCommentLines = (text: string): string => 
  text.replace(/^[^\S\n]*#[^\n]*$/gm, (line) => " ".repeat(line.length))

const addRules = (
  source: { readonly text: string; readonly offset: number },
  commented: boolean,
  document: string,
  rules: Map<string, ReadonlyArray<RuleAlternative>>
): void => {
  const parsed = parseJson(commented ? withoutCommentLines(source.text) : source.text, source.offset)
  if (!isRecord(parsed)) {
    throw new SectionFault("grammar", source.offset, "a JSON object of rules", describeJson(parsed))
  }
  for (const [name, value] of Object.entries(parsed)) {
    if (!Array.isArray(value)) throw ruleFault(source, document, name, "a JSON array of alternatives", value)
    rules.set(name, value.map((alternative) => parseAlternative(alternative, source, document, name)))
  }
}

const parseAlternative = (
  value: unknown,
  source: { readonly text: string; readonly offset: number },
  document: string,
  name: string
): RuleAlternative => {
  if (!isRecord(value) || typeof value["rhs"] !== "string") {
    throw ruleFault(source, document, name, "an object with a string \"rhs\"", value)
  }
  const condition = value["condition"]
  if (condition !== undefined && condition !== null && typeof condition !== "string") {
    throw ruleFault(source, document, name, "a string as \"condition\"", condition)
  }
  return { text: value["rhs"], condition: condition === null || condition === "" ? undefined : condition }
}

const ruleFault = (
  source: { readonly text: string; readonly offset: number },
  document: string,
  name: string,
  expected: string,
  found: unknown
): SectionFault => {
  const at = document.indexOf(JSON.stringify(name), source.offset)
  const offset = at < 0 ? source.offset : at
  return new SectionFault("grammar", offset, `${expected} in the rule "${name}"`, describeJson(found))
}

const parseJson = (text: string, offset: number): unknown => {
  const result = readJson(text)
  if (result.ok) return result.value
  throw new SectionFault("grammar", offset + result.offset, "valid JSON", result.reason)
}
