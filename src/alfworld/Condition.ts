/** Conditions of PDDL (preconditions, effect conditions, goals) in negation normal form. */
import { type GameFileSection, quoted, SectionFault } from "./GameFileError.js"
import { describeNode, type PddlAtom, type PddlList, type PddlNode } from "./Pddl.js"

/**
 * The variables and constants that an action or a goal mentions. A term is an index into `slots`; an action's
 * parameters are the first slots, in order. Quantified variables get slots of their own, so shadowing needs no care
 * later.
 */
export interface Frame {
  readonly slots: ReadonlyArray<Slot>
}

/** `type` is -1 where `typeName` is not declared. */
export type Slot =
  | { readonly kind: "variable"; readonly name: string; readonly type: number; readonly typeName: string }
  | { readonly kind: "constant"; readonly name: string }

export type Condition =
  | AtomCondition
  | { readonly kind: "equal"; readonly left: number; readonly right: number; readonly negated: boolean }
  | { readonly kind: "and" | "or"; readonly parts: ReadonlyArray<Condition> }
  | { readonly kind: "exists" | "forall"; readonly variables: ReadonlyArray<number>; readonly body: Condition }

export interface AtomCondition {
  readonly kind: "atom"
  readonly predicate: number
  readonly terms: ReadonlyArray<number>
  readonly negated: boolean
}

/** The condition that always holds. */
export const alwaysTrue: Condition = { kind: "and", parts: [] }

/** What the parser of conditions needs to know of the domain. */
export interface Vocabulary {
  /** The number of a type's name; -1 for a type that is not declared, which is legal here and has no members. */
  readonly typeNumber: (name: string) => number
  readonly predicate: (name: string) => { readonly index: number; readonly arity: number } | undefined
}

/** Collects the slots of one frame while its lists are parsed. */
export class FrameBuilder implements Frame {
  readonly slots: Array<Slot> = []
  private readonly constants = new Map<string, number>()
  private scope: ReadonlyMap<string, number> = new Map()

  constructor(readonly section: GameFileSection, readonly vocabulary: Vocabulary) {}

  /** Adds variables that shadow outer ones while `inside` runs; their slots stay. */
  within<A>(variables: ReadonlyArray<TypedName>, inside: (slots: ReadonlyArray<number>) => A): A {
    const outer = this.scope
    const inner = new Map(outer)
    const slots: Array<number> = []
    for (const { name, type } of variables) {
      const slot = this.slots.length
      const typeNumber = this.vocabulary.typeNumber(type)
      this.slots.push({ kind: "variable", name: name.text, type: typeNumber, typeName: type })
      inner.set(name.text, slot)
      slots.push(slot)
    }
    this.scope = inner
    const result = inside(slots)
    this.scope = outer
    return result
  }

  term(node: PddlNode): number {
    if (node.kind === "list") {
      throw new SectionFault(this.section, node.offset, "a variable or an object's name", describeNode(node))
    }
    if (node.text.startsWith("?")) {
      const slot = this.scope.get(node.text)
      if (slot === undefined) {
        throw new SectionFault(this.section, node.offset, "a variable declared here", quoted(node.text))
      }
      return slot
    }
    const known = this.constants.get(node.text)
    if (known !== undefined) return known
    const slot = this.slots.length
    this.slots.push({ kind: "constant", name: node.text })
    this.constants.set(node.text, slot)
    return slot
  }
}

/** A name with the name of its type. */
export interface TypedName {
  readonly name: PddlAtom
  readonly type: string
}

/** Reads `a b - t c` as a:t, b:t, c:object. */
export const parseTypedList = (items: ReadonlyArray<PddlNode>, section: GameFileSection): ReadonlyArray<TypedName> => {
  const typed: Array<TypedName> = []
  let pending: Array<PddlAtom> = []
  for (let index = 0; index < items.length; index++) {
    const node = expectAtom(items[index], section, "a name")
    if (node.text !== "-") {
      pending.push(node)
      continue
    }
    index++
    const type = items[index]
    if (type === undefined || type.kind === "list") {
      const offset = type?.offset ?? node.offset
      throw new SectionFault(section, offset, "the name of one type after \"-\"", describeNode(type))
    }
    for (const name of pending) typed.push({ name, type: type.text })
    pending = []
  }
  for (const name of pending) typed.push({ name, type: "object" })
  return typed
}

