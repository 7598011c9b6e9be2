/**
 * Plays a parsed `game.tw-pddl` file as TextWorld's PDDL environment does: the same observations, admissible commands
 * and wins, byte for byte. Everything here is pure; states are values that can be kept and continued from any number
 * of times.
 */
import * as Either from "effect/Either"
import { type Phrasebook, TextWriter } from "./Derivation.js"
import type { Action, Domain } from "./Domain.js"
import { nameEntities } from "./EntityNames.js"
import { DerivationFault, GameStepError } from "./GameFileError.js"
import type { Grammar } from "./Grammar.js"
import { type Bindings, type Budget, compileTest, type FactBase, startBindings, type Visit } from "./Join.js"
import { makeJoinWorld } from "./JoinWorld.js"
import { type Operator, OperatorTable, type World } from "./Operators.js"
import type { Problem } from "./Problem.js"
import { Mapping, type Placeholder } from "./Query.js"
import { emptyColumn, makeRelation } from "./Relation.js"

/** What a player sees after the start or after a command. Continue from it with {@link step}. */
export interface EngineState {
  readonly observation: string
  /** Sorted by code point, without duplicates. */
  readonly admissibleCommands: ReadonlyArray<string>
  /** The goal holds now. A game goes on after a win, and undoing the goal makes this false again. */
  readonly won: boolean
  /** TextWorld's own `done`: the same as `won`, and not final. */
  readonly done: boolean
  /** 1 or 0 for won or not; `null` at the start, when TextWorld gives none. */
  readonly score: number | null
  /** The facts behind the view; meant for {@link step} only. */
  readonly world: World
  /** What each admissible command does; meant for {@link step} only. */
  readonly operators: ReadonlyMap<string, Operator>
}

/** A command that is not admissible is answered so, and changes nothing. */
const nothingHappens = "Nothing happens."

/** Candidate bindings looked at in one step; a step of a real game looks at some hundred. */
const candidatesPerStep = 1_000_000

const taskMarker = "Your task is to: "

/** A game ready to be played. Made by `parseGame`. */
export class CompiledGame {
  /** The task in words: what follows `Your task is to: ` in the first observation, with its full stop. */
  readonly task: string
  readonly initial: EngineState
  private readonly operatorTable: OperatorTable
  private readonly writer: TextWriter
  private readonly goalTest: Visit
  private readonly goalBindings: Bindings
  private readonly budget: Budget = { left: candidatesPerStep }
  private readonly actionTexts: ReadonlyArray<ActionWording>
  private readonly commands: Array<string | undefined> = []

  /** @throws DerivationFault when the first state cannot be derived */
  constructor(
    /** The file's name, for messages. */
    readonly file: string,
    /** The file's own solution, where it has one. */
    readonly walkthrough: ReadonlyArray<string> | undefined,
    domain: Domain,
    grammar: Grammar,
    problem: Problem,
    phrasebook: Phrasebook
  ) {
    const { objects } = problem
    const empty = emptyColumn(objects.ids.length)
    const truth = domain.predicates.map(({ arity }, number) => makeRelation(arity, empty, problem.facts[number] ?? []))
    const noNegations = domain.predicates.map(({ arity }) => makeRelation(arity, empty, []))
    const joinWorld = makeJoinWorld(domain, objects, truth, this.budget)
    this.goalTest = compileTest(problem.goal, problem.goalFrame, joinWorld)
    this.goalBindings = startBindings(problem.goalFrame, objects)
    this.operatorTable = new OperatorTable(domain, objects, joinWorld, negationsAskedFor(domain, grammar))
    const typeNames = objects.types.map((type) => domain.types.names[type] ?? "object")
    const entities = nameEntities(objects.ids, typeNames, (entity) => truth.some((relation) =>
      relation.index.some((column) => column[entity]!.length > 0)
    ))
    this.writer = new TextWriter(grammar, phrasebook, entities, objects.types)
    this.actionTexts = domain.actions.map((action) => wordAction(action, grammar, phrasebook))
    const world: World = { truth, told: [...truth, ...noNegations] }
    const intro = this.writer.write("#intro#", world.told, new Mapping())
    const at = intro.indexOf(taskMarker)
    if (at < 0) {
      throw new DerivationFault(`the introduction has no "${taskMarker}"`, "\"intro\"")
    }
    this.task = intro.slice(at + taskMarker.length).trim()
    this.initial = { ...this.view(intro, world), score: null }
  }

