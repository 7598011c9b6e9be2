/**
 * Enumerates the bindings of a frame's variables for which a condition holds: a join over relations, ordered greedily
 * by how few facts each atom is expected to match, with everything else checked as soon as its variables are bound.
 */
import { type AtomCondition, type Condition, type Frame, freeSlots } from "./Condition.js"
import { flatten, negate } from "./ConditionRewriting.js"
import { DerivationFault } from "./GameFileError.js"
import type { Objects } from "./Problem.js"
import { contains, type Relation } from "./Relation.js"

/** The true facts of every predicate, by predicate number. */
export type FactBase = ReadonlyArray<Relation>

/** The entity bound to each slot of a frame; -1 for a constant that names no object. */
export type Bindings = Int32Array

/** Runs with the bindings complete; answers whether to stop. */
export type Visit = (facts: FactBase, bindings: Bindings) => boolean

/** Counts the facts looked at, so that a pathological game ends in an error instead of a hang. */
export interface Budget {
  left: number
}

/** What planning needs to know of one game. */
export interface JoinWorld {
  /** How many facts a predicate has in the initial state, and how many entities occur at one of its positions. */
  readonly factCount: (predicate: number) => number
  readonly distinctCount: (predicate: number, position: number) => number
  /** The entities of a type, and a 0/1 mask over all entities; `undefined` as mask means every entity. */
  readonly members: (type: number) => ReadonlyArray<number>
  readonly mask: (type: number) => Uint8Array | undefined
  readonly budget: Budget
}

/** Bindings with the constants filled in. */
export const startBindings = (frame: Frame, objects: Objects): Bindings =>
  Int32Array.from(frame.slots, (slot) => slot.kind === "constant" ? objects.find.get(slot.name) ?? -1 : -1)

/** Joins of more steps than this are refused: each step is a call inside the one before. */
const maximumSteps = 500

const spend = (budget: Budget): void => {
  budget.left--
  if (budget.left < 0) throw new DerivationFault("a condition has too many candidate bindings to enumerate")
}

/**
 * Compiles a condition whose free variables are all bound into a test. Conjuncts are tested one by one, so that
 * independent existentials are not multiplied with each other.
 */
export const compileTest = (condition: Condition, frame: Frame, world: JoinWorld): Visit => {
  switch (condition.kind) {
    case "atom": {
      const { negated, predicate, terms } = condition
      const fact = terms.slice()
      return (facts, bindings) => {
        for (let position = 0; position < terms.length; position++) fact[position] = bindings[terms[position]!]!
        if (fact.includes(-1)) return negated
        return contains(facts[predicate]!, fact) !== negated
      }
    }
    case "equal": {
      const { left, negated, right } = condition
      return (_, bindings) => (bindings[left] === bindings[right]) !== negated
    }
    case "and": {
      const tests = condition.parts.map((part) => compileTest(part, frame, world))
      return (facts, bindings) => tests.every((test) => test(facts, bindings))
    }
    case "or": {
      const tests = condition.parts.map((part) => compileTest(part, frame, world))
      return (facts, bindings) => tests.some((test) => test(facts, bindings))
    }
    case "exists": {
      const bound = new Set(freeSlots(condition))
      return compileJoin(condition, [], frame, bound, world, () => true)
    }
    case "forall": {
      const fails = compileTest(negate(condition), frame, world)
      return (facts, bindings) => !fails(facts, bindings)
    }
  }
}

/**
 * Compiles the enumeration of `variables` (and of the existential variables inside the condition). The result calls
 * `visit` for every binding and answers whether a call asked to stop.
 */
