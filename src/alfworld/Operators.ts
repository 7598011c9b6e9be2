/** Finds the operators (actions with their arguments) that apply in a state, and what they change. */
import type { Condition } from "./Condition.js"
import { flatten } from "./ConditionRewriting.js"
import { type Action, type ActionEffect, type Domain, isConditional } from "./Domain.js"
import { DerivationFault } from "./GameFileError.js"
import { type Bindings, compileJoin, type FactBase, type JoinWorld, startBindings } from "./Join.js"
import type { Fact, Objects } from "./Problem.js"
import { insert, remove } from "./Relation.js"

/** An action with an entity for each of its parameters. */
export interface Operator {
  /** Counts up from 0 in the order in which a game's operators are met. */
  readonly number: number
  readonly action: number
  readonly entities: Fact
}

interface Change {
  readonly predicate: number
  readonly fact: Fact
  readonly negated: boolean
}

/** The true facts, and the facts that texts are made from. */
export interface World {
  readonly truth: FactBase
  /**
   * One relation for each predicate, then one for each predicate's remembered negation: `not_p` holds only after an
   * effect made `p` false.
   */
  readonly told: FactBase
}

/** More operators than this in one state are refused. */
const maximumOperators = 50_000

/** The operators of one game. */
export class OperatorTable {
  private readonly joins: ReadonlyArray<ReadonlyArray<(facts: FactBase) => void>>
  private readonly effects: ReadonlyArray<ReadonlyArray<CompiledEffect>>
  private readonly interned: ReadonlyArray<Map<number | string, Operator | null>>
  private readonly scratch: ReadonlyArray<Bindings>
  private found: Array<Operator> = []
  private count = 0

  constructor(
    private readonly domain: Domain,
    objects: Objects,
    world: JoinWorld,
    private readonly remembersNegation: (predicate: number) => boolean
  ) {
    this.scratch = domain.actions.map((action) => startBindings(action.frame, objects))
    this.interned = domain.actions.map(() => new Map())
    this.effects = domain.actions.map((action) => action.effects.map((effect) => compileEffect(effect, action, world)))
    const radix = Math.max(2, objects.ids.length)
    this.joins = domain.actions.map((action, number) => {
      const bindings = this.scratch[number]!
      const parameters = Array.from({ length: action.parameterCount }, (_, slot) => slot)
      const numericKeys = radix ** action.parameterCount < Number.MAX_SAFE_INTEGER
      const visit = (): boolean => {
        const key = numericKeys ? numericKey(bindings, action.parameterCount, radix) : textKey(bindings, action)
        const operator = this.intern(number, key, bindings)
        if (operator !== null) this.found.push(operator)
        if (this.found.length > maximumOperators) throw new DerivationFault("too many operators apply in one state")
        return false
      }
      return action.alternatives.map((condition) => {
        const join = compileJoin(condition, parameters, action.frame, new Set(), world, visit)
        return (facts: FactBase) => void join(facts, bindings)
      })
    })
  }

  /** The operators that apply, in the order of the domain's actions; one may be listed more than once. */
  applicable(facts: FactBase): ReadonlyArray<Operator> {
    this.found = []
    for (const joins of this.joins) for (const join of joins) join(facts)
    return this.found
  }

  /** `null` stands for an operator that changes nothing beyond its own precondition: the planner drops it. */
  private intern(action: number, key: number | string, bindings: Bindings): Operator | null {
    const interned = this.interned[action]!
    const known = interned.get(key)
    if (known !== undefined) return known
    const entities = Array.from(bindings.subarray(0, this.domain.actions[action]!.parameterCount))
    const operator = { number: this.count, action, entities }
    const kept = this.changesNothing(operator) ? null : operator
    this.count++
    interned.set(key, kept)
    return kept
  }

  private changesNothing(operator: Operator): boolean {
    const action = this.domain.actions[operator.action]!
    if (action.effects.some(isConditional)) return false
    return this.unconditionalChanges(operator).length === 0
  }

  /** Ground effects that always happen, without those that repeat the precondition; adding beats deleting. */
  private unconditionalChanges(operator: Operator): ReadonlyArray<Change> {
    const action = this.domain.actions[operator.action]!
    const bindings = this.bind(operator)
    const all = action.effects
      .filter((effect) => !isConditional(effect))
      .map((effect) => ground(effect, bindings))
      .filter(namesObjects)
    const required = flatten(action.precondition).conjuncts.flatMap((part) =>
      part.kind === "atom" && part.terms.every((slot) => isFixed(slot, action)) ? [ground(part, bindings)] : []
    )
    return all.filter((change) => {
      const added = change.negated && all.some((other) => !other.negated && sameAtom(other, change))
      return !added && !required.some((other) => other.negated === change.negated && sameAtom(other, change))
    })
  }