  private view(observation: string, world: World): EngineState {
    this.budget.left = candidatesPerStep
    const operators = new Map<string, Operator>()
    for (const operator of this.operatorTable.applicable(world.truth)) {
      const command = this.command(operator, world.told)
      if (!operators.has(command)) operators.set(command, operator)
    }
    const won = this.goalTest(world.truth, this.goalBindings)
    const admissibleCommands = [...operators.keys()].sort()
    return { observation, admissibleCommands, won, done: won, score: won ? 1 : 0, world, operators }
  }

  private command(operator: Operator, told: FactBase): string {
    const known = this.commands[operator.number]
    if (known !== undefined) return known
    const wording = this.actionTexts[operator.action]!
    const command = this.writer.write(wording.template, told, this.mappingOf(operator))
    if (wording.templateIsStatic) this.commands[operator.number] = command
    return command
  }

  private mappingOf(operator: Operator): Mapping {
    const mapping = new Mapping()
    this.actionTexts[operator.action]!.parameters.forEach((placeholder, slot) => {
      mapping.bind(placeholder, operator.entities[slot]!)
    })
    return mapping
  }

  /** @throws DerivationFault when a text or the next commands cannot be derived */
  advance(state: EngineState, command: string): EngineState {
    const operator = state.operators.get(strip(command))
    if (operator === undefined) return { ...state, observation: nothingHappens, score: state.won ? 1 : 0 }
    const world = this.operatorTable.apply(operator, state.world)
    const { feedback } = this.actionTexts[operator.action]!
    return this.view(this.writer.write(feedback, world.told, this.mappingOf(operator)), world)
  }
}

/** The first state of a game: the introduction, and a `null` score. */
export const start = (game: CompiledGame): EngineState => game.initial

/**
 * The state after a command. Commands are compared exactly, after surrounding blanks are taken off; anything that is
 * not admissible is answered with `Nothing happens.`. `state` stays valid.
 */
export const step = (
  game: CompiledGame,
  state: EngineState,
  command: string
): Either.Either<EngineState, GameStepError> =>
  Either.try({
    try: () => game.advance(state, command),
    catch: (cause) => {
      if (!(cause instanceof DerivationFault)) throw cause
      return new GameStepError({ file: game.file, command, reason: cause.message })
    }
  })

/** Takes off what Python's `str.strip` takes off, which differs from `String.trim` in a few control characters. */
export const strip = (text: string): string => {
  let first = 0
  let end = text.length
  while (first < end && isBlank(text.charCodeAt(first))) first++
  while (end > first && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(first, end)
}

const isBlank = (code: number): boolean =>
  (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) || (code >= 0x2000 && code <= 0x200a) ||
  otherBlanks.has(code)

const otherBlanks: ReadonlySet<number> = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000])

interface ActionWording {
  readonly template: string
  readonly templateIsStatic: boolean
  readonly feedback: string
  readonly parameters: ReadonlyArray<Placeholder>
}

const wordAction = (action: Action, grammar: Grammar, phrasebook: Phrasebook): ActionWording => {
  const texts = grammar.actions.get(action.name)
  if (texts === undefined) {
    throw new DerivationFault(`the grammar has no action "${action.name}", which the domain has`, "action ")
  }
  const parameters = action.frame.slots.slice(0, action.parameterCount).flatMap((slot) =>
    slot.kind === "variable" ? [phrasebook.placeholder(slot.name.slice(1), slot.typeName)] : []
  )
  return { ...texts, parameters, templateIsStatic: phrasebook.isStatic(texts.template) }
}

/** Remembered negations matter only where a query asks for one. */
const negationsAskedFor = (domain: Domain, grammar: Grammar): (predicate: number) => boolean => {
  const asked = domain.predicates.map(({ name }) => grammar.negations.has(name))
  return (predicate) => asked[predicate] ?? false
}