export const compileJoin = (
  condition: Condition,
  variables: ReadonlyArray<number>,
  frame: Frame,
  alreadyBound: ReadonlySet<number>,
  world: JoinWorld,
  visit: Visit
): Visit => {
  const { conjuncts, variables: existential } = flatten(condition)
  const bound = new Set(alreadyBound)
  frame.slots.forEach((slot, index) => {
    if (slot.kind === "constant") bound.add(index)
  })
  const unbound = new Set([...variables, ...existential].filter((slot) => !bound.has(slot)))
  const open = new Set(conjuncts)
  const steps: Array<(next: Visit) => Visit> = []
  const isBound = (slot: number): boolean => bound.has(slot)
  const bind = (slot: number): void => {
    bound.add(slot)
    unbound.delete(slot)
  }
  while (open.size > 0 || unbound.size > 0) {
    for (const part of open) {
      if (![...freeSlots(part)].every(isBound)) continue
      open.delete(part)
      const test = compileTest(part, frame, world)
      steps.push((next) => (facts, bindings) => test(facts, bindings) && next(facts, bindings))
    }
    const atom = cheapestAtom(open, isBound, world)
    if (atom !== undefined) {
      open.delete(atom)
      steps.push(scan(atom, frame, new Set(bound), world))
      atom.terms.forEach(bind)
      continue
    }
    const slot = fewestMembers(unbound, frame, world)
    if (slot === undefined) break
    steps.push(enumerate(slot, frame, world))
    bind(slot)
  }
  if (steps.length > maximumSteps) throw new DerivationFault("a condition has too many parts")
  return steps.reduceRight((next, step) => step(next), visit)
}

const cheapestAtom = (
  open: Iterable<Condition>,
  isBound: (slot: number) => boolean,
  world: JoinWorld
): AtomCondition | undefined => {
  let best: AtomCondition | undefined
  let bestCost = Infinity
  for (const part of open) {
    if (part.kind !== "atom" || part.negated) continue
    const cost = expectedMatches(part, isBound, world)
    if (cost >= bestCost) continue
    best = part
    bestCost = cost
  }
  return best
}

const expectedMatches = (atom: AtomCondition, isBound: (slot: number) => boolean, world: JoinWorld): number => {
  let cost = world.factCount(atom.predicate)
  atom.terms.forEach((slot, position) => {
    if (isBound(slot)) cost /= Math.max(1, world.distinctCount(atom.predicate, position))
  })
  return cost
}

const variableType = (slot: number, frame: Frame): number => {
  const variable = frame.slots[slot]
  return variable?.kind === "variable" ? variable.type : 0
}

const fewestMembers = (unbound: Iterable<number>, frame: Frame, world: JoinWorld): number | undefined => {
  let best: number | undefined
  let bestCount = Infinity
  for (const slot of unbound) {
    const count = world.members(variableType(slot, frame)).length
    if (count >= bestCount) continue
    best = slot
    bestCount = count
  }
  return best
}

const enumerate = (slot: number, frame: Frame, world: JoinWorld) => (next: Visit): Visit => {
  const entities = world.members(variableType(slot, frame))
  return (facts, bindings) => {
    for (const entity of entities) {
      spend(world.budget)
      bindings[slot] = entity
      if (next(facts, bindings)) return true
    }
    return false
  }
}

/** Walks over the facts that agree with what is bound, binding the atom's other variables. */
const scan = (
  atom: AtomCondition,
  frame: Frame,
  bound: ReadonlySet<number>,
  world: JoinWorld
) => (next: Visit): Visit => {
  const { predicate, terms } = atom
  const budget = world.budget
  const seen = new Set(bound)
  const binds: Array<boolean> = []
  const masks: Array<Uint8Array | undefined> = []
  for (const slot of terms) {
    binds.push(!seen.has(slot))
    masks.push(world.mask(variableType(slot, frame)))
    seen.add(slot)
  }
  // A scan always has a bound position to start from unless nothing is bound yet.
  const start = mostSelectivePosition(atom, bound, world)
  const startSlot = terms[start] ?? 0
  return (facts, bindings) => {
    const relation = facts[predicate]!
    const list = start < 0 ? relation.all : relation.index[start]![bindings[startSlot]!]
    if (list === undefined) return false
    candidates: for (let at = 0; at < list.length; at++) {
      spend(budget)
      const fact = list[at]!
      for (let position = 0; position < terms.length; position++) {
        const entity = fact[position]!
        const slot = terms[position]!
        if (binds[position]!) {
          const mask = masks[position]
          if (mask !== undefined && mask[entity] === 0) continue candidates
          bindings[slot] = entity
        } else if (bindings[slot] !== entity) {
          continue candidates
        }
      }
      if (next(facts, bindings)) return true
    }
    return false
  }
}

const mostSelectivePosition = (atom: AtomCondition, bound: ReadonlySet<number>, world: JoinWorld): number => {
  let best = -1
  let bestDistinct = -1
  atom.terms.forEach((slot, position) => {
    if (!bound.has(slot)) return
    const distinct = world.distinctCount(atom.predicate, position)
    if (distinct <= bestDistinct) return
    best = position
    bestDistinct = distinct
  })
  return best
}
