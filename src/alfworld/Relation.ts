/**
 * The true facts of one predicate, sorted by their arguments and indexed by every argument position. Relations never
 * change: adding or removing a fact makes a new one that shares the untouched index lists, so that states are copied
 * for nothing.
 */
import type { Fact } from "./Problem.js"

export interface Relation {
  /** All facts, in lexicographic order of entities, without duplicates. */
  readonly all: ReadonlyArray<Fact>
  /** `index[position][entity]`: the facts with that entity at that position, in the same order. */
  readonly index: ReadonlyArray<Column>
}

/** Facts by entity. */
export type Column = ReadonlyArray<ReadonlyArray<Fact>>

const noFacts: ReadonlyArray<Fact> = []

const compareFacts = (left: Fact, right: Fact): number => {
  for (let position = 0; position < left.length; position++) {
    const difference = left[position]! - right[position]!
    if (difference !== 0) return difference
  }
  return 0
}

/** An index column without facts, to be shared by the empty relations over as many entities. */
export const emptyColumn = (entities: number): Column => Array.from({ length: entities }, () => noFacts)

/** The relation with these facts, in any order, duplicates allowed. */
export const makeRelation = (arity: number, empty: Column, facts: ReadonlyArray<Fact>): Relation => {
  if (facts.length === 0) return { all: noFacts, index: Array.from({ length: arity }, () => empty) }
  const sorted = facts.slice().sort(compareFacts)
  const all = sorted.filter((fact, at) => at === 0 || compareFacts(sorted[at - 1]!, fact) !== 0)
  const index = Array.from({ length: arity }, (_, position) => {
    const lists = new Map<number, Array<Fact>>()
    for (const fact of all) {
      const list = lists.get(fact[position]!)
      if (list === undefined) lists.set(fact[position]!, [fact])
      else list.push(fact)
    }
    const column = empty.slice()
    for (const [entity, list] of lists) column[entity] = list
    return column
  })
  return { all, index }
}

/** Where `fact` is in a sorted list, or `-(insertion point) - 1`. */
const search = (list: ReadonlyArray<Fact>, fact: Fact): number => {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = compareFacts(list[middle]!, fact)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -low - 1
}

/** Whether the fact is true. */
export const contains = (relation: Relation, fact: Fact): boolean => {
  const first = relation.index[0]
  if (first === undefined) return relation.all.length > 0
  const list = first[fact[0]!]!
  if (fact.length === 1) return list.length > 0
  return list.length > 0 && search(list, fact) >= 0
}

/** The relation with one more fact; the same relation when it holds already. */
export const insert = (relation: Relation, fact: Fact): Relation => {
  const at = search(relation.all, fact)
  if (at >= 0) return relation
  return {
    all: withInserted(relation.all, -at - 1, fact),
    index: relation.index.map((column, position) => {
      const entity = fact[position]!
      const list = column[entity]!
      const copy = column.slice()
      copy[entity] = withInserted(list, -search(list, fact) - 1, fact)
      return copy
    })
  }
}

/** The relation without a fact; the same relation when the fact is not true. */
export const remove = (relation: Relation, fact: Fact): Relation => {
  const at = search(relation.all, fact)
  if (at < 0) return relation
  return {
    all: withRemoved(relation.all, at),
    index: relation.index.map((column, position) => {
      const entity = fact[position]!
      const list = column[entity]!
      const copy = column.slice()
      copy[entity] = withRemoved(list, search(list, fact))
      return copy
    })
  }
}

const withInserted = (list: ReadonlyArray<Fact>, at: number, fact: Fact): ReadonlyArray<Fact> => {
  const copy = list.slice()
  copy.splice(at, 0, fact)
  return copy
}

const withRemoved = (list: ReadonlyArray<Fact>, at: number): ReadonlyArray<Fact> => {
  const copy = list.slice()
  copy.splice(at, 1)
  return copy
}
