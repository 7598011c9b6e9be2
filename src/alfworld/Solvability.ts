/** Whether a game's goal can be reached when deletions are ignored: the test with which the planner refuses a game. */
import type { Condition } from "./Condition.js"
import { assume, splitDisjunctions } from "./ConditionRewriting.js"
import type { Action, Domain } from "./Domain.js"
import { compileJoin, compileTest, type FactBase, startBindings } from "./Join.js"
import { makeJoinWorld } from "./JoinWorld.js"
import type { Fact, Problem } from "./Problem.js"
import { emptyColumn, makeRelation } from "./Relation.js"

/** Candidate bindings looked at; a real game takes some ten thousand. */
const maximumCandidates = 1_000_000

/**
 * Applies all operators over and over, only ever adding facts, until nothing is new. A goal that is not reached so
 * cannot be reached by playing; the reverse does not hold.
 */
export const isReachable = (domain: Domain, problem: Problem): boolean => {
  const { goal, goalFrame, objects } = problem
  const empty = emptyColumn(objects.ids.length)
  const budget = { left: maximumCandidates }
  const relax = (condition: Condition): Condition =>
    assume(condition, (atom) => atom.negated && domain.predicates[atom.predicate]?.fluent === true)
  let facts: FactBase = domain.predicates.map(({ arity }, number) =>
    makeRelation(arity, empty, problem.facts[number] ?? [])
  )
  const world = makeJoinWorld(domain, objects, facts, budget)
  const added: Array<Array<Fact>> = domain.predicates.map(() => [])
  const reached = compileTest(relax(goal), goalFrame, world)
  const goalBindings = startBindings(goalFrame, objects)
  const read = predicatesRead(domain, goal)
  const rules = domain.actions.flatMap((action) =>
    additions(action, relax, read).map(({ condition, predicate, terms, variables }) => {
      const bindings = startBindings(action.frame, objects)
      const join = compileJoin(condition, variables, action.frame, new Set(), world, () => {
        const fact = terms.map((slot) => bindings[slot]!)
        if (!fact.includes(-1)) added[predicate]?.push(fact)
        return false
      })
      return () => void join(facts, bindings)
    })
  )
  for (;;) {
    if (reached(facts, goalBindings)) return true
    for (const rule of rules) rule()
    const before = facts
    facts = facts.map((relation, predicate) => {
      const fresh = added[predicate]
      if (fresh === undefined || fresh.length === 0) return relation
      const grown = makeRelation(domain.predicates[predicate]?.arity ?? 0, empty, [...relation.all, ...fresh])
      fresh.length = 0
      return grown.all.length > relation.all.length ? grown : relation
    })
    if (facts.every((relation, predicate) => relation === before[predicate])) return false
  }
}

/** The predicates that decide about anything: facts of the others need not be found. */
const predicatesRead = (domain: Domain, goal: Condition): ReadonlySet<number> => {
  const read = new Set<number>()
  const collect = (condition: Condition): void => void assume(condition, (atom) => {
    read.add(atom.predicate)
    return false
  })
  collect(goal)
  for (const action of domain.actions) {
    collect(action.precondition)
    for (const effect of action.effects) collect(effect.condition)
  }
  return read
}

interface Addition {
  readonly condition: Condition
  readonly variables: ReadonlyArray<number>
  readonly predicate: number
  readonly terms: ReadonlyArray<number>
}

/** Each fact that an action can add, of the predicates that are read, with what it takes. */
const additions = (
  action: Action,
  relax: (condition: Condition) => Condition,
  read: ReadonlySet<number>
): ReadonlyArray<Addition> => {
  const parameters = Array.from({ length: action.parameterCount }, (_, slot) => slot)
  return action.effects.filter(({ negated, predicate }) => !negated && read.has(predicate)).flatMap((effect) => {
    const both: Condition = { kind: "and", parts: [relax(action.precondition), relax(effect.condition)] }
    const variables = [...parameters, ...effect.variables]
    const { predicate, terms } = effect
    return splitDisjunctions(both, action.frame).map((condition) => ({ condition, variables, predicate, terms }))
  })
}