export const expectAtom = (node: PddlNode | undefined, section: GameFileSection, expected: string): PddlAtom => {
  if (node === undefined || node.kind === "list") {
    throw new SectionFault(section, node?.offset ?? 0, expected, describeNode(node))
  }
  return node
}

export const expectList = (node: PddlNode | undefined, parent: PddlNode, section: GameFileSection): PddlList => {
  if (node === undefined || node.kind === "atom") {
    throw new SectionFault(section, node?.offset ?? parent.offset, "a list", describeNode(node))
  }
  return node
}

/** Reads `(predicate term …)`, checking the predicate's name and arity. */
export const parseAtom = (
  list: PddlList,
  frame: FrameBuilder
): { readonly predicate: number; readonly terms: ReadonlyArray<number> } => {
  const name = expectAtom(list.items[0], frame.section, "the name of a predicate")
  const predicate = frame.vocabulary.predicate(name.text)
  if (predicate === undefined) {
    throw new SectionFault(frame.section, name.offset, "a declared predicate", quoted(name.text))
  }
  const found = list.items.length - 1
  if (found !== predicate.arity) {
    const expected = `${predicate.arity} argument(s) for the predicate "${name.text}"`
    throw new SectionFault(frame.section, list.offset, expected, String(found))
  }
  return { predicate: predicate.index, terms: list.items.slice(1).map((item) => frame.term(item)) }
}

/** Parses a condition; with `negated`, its negation. */
export const parseCondition = (node: PddlNode, frame: FrameBuilder, negated = false): Condition => {
  const list = expectList(node, node, frame.section)
  const head = list.items[0]
  if (head === undefined) return negated ? { kind: "or", parts: [] } : alwaysTrue
  const operator = expectAtom(head, frame.section, "the name of a predicate").text
  switch (operator) {
    case "and":
    case "or": {
      const parts = list.items.slice(1).map((item) => parseCondition(item, frame, negated))
      return { kind: (operator === "and") === negated ? "or" : "and", parts }
    }
    case "imply": {
      expectLength(list, 3, frame.section)
      const premise = parseCondition(argument(list, 1), frame, !negated)
      const conclusion = parseCondition(argument(list, 2), frame, negated)
      return { kind: negated ? "and" : "or", parts: [premise, conclusion] }
    }
    case "not": {
      expectLength(list, 2, frame.section)
      return parseCondition(argument(list, 1), frame, !negated)
    }
    case "exists":
    case "forall": {
      expectLength(list, 3, frame.section)
      const typed = parseTypedList(expectList(list.items[1], list, frame.section).items, frame.section)
      const kind = (operator === "exists") === negated ? "forall" : "exists"
      return frame.within(typed, (variables) => ({
        kind,
        variables,
        body: parseCondition(argument(list, 2), frame, negated)
      }))
    }
    case "=": {
      expectLength(list, 3, frame.section)
      return { kind: "equal", left: frame.term(argument(list, 1)), right: frame.term(argument(list, 2)), negated }
    }
    default:
      return { kind: "atom", ...parseAtom(list, frame), negated }
  }
}

export const argument = (list: PddlList, index: number): PddlNode => list.items[index] ?? list

export const expectLength = (list: PddlList, length: number, section: GameFileSection): void => {
  if (list.items.length !== length) {
    const found = `${list.items.length} in ${describeNode(list)}`
    throw new SectionFault(section, list.offset, `a list of ${length} items`, found)
  }
}

/** The slots of variables that a condition reads without binding them itself. */
export const freeSlots = (condition: Condition): ReadonlySet<number> => {
  switch (condition.kind) {
    case "atom":
      return new Set(condition.terms)
    case "equal":
      return new Set([condition.left, condition.right])
    case "and":
    case "or": {
      const all = new Set<number>()
      for (const part of condition.parts) for (const slot of freeSlots(part)) all.add(slot)
      return all
    }
    case "exists":
    case "forall": {
      const inner = new Set(freeSlots(condition.body))
      for (const slot of condition.variables) inner.delete(slot)
      return inner
    }
  }
}
