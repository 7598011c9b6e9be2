/** Queries of a text grammar: conjunctions over placeholders, such as `holds(a:agent, o:object) & ishot(o:object)`. */
import { DerivationFault, quoted } from "./GameFileError.js"
import type { FactBase } from "./Join.js"

/** A placeholder is identified by its name and its type together. */
export interface Placeholder {
  readonly number: number
  readonly name: string
  /** Number of the domain's type; -1 for a type that no entity has. */
  readonly type: number
}

interface QueryAtom {
  /** Index into the facts that texts are made from; -1 for a predicate that has none. */
  readonly relation: number
  readonly placeholders: ReadonlyArray<Placeholder>
}

export type Query = ReadonlyArray<QueryAtom>

/** Resolves the names in a query. */
export interface QueryNames {
  readonly placeholder: (name: string, type: string) => Placeholder
  /** The index of a predicate's facts for this arity, or -1. */
  readonly relation: (name: string, arity: number) => number
}

const atomPattern = /\s*(?:(!)\s*)?([\w./:-]+)\s*\(([^()]*)\)\s*(&|$)/y
const placeholderPattern = /^\s*([\w-]+)(?:\s*:\s*([\w-]+))?\s*$/

/** Conjunctions longer than this are refused. */
const maximumAtoms = 100

/** Parses a query, throwing a {@link DerivationFault} when it is malformed. */
export const parseQuery = (source: string, names: QueryNames): Query => {
  const atoms: Array<QueryAtom> = []
  atomPattern.lastIndex = 0
  for (let more = true; more;) {
    const match = atomPattern.exec(source)
    if (match === null || atoms.length === maximumAtoms) {
      throw new DerivationFault(`the query ${quoted(source)} is malformed`, source)
    }
    const [, negation, name = "", argumentText = "", separator] = match
    const parts = argumentText.trim() === "" ? [] : argumentText.split(",")
    const placeholders = parts.map((part) => {
      const placeholder = placeholderPattern.exec(part)
      const placeholderName = placeholder?.[1]
      if (placeholderName === undefined) throw new DerivationFault(`the query ${quoted(source)} is malformed`, source)
      return names.placeholder(placeholderName, placeholder?.[2] ?? placeholderName)
    })
    atoms.push({ relation: names.relation(negation === "!" ? `not_${name}` : name, parts.length), placeholders })
    more = separator === "&"
  }
  return atoms
}

/** Which entity each placeholder is bound to, by name and type, and by name alone for expressions. */
export class Mapping {
  private readonly entities: Array<number> = []
  private readonly used: Array<number> = []
  private readonly named = new Map<string, number>()

  /** The placeholder's entity, or -1. */
  entity(placeholder: Placeholder): number {
    return this.entities[placeholder.number] ?? -1
  }

  /** The entity last bound under a name, or -1. */
  entityNamed(name: string): number {
    return this.named.get(name) ?? -1
  }

  isUsed(entity: number): boolean {
    return this.used.includes(entity)
  }

  bind(placeholder: Placeholder, entity: number): void {
    this.entities[placeholder.number] = entity
    this.named.set(placeholder.name, entity)
    this.used.push(entity)
  }

  /** Takes back the latest `bind`, of this placeholder; `named` is what its name stood for before. */
  unbind(placeholder: Placeholder, named: number): void {
    this.entities[placeholder.number] = -1
    if (named < 0) this.named.delete(placeholder.name)
    else this.named.set(placeholder.name, named)
    this.used.pop()
  }
}

/**
 * Calls `visit` for every match, atoms from left to right and facts in the order of their arguments' ids, with the
 * mapping extended for the call. Different placeholders stand for different entities. `visit` answers whether to stop;
 * so does the result.
 */
export const matchQuery = (
  query: Query,
  facts: FactBase,
  entityTypes: ReadonlyArray<number>,
  mapping: Mapping,
  spend: () => void,
  visit: () => boolean,
  at = 0
): boolean => {
  const atom = query[at]
  if (atom === undefined) return visit()
  const relation = facts[atom.relation]
  if (relation === undefined) return false
  const { placeholders } = atom
  let candidates = relation.all
  for (let position = 0; position < placeholders.length; position++) {
    const entity = mapping.entity(placeholders[position]!)
    if (entity < 0) continue
    const indexed = relation.index[position]![entity]!
    if (indexed.length < candidates.length) candidates = indexed
  }
  for (const fact of candidates) {
    spend()
    const undo = bindFact(placeholders, fact, entityTypes, mapping)
    if (undo === undefined) continue
    const stop = matchQuery(query, facts, entityTypes, mapping, spend, visit, at + 1)
    takeBack(undo, mapping)
    if (stop) return true
  }
  return false
}

interface Undo {
  readonly placeholder: Placeholder
  readonly named: number
}

const nothingBound: ReadonlyArray<Undo> = []

const bindFact = (
  placeholders: ReadonlyArray<Placeholder>,
  fact: ReadonlyArray<number>,
  entityTypes: ReadonlyArray<number>,
  mapping: Mapping
): ReadonlyArray<Undo> | undefined => {
  let undo: Array<Undo> | undefined
  for (let position = 0; position < placeholders.length; position++) {
    const placeholder = placeholders[position]!
    const entity = fact[position]!
    const bound = mapping.entity(placeholder)
    const fits = entityTypes[entity] === placeholder.type && (bound < 0 ? !mapping.isUsed(entity) : bound === entity)
    if (!fits) {
      if (undo !== undefined) takeBack(undo, mapping)
      return undefined
    }
    if (bound >= 0) continue
    const step = { placeholder, named: mapping.entityNamed(placeholder.name) }
    undo = undo ?? []
    undo.push(step)
    mapping.bind(placeholder, entity)
  }
  return undo ?? nothingBound
}

const takeBack = (undo: ReadonlyArray<Undo>, mapping: Mapping): void => {
  for (let at = undo.length - 1; at >= 0; at--) mapping.unbind(undo[at]!.placeholder, undo[at]!.named)
}
