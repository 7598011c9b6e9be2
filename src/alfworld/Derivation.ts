/** Makes texts: expands rules, evaluates expressions and joins lists, depth first and from left to right. */
import { compileExpression, type EntityText, type Expression, printValue } from "./Expression.js"
import { DerivationFault, quoted } from "./GameFileError.js"
import type { Grammar } from "./Grammar.js"
import type { FactBase } from "./Join.js"
import { type Mapping, matchQuery, parseQuery, type Placeholder, type Query } from "./Query.js"
import { type Conditional, parseTextSymbols, type TextSymbol } from "./TextSymbols.js"

/** Rules expanded inside each other deeper than this are taken for an endless recursion. */
const maximumDepth = 60

/** A text that takes more steps than this is refused. */
const maximumSteps = 200_000

/** Derivations that produce more characters than this, counting every part of a text at every level, are refused. */
const maximumCharacters = 4_000_000

/** Texts and queries compiled so far are dropped when there are more than this. */
const maximumCompiled = 10_000

/** One derivation under way. */
interface Context {
  readonly writer: TextWriter
  readonly facts: FactBase
  readonly mapping: Mapping
}

type CompiledText = (context: Context) => string

/** How the names of a domain resolve in queries. */
export interface TextVocabulary {
  readonly typeNumber: (name: string) => number
  /** The index, among the facts that texts are made from, of a predicate or a remembered negation; -1 for none. */
  readonly relation: (name: string, arity: number) => number
  /** No action changes the facts at this index. */
  readonly isStatic: (relation: number) => boolean
}

/** Texts compiled once for a domain: all games of a data set share nearly all their texts. */
export class Phrasebook {
  private readonly texts = new Map<string, CompiledText>()
  private readonly staticTexts = new Map<string, boolean>()
  private readonly queries = new Map<string, Query>()
  private readonly placeholders = new Map<string, Placeholder>()

  constructor(private readonly vocabulary: TextVocabulary) {}

  /** The same book when it has room, else an empty one: games keep the book that they were made with. */
  renewed(): Phrasebook {
    return this.texts.size + this.queries.size > maximumCompiled ? new Phrasebook(this.vocabulary) : this
  }

  placeholder(name: string, type: string): Placeholder {
    const key = `${name}:${type}`
    const known = this.placeholders.get(key)
    if (known !== undefined) return known
    const made = { number: this.placeholders.size, name, type: this.vocabulary.typeNumber(type) }
    this.placeholders.set(key, made)
    return made
  }

  query(source: string): Query {
    const known = this.queries.get(source)
    if (known !== undefined) return known
    const query = parseQuery(source, {
      placeholder: (name, type) => this.placeholder(name, type),
      relation: this.vocabulary.relation
    })
    this.queries.set(source, query)
    return query
  }

  text(source: string): CompiledText {
    const known = this.texts.get(source)
    if (known !== undefined) return known
    const parts = parseTextSymbols(source).map((symbol) => this.symbol(symbol))
    const only = parts[0]
    const text: CompiledText = parts.length === 1 && only !== undefined ? only : (context) => {
      let result = ""
      for (const part of parts) result += part(context)
      return result
    }
    this.texts.set(source, text)
    return text
  }

  /** The text is the same in every state: it uses no rules and asks only for facts that never change. */
  isStatic(source: string): boolean {
    const known = this.staticTexts.get(source)
    if (known !== undefined) return known
    const isStatic = parseTextSymbols(source).every((symbol) => {
      if (symbol.kind === "text") return true
      if (symbol.kind === "rule") return false
      const { body, query } = symbol.kind === "list" ? symbol.item : symbol
      if (body.kind === "rule") return false
      return query === undefined || this.query(query).every((atom) => this.vocabulary.isStatic(atom.relation))
    })
    this.staticTexts.set(source, isStatic)
    return isStatic
  }

