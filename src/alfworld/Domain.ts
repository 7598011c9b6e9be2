/** The PDDL domain of a game: types, predicates and actions. */
import {
  alwaysTrue,
  argument,
  type Condition,
  expectAtom,
  expectLength,
  expectList,
  type Frame,
  FrameBuilder,
  parseAtom,
  parseCondition,
  parseTypedList,
  type TypedName,
  type Vocabulary
} from "./Condition.js"
import { assume, splitDisjunctions } from "./ConditionRewriting.js"
import { type GameFileSection, quoted, SectionFault } from "./GameFileError.js"
import { describeNode, parsePddl, type PddlList, type PddlNode } from "./Pddl.js"

const section: GameFileSection = "pddl_domain"

export interface Predicate {
  readonly name: string
  readonly arity: number
  /** Some action's effect changes it. */
  readonly fluent: boolean
  /** Some conditional effect changes it, so that texts and goal can disagree about it. */
  readonly conditional: boolean
}

/** One literal that an action makes true or false, for every binding of `variables` for which `condition` holds. */
export interface ActionEffect {
  readonly variables: ReadonlyArray<number>
  readonly condition: Condition
  /** The condition with every fluent atom taken as true. */
  readonly staticCondition: Condition
  readonly predicate: number
  readonly terms: ReadonlyArray<number>
  readonly negated: boolean
}

export interface Action {
  readonly name: string
  readonly frame: Frame
  /** The parameters are the slots `0 … parameterCount - 1` of the frame. */
  readonly parameterCount: number
  readonly precondition: Condition
  /** The precondition as a choice of conditions that are cheap to enumerate. */
  readonly alternatives: ReadonlyArray<Condition>
  readonly effects: ReadonlyArray<ActionEffect>
}

/** The types of a domain by name. Subtypes may be nested; `object` is above every type. */
export class TypeTable {
  readonly names: ReadonlyArray<string>
  private readonly numbers: ReadonlyMap<string, number>
  private readonly ancestors: ReadonlyArray<ReadonlySet<number>>

  constructor(declared: ReadonlyArray<TypedName>) {
    const names = [...new Set(["object", ...declared.flatMap(({ name, type }) => [name.text, type])])]
    const numbers = new Map(names.map((name, index) => [name, index]))
    const parents = names.map(() => new Set<number>([0]))
    for (const { name, type } of declared) {
      parents[numbers.get(name.text) ?? 0]?.add(numbers.get(type) ?? 0)
    }
    this.names = names
    this.numbers = numbers
    this.ancestors = parents.map((_, type) => closure(type, parents))
  }

  /** A type's number, or -1 for a name that is not declared: such a type is legal in a condition and has no members. */
  number(name: string): number {
    return this.numbers.get(name) ?? -1
  }

  /** Every object of type `type` is one of `wanted` too. */
  isA(type: number, wanted: number): boolean {
    return this.ancestors[type]?.has(wanted) ?? false
  }
}

const closure = (type: number, parents: ReadonlyArray<ReadonlySet<number>>): ReadonlySet<number> => {
  const reached = new Set([type])
  for (const next of reached) for (const parent of parents[next] ?? []) reached.add(parent)
  return reached
}

export interface Domain extends Vocabulary {
  readonly types: TypeTable
  readonly predicates: ReadonlyArray<Predicate>
  readonly constants: ReadonlyArray<TypedName>
  readonly actions: ReadonlyArray<Action>
}

/** Parses the text of `pddl_domain`, throwing a {@link SectionFault} when it is malformed. */
export const parseDomain = (text: string): Domain => {
  const root = parsePddl(text, section)
  expectDefine(root, "domain", section)
  const sections = root.items.slice(2).map((node) => expectList(node, root, section))
  const types = new TypeTable(sections.filter(isHeaded(":types")).flatMap(typedItems))
  const constants = sections.filter(isHeaded(":constants")).flatMap(typedItems)
  const arities = parsePredicates(sections.filter(isHeaded(":predicates")))
  const vocabulary: Vocabulary = {
    typeNumber: (name) => types.number(name),
    predicate: (name) => arities.get(name)
  }
  const actions: Array<Action> = []
  const actionNames = new Set<string>()
  for (const list of sections) {
    const head = expectAtom(list.items[0], section, "the name of a section")
    if (!knownSections.has(head.text)) {
      throw new SectionFault(section, head.offset, "one of " + [...knownSections].join(", "), quoted(head.text))
    }
    if (head.text !== ":action") continue
    const action = parseAction(list, vocabulary)
    if (actionNames.has(action.name)) {
      throw new SectionFault(section, list.offset, "each action once", `a second action "${action.name}"`)
    }
    actionNames.add(action.name)
    actions.push(action)
  }
  const effects = actions.flatMap((action) => action.effects)
  const changed = new Set(effects.map((effect) => effect.predicate))
  const conditional = new Set(effects.filter(isConditional).map((effect) => effect.predicate))
  const predicates = [...arities].map(([name, { arity, index }]) => ({
    name,
    arity,
    fluent: changed.has(index),
    conditional: conditional.has(index)
  }))
  return { ...vocabulary, types, predicates, constants, actions: actions.map(withStaticConditions(changed)) }
}