  private bind(operator: Operator): Bindings {
    const bindings = this.scratch[operator.action]!
    operator.entities.forEach((entity, slot) => {
      bindings[slot] = entity
    })
    return bindings
  }

  /** The state after an operator. */
  apply(operator: Operator, world: World): World {
    const always = this.unconditionalChanges(operator)
    const bindings = this.bind(operator)
    const happening: Array<Change> = [...always]
    const listed: Array<Change> = [...always]
    for (const effect of this.effects[operator.action]!) {
      if (effect.triggered === undefined) continue
      effect.triggered(world.truth, bindings, happening)
      effect.listed(world.truth, bindings, listed)
    }
    const truth = world.truth.slice()
    for (const { fact, negated, predicate } of happening) {
      if (negated) truth[predicate] = remove(truth[predicate]!, fact)
    }
    for (const { fact, negated, predicate } of happening) {
      if (!negated) truth[predicate] = insert(truth[predicate]!, fact)
    }
    return { truth, told: this.retell(world.told, truth, listed) }
  }

  /**
   * Texts follow every listed effect, whatever its condition, deletions last: so TextWorld's own facts differ from the
   * true state after a conditional effect.
   */
  private retell(before: FactBase, truth: FactBase, listed: ReadonlyArray<Change>): FactBase {
    const { predicates } = this.domain
    const told = before.slice()
    for (const negated of [false, true]) {
      for (const change of listed) {
        if (change.negated !== negated) continue
        const predicate = change.predicate
        const opposite = predicates.length + predicate
        if (predicates[predicate]!.conditional) {
          told[predicate] = negated ? remove(told[predicate]!, change.fact) : insert(told[predicate]!, change.fact)
        } else {
          told[predicate] = truth[predicate]!
        }
        if (!this.remembersNegation(predicate)) continue
        told[opposite] = negated ? insert(told[opposite]!, change.fact) : remove(told[opposite]!, change.fact)
      }
    }
    return told
  }
}

type Collect = (facts: FactBase, bindings: Bindings, into: Array<Change>) => void

interface CompiledEffect {
  /** Collects what a conditional effect changes; `undefined` for an effect that always happens. */
  readonly triggered: Collect | undefined
  /** Collects what it could change were its fluent conditions true. */
  readonly listed: Collect
}

const compileEffect = (effect: ActionEffect, action: Action, world: JoinWorld): CompiledEffect => {
  if (!isConditional(effect)) return { triggered: undefined, listed: () => undefined }
  const parameters = new Set(Array.from({ length: action.parameterCount }, (_, slot) => slot))
  const collector = (condition: Condition): Collect => {
    let into: Array<Change> = []
    const join = compileJoin(condition, effect.variables, action.frame, parameters, world, (_, bindings) => {
      const change = ground(effect, bindings)
      if (namesObjects(change)) into.push(change)
      return false
    })
    return (facts, bindings, target) => {
      into = target
      join(facts, bindings)
    }
  }
  return { triggered: collector(effect.condition), listed: collector(effect.staticCondition) }
}

const isFixed = (slot: number, action: Action): boolean =>
  slot < action.parameterCount || action.frame.slots[slot]?.kind === "constant"

const ground = (
  literal: { readonly predicate: number; readonly terms: ReadonlyArray<number>; readonly negated: boolean },
  bindings: Bindings
): Change => ({
  predicate: literal.predicate,
  fact: literal.terms.map((slot) => bindings[slot]!),
  negated: literal.negated
})

/** A literal about a constant that no object bears can be neither true nor made true. */
const namesObjects = (change: Change): boolean => !change.fact.includes(-1)

const sameAtom = (left: Change, right: Change): boolean =>
  left.predicate === right.predicate && left.fact.every((entity, position) => entity === right.fact[position])

const numericKey = (bindings: Bindings, count: number, radix: number): number => {
  let key = 0
  for (let slot = 0; slot < count; slot++) key = key * radix + bindings[slot]!
  return key
}

const textKey = (bindings: Bindings, action: Action): string => bindings.subarray(0, action.parameterCount).join(" ")
