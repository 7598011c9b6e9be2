/** Rewrites conditions into shapes that are cheap to evaluate. */
import { alwaysTrue, type AtomCondition, type Condition, type Frame, freeSlots } from "./Condition.js"
import { SectionFault } from "./GameFileError.js"

/** Splits nested conjunctions and positive existentials into conjuncts and the variables they range over. */
export const flatten = (
  condition: Condition
): { readonly conjuncts: ReadonlyArray<Condition>; readonly variables: ReadonlyArray<number> } => {
  const conjuncts: Array<Condition> = []
  const variables: Array<number> = []
  const visit = (part: Condition): void => {
    if (part.kind === "and") {
      part.parts.forEach(visit)
    } else if (part.kind === "exists") {
      for (const slot of part.variables) variables.push(slot)
      visit(part.body)
    } else {
      conjuncts.push(part)
    }
  }
  visit(condition)
  return { conjuncts, variables }
}

/** The negation, again in negation normal form. */
export const negate = (condition: Condition): Condition => {
  switch (condition.kind) {
    case "atom":
    case "equal":
      return { ...condition, negated: !condition.negated }
    case "and":
    case "or":
      return { kind: condition.kind === "and" ? "or" : "and", parts: condition.parts.map(negate) }
    case "exists":
    case "forall":
      return { ...condition, kind: condition.kind === "exists" ? "forall" : "exists", body: negate(condition.body) }
  }
}

/** The condition with some of its atoms taken as true. */
export const assume = (condition: Condition, isTrue: (atom: AtomCondition) => boolean): Condition => {
  switch (condition.kind) {
    case "atom":
      return isTrue(condition) ? alwaysTrue : condition
    case "equal":
      return condition
    case "and":
    case "or":
      return { kind: condition.kind, parts: condition.parts.map((part) => assume(part, isTrue)) }
    case "exists":
    case "forall":
      return { ...condition, body: assume(condition.body, isTrue) }
  }
}

/** Preconditions split into more alternatives than this are refused. */
const maximumAlternatives = 256

/**
 * Rewrites a precondition as alternatives whose disjunctions, where any are left, only test variables that positive
 * atoms bind. Without this, `(or (exists …) (holds ?a ?o))` would be tested for every object.
 */
export const splitDisjunctions = (condition: Condition, frame: Frame): ReadonlyArray<Condition> => {
  const { conjuncts, variables } = flatten(condition)
  const covered = new Set<number>()
  for (const part of conjuncts) {
    if (part.kind === "atom" && !part.negated) part.terms.forEach((slot) => covered.add(slot))
  }
  const isTest = (part: Condition): boolean =>
    [...freeSlots(part)].every((slot) => covered.has(slot) || frame.slots[slot]?.kind === "constant")
  const split = conjuncts.find((part) => part.kind === "or" && !isTest(part))
  if (split === undefined || split.kind !== "or") {
    return [{ kind: "exists", variables, body: { kind: "and", parts: conjuncts } }]
  }
  const rest = conjuncts.filter((part) => part !== split)
  const all = split.parts.flatMap((part) =>
    splitDisjunctions({ kind: "exists", variables, body: { kind: "and", parts: [...rest, part] } }, frame)
  )
  if (all.length > maximumAlternatives) {
    const found = `more than ${maximumAlternatives} alternatives`
    throw new SectionFault("pddl_domain", 0, "a precondition that splits into few alternatives", found)
  }
  return all
}
