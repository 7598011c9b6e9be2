/** Reads `game.tw-pddl` files. */
import * as Either from "effect/Either"
import { Phrasebook } from "./Derivation.js"
import { type Domain, parseDomain } from "./Domain.js"
import { CompiledGame } from "./Engine.js"
import { DerivationFault, GameFileError, lineAndColumn, SectionFault } from "./GameFileError.js"
import { parseGrammar } from "./Grammar.js"
import { describeJson, isRecord, readJson } from "./JsonText.js"
import { parseProblem } from "./Problem.js"
import { isReachable } from "./Solvability.js"

/** The keys of a game file. `solvable` and `walkthrough` are missing from some releases. */
export interface GameFileContents {
  readonly domain: string
  readonly grammar: string
  readonly problem: string
  readonly solvable: boolean | undefined
  readonly walkthrough: ReadonlyArray<string> | undefined
}

/**
 * Reads the text of a `game.tw-pddl` file into a game that can be played. `file` is used in messages only.
 *
 * A file that does not call itself solvable is refused when its goal cannot be reached, as the Python engine does; a
 * file that does is taken at its word.
 *
 * The domain and the grammar are taken from the file itself; what they compile to is kept for the next file with the
 * same domain, as all files of a data set share it.
 */
export const parseGame = (text: string, file: string): Either.Either<CompiledGame, GameFileError> =>
  guarded(text, file, () => {
    const contents = readContents(text)
    const { domain, phrasebook } = languageOf(contents.domain)
    const grammar = parseGrammar(contents.grammar)
    const problem = parseProblem(contents.problem, domain)
    if (contents.solvable !== true && !isReachable(domain, problem)) {
      const found = "one that no sequence of actions reaches"
      throw new SectionFault("pddl_problem", problem.goalOffset, "a goal that can be reached", found)
    }
    return new CompiledGame(file, contents.walkthrough, domain, grammar, problem, phrasebook)
  })

/** Reads only the JSON level of a game file. */
export const parseGameFile = (text: string, file: string): Either.Either<GameFileContents, GameFileError> =>
  guarded(text, file, () => readContents(text))

const guarded = <A>(text: string, file: string, read: () => A): Either.Either<A, GameFileError> =>
  Either.try({
    try: read,
    catch: (cause) => {
      if (cause instanceof DerivationFault) {
        const grammar = sectionText(text, "grammar")
        const position = lineAndColumn(grammar, Math.max(0, grammar.indexOf(cause.near)))
        const section = cause.near === "" ? "pddl_problem" : "grammar"
        const expected = "a game whose first state can be derived"
        return new GameFileError({ file, section, ...position, expected, found: `that ${cause.message}` })
      }
      if (!(cause instanceof SectionFault)) throw cause
      const { expected, found, section } = cause
      const position = lineAndColumn(section === "file" ? text : sectionText(text, section), cause.offset)
      return new GameFileError({ file, section, ...position, expected, found })
    }
  })

const sectionText = (text: string, section: string): string => {
  const json = readJson(text)
  const value = json.ok && isRecord(json.value) ? json.value[section] : undefined
  return typeof value === "string" ? value : ""
}

const readContents = (text: string): GameFileContents => {
  const json = readJson(text)
  if (!json.ok) throw new SectionFault("file", json.offset, "valid JSON", json.reason)
  const value = json.value
  if (!isRecord(value)) throw new SectionFault("file", 0, "a JSON object", describeJson(value))
  const fault = (key: string, expected: string): SectionFault =>
    new SectionFault("file", Math.max(0, text.indexOf(`"${key}"`)), expected, describeJson(value[key]))
  const string = (key: string): string => {
    const found = value[key]
    if (typeof found !== "string") throw fault(key, `a string under the key "${key}"`)
    return found
  }
  const solvable = value["solvable"] ?? undefined
  if (solvable !== undefined && typeof solvable !== "boolean") throw fault("solvable", "true or false as \"solvable\"")
  const walkthrough = value["walkthrough"] ?? undefined
  if (walkthrough !== undefined && !isStrings(walkthrough)) {
    throw fault("walkthrough", "an array of strings as \"walkthrough\"")
  }
  return {
    domain: string("pddl_domain"),
    grammar: string("grammar"),
    problem: string("pddl_problem"),
    solvable,
    walkthrough
  }
}

const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

interface Language {
  readonly domain: Domain
  readonly phrasebook: Phrasebook
}

/** How many different domains are kept compiled. */
const keptLanguages = 8

const languages = new Map<string, Language>()

const languageOf = (text: string): Language => {
  const known = languages.get(text)
  const language = known === undefined
    ? makeLanguage(parseDomain(text))
    : { domain: known.domain, phrasebook: known.phrasebook.renewed() }
  languages.delete(text)
  languages.set(text, language)
  const oldest = languages.keys().next().value
  if (languages.size > keptLanguages && oldest !== undefined) languages.delete(oldest)
  return language
}

const makeLanguage = (domain: Domain): Language => {
  const relation = (name: string, arity: number): number => {
    const positive = domain.predicate(name)
    if (positive !== undefined) return positive.arity === arity ? positive.index : -1
    const negated = name.startsWith("not_") ? domain.predicate(name.slice("not_".length)) : undefined
    return negated?.arity === arity ? domain.predicates.length + negated.index : -1
  }
  const isStatic = (index: number): boolean => index < 0 || domain.predicates[index]?.fluent === false
  return { domain, phrasebook: new Phrasebook({ typeNumber: domain.typeNumber, relation, isStatic }) }
}
