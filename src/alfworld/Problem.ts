/** The PDDL problem of a game: its objects, the facts it starts with and its goal. */
import {
  type Condition,
  expectAtom,
  expectList,
  type Frame,
  FrameBuilder,
  parseCondition,
  parseTypedList
} from "./Condition.js"
import { type Domain, expectDefine } from "./Domain.js"
import { type GameFileSection, quoted, SectionFault } from "./GameFileError.js"
import { describeNode, parsePddl, type PddlList } from "./Pddl.js"

const section: GameFileSection = "pddl_problem"

/** All objects of a problem, in code-point order of their lower-case ids; an entity is an index into these arrays. */
export interface Objects {
  readonly ids: ReadonlyArray<string>
  /** Each entity's own type, as a number of the domain's type table. */
  readonly types: ReadonlyArray<number>
  readonly find: ReadonlyMap<string, number>
}

/** A ground atom: entities as arguments of a predicate. */
export type Fact = ReadonlyArray<number>

export interface Problem {
  readonly objects: Objects
  /** The initial facts of each predicate, in the order written, duplicates included. */
  readonly facts: ReadonlyArray<ReadonlyArray<Fact>>
  readonly goal: Condition
  readonly goalFrame: Frame
  /** Where the goal stands in the text. */
  readonly goalOffset: number
}

const ignoredSections: ReadonlySet<string> = new Set([":domain", ":requirements", ":metric"])

/** Parses the text of `pddl_problem`, throwing a {@link SectionFault} when it is malformed. */
export const parseProblem = (text: string, domain: Domain): Problem => {
  const root = parsePddl(text, section)
  expectDefine(root, "problem", section)
  const sections = new Map<string, PddlList>()
  for (const node of root.items.slice(2)) {
    const list = expectList(node, root, section)
    const head = expectAtom(list.items[0], section, "the name of a section")
    if (ignoredSections.has(head.text)) continue
    if (head.text !== ":objects" && head.text !== ":init" && head.text !== ":goal") {
      throw new SectionFault(section, head.offset, "\":objects\", \":init\" or \":goal\"", quoted(head.text))
    }
    if (sections.has(head.text)) {
      throw new SectionFault(section, head.offset, "each section once", `a second "${head.text}"`)
    }
    sections.set(head.text, list)
  }
  const objects = parseObjects(sections.get(":objects"), domain)
  const facts = parseInit(required(sections, ":init", root), domain, objects)
  const goalList = required(sections, ":goal", root)
  const goalFrame = new FrameBuilder(section, domain)
  const goal = parseCondition(expectList(goalList.items[1], goalList, section), goalFrame)
  return { objects, facts, goal, goalFrame, goalOffset: goalList.offset }
}

const required = (sections: ReadonlyMap<string, PddlList>, name: string, root: PddlList): PddlList => {
  const list = sections.get(name)
  if (list === undefined) throw new SectionFault(section, root.offset, `a section (${name} …)`, "none")
  return list
}

/** More objects than this are refused: every fact is indexed over all of them. A real game has some four hundred. */
const maximumObjects = 10_000

const parseObjects = (list: PddlList | undefined, domain: Domain): Objects => {
  const typed = [...domain.constants, ...list === undefined ? [] : parseTypedList(list.items.slice(1), section)]
  if (typed.length > maximumObjects) {
    throw new SectionFault(section, list?.offset ?? 0, `at most ${maximumObjects} objects`, String(typed.length))
  }
  const types = new Map<string, number>()
  for (const { name, type } of typed) {
    if (types.has(name.text)) {
      throw new SectionFault(section, name.offset, "each object once", `${quoted(name.text)} again`)
    }
    const number = domain.typeNumber(type)
    if (number < 0) throw new SectionFault(section, name.offset, "a declared type", quoted(type))
    types.set(name.text, number)
  }
  const ids = [...types.keys()].sort()
  return {
    ids,
    types: ids.map((id) => types.get(id) ?? 0),
    find: new Map(ids.map((id, entity) => [id, entity]))
  }
}

const parseInit = (list: PddlList, domain: Domain, objects: Objects): ReadonlyArray<ReadonlyArray<Fact>> => {
  const facts: Array<Array<Fact>> = domain.predicates.map(() => [])
  for (let index = 1; index < list.items.length; index++) {
    const fact = expectList(list.items[index], list, section)
    const head = expectAtom(fact.items[0], section, "the name of a predicate")
    // Values of functions are costs; a fact that is not listed is false anyway.
    if (head.text === "=" || head.text === "not") continue
    const predicate = domain.predicate(head.text)
    if (predicate === undefined) {
      throw new SectionFault(section, head.offset, "a declared predicate", quoted(head.text))
    }
    if (fact.items.length - 1 !== predicate.arity) {
      const expected = `${predicate.arity} argument(s) for the predicate "${head.text}"`
      throw new SectionFault(section, fact.offset, expected, String(fact.items.length - 1))
    }
    const entities: Array<number> = []
    for (let position = 1; position < fact.items.length; position++) {
      const node = fact.items[position]
      const entity = node?.kind === "atom" ? objects.find.get(node.text) : undefined
      if (entity === undefined) {
        throw new SectionFault(section, node?.offset ?? fact.offset, "a declared object", describeNode(node))
      }
      entities.push(entity)
    }
    facts[predicate.index]?.push(entities)
  }
  return facts
}