  private symbol(symbol: TextSymbol): CompiledText {
    switch (symbol.kind) {
      case "text":
        return () => symbol.text
      case "rule":
        return (context) => context.writer.expand(symbol.name, context.facts, context.mapping)
      case "conditional": {
        const items = this.items(symbol)
        return (context) => items(context).join("")
      }
      case "list": {
        const items = this.items(symbol.item)
        return (context) => joinList(items(context), context)
      }
    }
  }

  private items(conditional: Conditional): (context: Context) => ReadonlyArray<string> {
    const { body, query: source } = conditional
    const text: CompiledText = body.kind === "rule"
      ? (context) => context.writer.expand(body.name, context.facts, context.mapping)
      : expressionText(body.source)
    if (source === undefined) return (context) => [text(context)]
    return (context) => {
      const items: Array<string> = []
      context.writer.match(this.query(source), context.facts, context.mapping, () => {
        const item = text(context)
        context.writer.grow(item)
        items.push(item)
        return false
      })
      return items
    }
  }
}

/** Compiled at first use, as an expression that TextWorld would reject does no harm until a text needs it. */
const expressionText = (source: string): CompiledText => {
  let compiled: Expression | undefined
  return (context) => {
    compiled = compiled ?? compileExpression(source)
    return printValue(compiled((name) => context.writer.entity(context.mapping.entityNamed(name))))
  }
}

const joinList = (items: ReadonlyArray<string>, context: Context): string => {
  const part = (name: string): string => context.writer.expand(name, context.facts, context.mapping)
  if (items.length === 0) return part("list_empty")
  if (items.length === 1) return items[0] ?? ""
  return items.slice(0, -1).join(part("list_separator")) + part("list_last_separator") + (items.at(-1) ?? "")
}

const ruleFault = (name: string, trouble: string): DerivationFault =>
  new DerivationFault(`the rule ${quoted(name)} ${trouble}`, `"${name}"`)

/** Writes the texts of one game. */
export class TextWriter {
  private depth = 0
  private steps = 0
  private characters = 0
  private readonly spend = (): void => {
    this.steps++
    if (this.steps > maximumSteps) throw new DerivationFault("a text takes too many steps to derive", "\"intro\"")
  }

  constructor(
    readonly grammar: Grammar,
    readonly phrasebook: Phrasebook,
    private readonly entities: ReadonlyArray<EntityText>,
    private readonly entityTypes: ReadonlyArray<number>
  ) {}

  entity(number: number): EntityText | undefined {
    return this.entities[number]
  }

  match(query: Query, facts: FactBase, mapping: Mapping, visit: () => boolean): boolean {
    return matchQuery(query, facts, this.entityTypes, mapping, this.spend, visit)
  }

  /** Counts a part of the text that was made. */
  grow(text: string): void {
    this.characters += text.length
    if (this.characters > maximumCharacters) throw new DerivationFault("a text grows too long", "\"intro\"")
  }

  /** The text of a template, a feedback or a rule body. */
  write(source: string, facts: FactBase, mapping: Mapping): string {
    this.depth = 0
    this.steps = 0
    this.characters = 0
    return this.phrasebook.text(source)({ writer: this, facts, mapping })
  }

  /** Expands a rule by its first alternative whose condition has a match. */
  expand(name: string, facts: FactBase, mapping: Mapping): string {
    const alternatives = this.grammar.rules.get(name)
    if (alternatives === undefined) throw new DerivationFault(`the grammar has no rule ${quoted(name)}`, `#${name}#`)
    const chosen = alternatives.find(({ condition }) =>
      condition === undefined || this.match(this.phrasebook.query(condition), facts, mapping, () => true)
    )
    if (chosen === undefined) throw ruleFault(name, "has no alternative that applies")
    if (this.depth >= maximumDepth) throw ruleFault(name, "expands without end")
    this.depth++
    this.spend()
    const text = this.phrasebook.text(chosen.text)({ writer: this, facts, mapping })
    this.depth--
    this.grow(text)
    return text
  }
}