const withStaticConditions = (fluents: ReadonlySet<number>) => (action: Action): Action => ({
  ...action,
  effects: action.effects.map((effect) => ({
    ...effect,
    staticCondition: assume(effect.condition, (atom) => fluents.has(atom.predicate))
  }))
})

/** An effect that does not simply happen whenever its action does. */
export const isConditional = (effect: ActionEffect): boolean =>
  effect.variables.length > 0 || effect.condition !== alwaysTrue

/** Predicates of more arguments, and actions of more parameters, are refused. */
const maximumArity = 50

const knownSections: ReadonlySet<string> = new Set([
  ":requirements",
  ":types",
  ":constants",
  ":predicates",
  ":functions",
  ":action"
])

const isHeaded = (name: string) => (list: PddlList): boolean => {
  const head = list.items[0]
  return head?.kind === "atom" && head.text === name
}

const typedItems = (list: PddlList): ReadonlyArray<TypedName> => parseTypedList(list.items.slice(1), section)

/** Checks the opening `(define (<what> <name>) …`. */
export const expectDefine = (root: PddlList, what: string, inSection: GameFileSection): void => {
  const head = root.items[0]
  if (head?.kind !== "atom" || head.text !== "define") {
    throw new SectionFault(inSection, root.offset, `(define (${what} <name>) …)`, describeNode(root))
  }
  const title = expectList(root.items[1], root, inSection)
  const kind = title.items[0]
  if (kind?.kind !== "atom" || kind.text !== what || title.items.length !== 2) {
    throw new SectionFault(inSection, title.offset, `(${what} <name>)`, describeNode(title))
  }
}

const parsePredicates = (
  lists: ReadonlyArray<PddlList>
): ReadonlyMap<string, { readonly index: number; readonly arity: number }> => {
  const arities = new Map<string, { readonly index: number; readonly arity: number }>()
  for (const node of lists.flatMap((list) => list.items.slice(1))) {
    const list = expectList(node, node, section)
    const name = expectAtom(list.items[0], section, "the name of a predicate")
    if (arities.has(name.text)) {
      throw new SectionFault(section, name.offset, "each predicate once", `"${name.text}" again`)
    }
    const arity = parseTypedList(list.items.slice(1), section).length
    if (arity > maximumArity) {
      throw new SectionFault(section, name.offset, `at most ${maximumArity} arguments`, String(arity))
    }
    arities.set(name.text, { index: arities.size, arity })
  }
  return arities
}

const parseAction = (list: PddlList, vocabulary: Vocabulary): Action => {
  const name = expectAtom(list.items[1], section, "the name of an action").text
  const parts = new Map<string, PddlNode>()
  for (let index = 2; index < list.items.length; index += 2) {
    const key = expectAtom(list.items[index], section, "\":parameters\", \":precondition\" or \":effect\"")
    if (key.text !== ":parameters" && key.text !== ":precondition" && key.text !== ":effect") {
      throw new SectionFault(section, key.offset, "\":parameters\", \":precondition\" or \":effect\"", quoted(key.text))
    }
    parts.set(key.text, expectList(list.items[index + 1], key, section))
  }
  const parameters = parts.get(":parameters")
  const precondition = parts.get(":precondition")
  const effect = parts.get(":effect")
  const typed = parameters?.kind === "list" ? parseTypedList(parameters.items, section) : []
  if (typed.length > maximumArity) {
    throw new SectionFault(section, list.offset, `at most ${maximumArity} parameters`, String(typed.length))
  }
  const frame = new FrameBuilder(section, vocabulary)
  return frame.within(typed, () => {
    const condition = precondition === undefined ? alwaysTrue : parseCondition(precondition, frame)
    return {
      name,
      frame,
      parameterCount: typed.length,
      precondition: condition,
      alternatives: splitDisjunctions(condition, frame),
      effects: effect === undefined ? [] : parseEffect(effect, frame, [], alwaysTrue)
    }
  })
}

const parseEffect = (
  node: PddlNode,
  frame: FrameBuilder,
  variables: ReadonlyArray<number>,
  condition: Condition
): ReadonlyArray<ActionEffect> => {
  const list = expectList(node, node, section)
  const head = list.items[0]
  if (head === undefined) return []
  switch (expectAtom(head, section, "the name of a predicate").text) {
    case "and":
      return list.items.slice(1).flatMap((item) => parseEffect(item, frame, variables, condition))
    case "forall": {
      expectLength(list, 3, section)
      const typed = parseTypedList(expectList(list.items[1], list, section).items, section)
      return frame.within(
        typed,
        (inner) => parseEffect(argument(list, 2), frame, [...variables, ...inner], condition)
      )
    }
    case "when": {
      expectLength(list, 3, section)
      const inner = parseCondition(argument(list, 1), frame)
      const both: Condition = condition === alwaysTrue ? inner : { kind: "and", parts: [condition, inner] }
      return parseEffect(argument(list, 2), frame, variables, both)
    }
    // Costs steer planners only; problems here have no metric.
    case "increase":
      return []
    case "not": {
      expectLength(list, 2, section)
      const atom = parseAtom(expectList(list.items[1], list, section), frame)
      return [{ variables, condition, staticCondition: condition, ...atom, negated: true }]
    }
    default:
      return [{ variables, condition, staticCondition: condition, ...parseAtom(list, frame), negated: false }]
  }
}
