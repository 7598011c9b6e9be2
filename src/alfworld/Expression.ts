/**
 * Evaluates the small part of Python that text grammars use inside braces: names, attributes, string literals, `+`,
 * comparison, `not`, `and`, `or` and parentheses.
 */
import { DerivationFault, quoted } from "./GameFileError.js"

/** What a text can say of an entity. Attributes that TextWorld knows but leaves empty for these games are `null`. */
export interface EntityText {
  readonly id: string
  readonly type: string
  readonly name: string
}

/** A value of the expression language. */
export type Value = string | boolean | null | EntityText

/** Looks up a placeholder's entity by name. */
export type Lookup = (name: string) => EntityText | undefined

export type Expression = (lookup: Lookup) => Value

/** How a value prints inside a text. */
export const printValue = (value: Value): string => {
  if (typeof value === "string") return value
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  return value.name
}

const emptyAttributes: ReadonlySet<string> = new Set(["noun", "adj", "desc", "room", "synonyms"])

const attribute = (value: Value, name: string): Value => {
  if (value !== null && typeof value === "object") {
    if (name === "name") return value.name
    if (name === "id") return value.id
    if (name === "type") return value.type
    if (name === "indefinite") return "a"
    if (name === "definite") return "the"
    if (emptyAttributes.has(name)) return null
  }
  throw new DerivationFault(`the expression asks for an attribute "${name}" that does not exist`, `.${name}`)
}

const isTruthy = (value: Value): boolean => value !== null && value !== false && value !== ""

/** Parentheses and `not` nested deeper than this, and expressions of more tokens than this, are refused. */
const maximumDepth = 50
const maximumTokens = 200

const tokenPattern = /\s*(?:([A-Za-z_]\w*)|'([^'\n\\]*)'|"([^"\n\\]*)"|(==|!=|[+().]))/y

interface Token {
  readonly kind: "name" | "string" | "symbol" | "end"
  readonly text: string
}

/** Compiles an expression, throwing a {@link DerivationFault} when it is not in the supported part of Python. */
export const compileExpression = (source: string): Expression => {
  const parser = new Parser(tokenize(source), source)
  const expression = parser.disjunction(0)
  parser.expect("end", "")
  return expression
}

const unsupported = (source: string): DerivationFault =>
  new DerivationFault(`the expression ${quoted(source)} is not supported`, source)

const tokenize = (source: string): ReadonlyArray<Token> => {
  const trimmed = source.trimEnd()
  const tokens: Array<Token> = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < trimmed.length) {
    const match = tokenPattern.exec(trimmed)
    if (match === null || tokens.length === maximumTokens) throw unsupported(source)
    const [, name, single, double, symbol] = match
    if (name !== undefined) tokens.push({ kind: "name", text: name })
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol })
    else tokens.push({ kind: "string", text: single ?? double ?? "" })
  }
  return tokens
}

const endToken: Token = { kind: "end", text: "" }
const keywords: ReadonlySet<string> = new Set(["and", "or", "not", "if", "else", "in", "is", "for", "lambda"])

class Parser {
  private index = 0

  constructor(private readonly tokens: ReadonlyArray<Token>, private readonly source: string) {}

  private peek(): Token {
    return this.tokens[this.index] ?? endToken
  }

  private take(kind: Token["kind"], text: string): boolean {
    const token = this.peek()
    if (token.kind !== kind || token.text !== text) return false
    this.index++
    return true
  }

  expect(kind: Token["kind"], text: string): void {
    if (!this.take(kind, text)) throw unsupported(this.source)
  }

  disjunction(depth: number): Expression {
    let left = this.conjunction(depth)
    while (this.take("name", "or")) {
      const first = left
      const second = this.conjunction(depth)
      left = (lookup) => {
        const value = first(lookup)
        return isTruthy(value) ? value : second(lookup)
      }
    }
    return left
  }

  private conjunction(depth: number): Expression {
    let left = this.negation(depth)
    while (this.take("name", "and")) {
      const first = left
      const second = this.negation(depth)
      left = (lookup) => {
        const value = first(lookup)
        return isTruthy(value) ? second(lookup) : value
      }
    }
    return left
  }

  private negation(depth: number): Expression {
    if (depth > maximumDepth) throw unsupported(this.source)
    if (!this.take("name", "not")) return this.comparison(depth)
    const operand = this.negation(depth + 1)
    return (lookup) => !isTruthy(operand(lookup))
  }

  private comparison(depth: number): Expression {
    const left = this.sum(depth)
    const equal = this.take("symbol", "==")
    if (!equal && !this.take("symbol", "!=")) return left
    const right = this.sum(depth)
    return (lookup) => (left(lookup) === right(lookup)) === equal
  }

  private sum(depth: number): Expression {
    let left = this.primary(depth)
    while (this.take("symbol", "+")) {
      const first = left
      const second = this.primary(depth)
      left = (lookup) => {
        const one = first(lookup)
        const two = second(lookup)
        if (typeof one === "string" && typeof two === "string") return one + two
        const reason = `the expression ${quoted(this.source)} adds something that is not a string`
        throw new DerivationFault(reason, this.source)
      }
    }
    return left
  }

  private primary(depth: number): Expression {
    let value = this.atom(depth)
    while (this.take("symbol", ".")) {
      const token = this.peek()
      if (token.kind !== "name") throw unsupported(this.source)
      this.index++
      const object = value
      value = (lookup) => attribute(object(lookup), token.text)
    }
    return value
  }

  private atom(depth: number): Expression {
    const token = this.peek()
    if (this.take("symbol", "(")) {
      const inner = this.disjunction(depth + 1)
      this.expect("symbol", ")")
      return inner
    }
    this.index++
    if (token.kind === "string") return () => token.text
    if (token.kind !== "name" || keywords.has(token.text)) throw unsupported(this.source)
    if (token.text === "None") return () => null
    return (lookup) => {
      const entity = lookup(token.text)
      if (entity !== undefined) return entity
      const reason = `nothing is bound to "${token.text}" in the expression ${quoted(this.source)}`
      throw new DerivationFault(reason, this.source)
    }
  }
}
