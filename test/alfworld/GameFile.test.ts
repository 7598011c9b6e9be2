import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { readdirSync, readFileSync } from "node:fs"
import { start, step } from "../../src/alfworld/Engine.js"
import { parseGame, parseGameFile } from "../../src/alfworld/GameFile.js"
import { GameFileError } from "../../src/alfworld/GameFileError.js"
import { sharedDir } from "../shared.js"
import {
  seeded,
  smallActions,
  smallDomain,
  type SmallGameParts,
  smallGameText,
  smallInit,
  smallObjects
} from "./SmallGame.js"

const fault = (text: string): GameFileError => {
  const result = parseGame(text, "some/game.tw-pddl")
  if (Either.isLeft(result)) return result.left
  throw new Error("the file was accepted")
}

const partsFault = (parts: SmallGameParts): GameFileError => fault(smallGameText(parts))

const without = (key: string): string => {
  const { [key]: _, ...rest } = JSON.parse(smallGameText())
  return JSON.stringify(rest)
}

describe("parseGame", () => {
  it("reads a game with its task and walkthrough", () => {
    const game = Either.getOrThrow(parseGame(smallGameText({ walkthrough: ["look"] }), "a/game.tw-pddl"))
    expect(game).toMatchObject({ file: "a/game.tw-pddl", task: "put a ball in chest.", walkthrough: ["look"] })
  })

  it("does without the keys that some releases lack, in any order of keys", () => {
    const contents = JSON.parse(smallGameText())
    const { grammar, pddl_domain, pddl_problem } = contents
    for (const value of [{ pddl_problem, grammar, pddl_domain }, { ...contents, solvable: null, other: 1 }]) {
      const game = Either.getOrThrow(parseGame(JSON.stringify(value), "a"))
      expect(game.walkthrough).toBeUndefined()
    }
    expect(Either.getOrThrow(parseGameFile(JSON.stringify({ pddl_problem, grammar, pddl_domain }), "a")).solvable)
      .toBeUndefined()
  })

  it("says in a sentence which file, where, what was expected and what was found", () => {
    const error = partsFault({ init: smallInit.replace("(lidded Chest_bar_1)", "\n (glued Chest_bar_1)") })
    expect(error).toMatchObject({
      _tag: "GameFileError",
      file: "some/game.tw-pddl",
      section: "pddl_problem",
      column: 3,
      expected: "a declared predicate",
      found: "\"glued\""
    })
    expect(error.message).toMatch(
      /^some\/game\.tw-pddl: line \d+, column 3 of "pddl_problem": expected a declared predicate, found "glued"\.$/
    )
  })
})

describe("faults of the file", () => {
  it.each<readonly [string, string, Partial<GameFileError>]>([
    ["empty", "", { section: "file", line: 1, column: 1, expected: "valid JSON" }],
    ["not JSON", "{\n \"a\": }", { section: "file", line: 2, column: 7, expected: "valid JSON" }],
    ["with a tab inside a text", "{\"a\": \"b\tc\"}", { line: 1, column: 9 }],
    ["with a wrong escape", "{\"a\": [1, \"b\\x\"]}", { line: 1, column: 13 }],
    ["with a comma too many", "{\"a\": [1.5e3, true,]}", { line: 1, column: 20 }],
    ["with more after its end", "{}\n\n{}", { line: 3, column: 1 }],
    ["without a colon", "{\"a\" 1}", { line: 1, column: 6 }],
    ["cut off", smallGameText().slice(0, 100), { section: "file", expected: "valid JSON" }],
    ["an array", "[]", { section: "file", expected: "a JSON object", found: "an array" }],
    ["null", "null", { section: "file", expected: "a JSON object", found: "null" }],
    ["without a domain", without("pddl_domain"), { section: "file", found: "nothing" }],
    ["without a grammar", without("grammar"), { expected: "a string under the key \"grammar\"" }],
    ["without a problem", without("pddl_problem"), { expected: "a string under the key \"pddl_problem\"" }],
    [
      "with a number for a grammar",
      JSON.stringify({ ...JSON.parse(smallGameText()), grammar: 3 }),
      { expected: "a string under the key \"grammar\"", found: "a number" }
    ],
    [
      "with a text for solvable",
      JSON.stringify({ ...JSON.parse(smallGameText()), solvable: "yes" }),
      { expected: "true or false as \"solvable\"", found: "a string" }
    ],
    [
      "with a walkthrough that is no list of texts",
      JSON.stringify({ ...JSON.parse(smallGameText()), walkthrough: [1] }),
      { expected: "an array of strings as \"walkthrough\"" }
    ]
  ])("%s", (_, text, expected) => {
    expect(fault(text)).toMatchObject(expected)
  })
})

const domainWith = (from: string, to: string): SmallGameParts => ({ domain: smallDomain.replace(from, to) })
const deep = (depth: number): string => `${"(and ".repeat(depth)}(seen p1)${")".repeat(depth)}`

describe("faults of the domain", () => {
  it.each<readonly [string, SmallGameParts, Partial<GameFileError>]>([
    ["not a list", { domain: "define" }, { line: 1, column: 1, expected: "a list, opened by \"(\"" }],
    ["empty", { domain: " ; nothing\n" }, { found: "no text" }],
    ["not closed", { domain: "(define (domain d)" }, { found: "the end of the text" }],
    ["closed twice", { domain: `${smallDomain})` }, { found: "\")\"" }],
    ["not a domain", { domain: "(define (problem d))" }, { expected: "(domain <name>)" }],
    ["not a definition", { domain: "(domain d)" }, { expected: "(define (domain <name>) …)" }],
    ["with an unknown section", domainWith("(:functions", "(:fonctions"), { found: "\":fonctions\"" }],
    ["with derived facts", domainWith("(:functions (total-cost) - number)", "(:derived (seen ?x) ())"), {}],
    ["with a predicate twice", domainWith("(open ?b - box)", "(open ?b - box) (open ?b)"), { found: "\"open\" again" }],
    ["with an action twice", domainWith(":action Bag", ":action Look"), { expected: "each action once" }],
    ["with an unknown keyword", domainWith(":precondition ()", ":condition ()"), { found: "\":condition\"" }],
    ["with an undeclared predicate", domainWith("(seen ?p)", "(sawn ?p)"), { expected: "a declared predicate" }],
    ["with a wrong arity", domainWith("(seen ?p)", "(seen ?p ?p)"), { found: "2" }],
    ["with an undeclared variable", domainWith("(seen ?p)", "(seen ?q)"), { found: "\"?q\"" }],
    ["with a variable list cut off", domainWith("?p - person ?l - place)", "?p - person ?l -)"), {}],
    [
      "with letters that are not ASCII",
      domainWith("(seen ?p)", "(sëen ?p)"),
      { expected: "ASCII characters outside comments" }
    ],
    ["nested too deep", domainWith(":precondition ()", `:precondition ${deep(250)}`), { found: "a deeper list" }],
    [
      "with too many alternatives",
      domainWith(":precondition ()", `:precondition (and ${"(or (not (seen ?p)) (not (carriesAny ?p))) ".repeat(12)})`),
      { found: "more than 256 alternatives" }
    ]
  ])("%s", (_, parts, expected) => {
    expect(partsFault(parts)).toMatchObject({ section: "pddl_domain", ...expected })
  })
})

describe("faults of the problem", () => {
  it.each<readonly [string, SmallGameParts, Partial<GameFileError>]>([
    ["an object twice", { objects: `${smallObjects} BALL_bar_1 - box` }, { found: "\"ball_bar_1\" again" }],
    ["an undeclared type", { objects: `${smallObjects} x - thing` }, { found: "\"thing\"" }],
    ["an undeclared predicate", { init: `${smallInit} (glued p1)` }, { found: "\"glued\"" }],
    ["an undeclared object", { init: `${smallInit} (seen nobody)` }, { found: "\"nobody\"" }],
    ["a list for an object", { init: `${smallInit} (seen (p1))` }, { expected: "a declared object" }],
    ["a fact with too few arguments", { init: `${smallInit} (at p1)` }, { found: "1" }],
    ["a name where a fact belongs", { init: `${smallInit} seen` }, { expected: "a list" }],
    ["a goal with an undeclared predicate", { goal: "(glued p1)" }, { found: "\"glued\"" }],
    ["a goal with a free variable", { goal: "(seen ?x)" }, { found: "\"?x\"" }],
    ["two goals", { goal: `(seen p1)) (:goal (seen p1)` }, { found: "a second \":goal\"" }],
    ["an unknown section", { goal: `(seen p1)) (:constraints ()` }, { found: "\":constraints\"" }],
    ["text after its end", { goal: `(seen p1))) (` }, {}]
  ])("%s", (_, parts, expected) => {
    expect(partsFault(parts)).toMatchObject({ section: "pddl_problem", ...expected })
  })

  it("no initial facts, no goal", () => {
    const contents = JSON.parse(smallGameText())
    for (const [problem, missing] of [["(:goal ())", ":init"], ["(:init)", ":goal"]]) {
      const text = JSON.stringify({ ...contents, pddl_problem: `(define (problem p) ${problem})` })
      expect(fault(text)).toMatchObject({ section: "pddl_problem", expected: `a section (${missing} …)` })
    }
  })

  it("a goal out of reach, unless the file calls itself solvable", () => {
    const goal = "(and (cut Lamp_bar_1))"
    for (const solvable of [false, null]) {
      expect(partsFault({ goal, solvable })).toMatchObject({
        section: "pddl_problem",
        expected: "a goal that can be reached"
      })
    }
    expect(Either.isRight(parseGame(smallGameText({ goal, solvable: true }), "a"))).toBe(true)
  })

  it("goals in reach are found through conditional effects, negations and several actions", () => {
    const both = "(exists (?b - box) (and (lidded ?b) (not (open ?b)) (inBox Ball_bar_1 ?b) (inBox Ball_bar_2 ?b)))"
    for (const goal of ["(on Lamp_bar_1)", both, "(forall (?o - box) (or (open ?o) (not (lidded ?o))))"]) {
      expect(Either.isRight(parseGame(smallGameText({ goal, solvable: null }), "a"))).toBe(true)
    }
  })
})

const grammarFault = (grammar: string): GameFileError =>
  fault(JSON.stringify({ ...JSON.parse(smallGameText()), grammar }))

describe("faults of the grammar", () => {
  it.each<readonly [string, string, Partial<GameFileError>]>([
    ["an unknown word", "grammer", { line: 1, column: 1, found: "\"grammer\"" }],
    ["no word at all", "# only this\n  ;", { line: 2, column: 3 }],
    ["a block that is not closed", "grammar :: \"\"\"{}", { expected: "a block in triple double quotes" }],
    ["a block that is not JSON", "grammar :: \"\"\"\n{x\"\"\";", { line: 2, column: 2, expected: "valid JSON" }],
    ["a block that is no object", "grammar :: \"\"\"[]\"\"\";", { expected: "a JSON object of rules" }],
    ["a rule that is no array", "grammar :: \"\"\"{\n\"a\": 1}\"\"\";", { line: 2, found: "a number" }],
    ["an alternative without a text", "grammar :: \"\"\"{\"a\": [{}]}\"\"\";", { found: "an object" }],
    ["a condition that is no text", "grammar :: \"\"\"{\"a\": [{\"rhs\": \"\", \"condition\": 1}]}\"\"\";", {}],
    ["no semicolon", "grammar :: \"\"\"{}\"\"\"", { expected: "\";\"", found: "the end of the grammar" }],
    ["an action without a name", "action {", { expected: "the name of an action" }],
    ["an action that is not closed", "action Look { template :: \"look\";", {}],
    ["an action without a feedback", "action Look { template :: \"look\"; }", { found: "no feedback" }],
    ["an action without a template", "action Look { feedback :: \"look\"; }", { found: "no template" }],
    ["an unknown part of an action", "action Look { colour :: \"red\"; }", { found: "\"colour\"" }],
    ["a text without quotes", "action Look { template :: look; }", { expected: "a text in double quotes" }]
  ])("%s", (_, grammar, expected) => {
    expect(grammarFault(grammar)).toMatchObject({ section: "grammar", ...expected })
  })

  it.each<readonly [string, SmallGameParts, string]>([
    ["an action of the domain without texts", { actions: "" }, "no action \"look\""],
    ["an introduction without a task", { rules: { task: [{ rhs: "Do it." }] } }, "Your task is to: "],
    ["an introduction that needs a missing rule", { rules: { task: [{ rhs: "#nowhere#" }] } }, "no rule \"nowhere\""],
    ["an introduction that never ends", { rules: { task: [{ rhs: "#task#" }] } }, "expands without end"],
    ["a template that cannot be written", { actions: smallActions.replace("\"bag\"", "\"bag {z}\"") }, "bound to \"z\""]
  ])("%s", (_, parts, found) => {
    expect(partsFault(parts)).toMatchObject({ section: "grammar", found: expect.stringContaining(found) })
  })
})

describe("games that are too large", () => {
  it("end in an error instead of a hang", () => {
    const parameters = Array.from({ length: 8 }, (_, index) => `?x${index} - object`).join(" ")
    const bag = "(:action Bag :parameters (?p - person"
    const domain = domainWith(`${bag})`, `${bag} ${parameters})`)
    expect(partsFault(domain)).toMatchObject({ section: "pddl_problem", found: expect.stringMatching(/too many/) })
  })

  it("in objects, arguments or parameters are refused", () => {
    const objects = smallObjects + Array.from({ length: 10_001 }, (_, index) => `o${index} - object`).join(" ")
    expect(partsFault({ objects })).toMatchObject({ expected: "at most 10000 objects" })
    const variables = Array.from({ length: 51 }, (_, index) => `?x${index}`).join(" ")
    expect(partsFault(domainWith("(seen ?x - object)", `(seen ?x - object) (much ${variables})`))).toMatchObject({
      expected: "at most 50 arguments"
    })
    expect(partsFault(domainWith("(?p - person) :precondition", `(${variables}) :precondition`))).toMatchObject({
      expected: "at most 50 parameters"
    })
  })

  it("in blanks are read in time that grows with their length only", () => {
    const blanks = " ".repeat(200_000)
    const long = Either.getOrThrow(parseGame(smallGameText(), "a"))
    expect(Either.getOrThrow(step(long, start(long), `a${blanks}b${blanks}`)).observation).toBe("Nothing happens.")
    const rules = { task: [{ rhs: `Your task is to: x.[{b.name | ${blanks}}]` }] }
    expect(partsFault({ rules })).toMatchObject({ found: expect.stringContaining("malformed") })
  })

  it("with a condition of very many parts", () => {
    const goal = `(exists (?x - object) (and ${"(seen ?x) (on ?x) (not (cut ?x)) ".repeat(3000)}))`
    expect(partsFault({ goal })).toMatchObject({ found: expect.stringContaining("too many parts") })
  })
})

/** Plays some steps; every outcome but a tagged error or a state is a failure of the test. */
const survive = (text: string): "refused" | "played" => {
  const parsed = parseGame(text, "fuzzed")
  if (Either.isLeft(parsed)) {
    expect(parsed.left).toBeInstanceOf(GameFileError)
    expect(parsed.left.message).toMatch(/^fuzzed: line \d+, column \d+.*\.$/s)
    return "refused"
  }
  let state = start(parsed.right)
  for (let turn = 0; turn < 6; turn++) {
    const { admissibleCommands } = state
    const next = step(parsed.right, state, admissibleCommands[(turn * 7) % admissibleCommands.length] ?? "look")
    if (Either.isLeft(next)) {
      expect(next.left._tag).toBe("GameStepError")
      break
    }
    state = next.right
  }
  return "played"
}

const characters = "(){}[]#|\"';:!?&,.- \n\tax0_é\u0000"

const mutate = (text: string, random: (count: number) => number): string => {
  let result = text
  for (let count = random(3); count >= 0; count--) {
    const at = random(result.length + 1)
    const length = random(3) === 0 ? random(40) : random(3)
    const piece = random(4)
    const inserted = piece === 0
      ? ""
      : piece === 1
        ? result.slice(random(result.length), random(result.length)).slice(0, 60)
        : characters.charAt(random(characters.length)).repeat(1 + random(3))
    result = result.slice(0, at) + inserted + result.slice(at + length)
  }
  return result
}

/** Changes one of the texts inside the JSON, so that most mutations get past the JSON parser. */
const mutateInside = (text: string, random: (count: number) => number): string => {
  const contents = JSON.parse(text)
  const key = ["pddl_domain", "grammar", "pddl_problem"][random(3)] ?? "grammar"
  return JSON.stringify({ ...contents, [key]: mutate(contents[key], random), solvable: random(2) === 0 })
}

describe("damaged files", () => {
  it("of a small game are refused or played, never anything else", () => {
    const text = smallGameText()
    const outcomes = { refused: 0, played: 0 }
    for (let seed = 0; seed < 600; seed++) {
      const random = seeded(seed)
      const damaged = seed % 6 === 0 ? mutate(text, random) : mutateInside(text, random)
      outcomes[survive(damaged)]++
    }
    expect(outcomes.refused).toBeGreaterThan(100)
    expect(outcomes.played).toBeGreaterThan(50)
  })

  it("cut off at any place are refused", () => {
    const text = smallGameText()
    const random = seeded(99)
    for (let count = 0; count < 60; count++) expect(survive(text.slice(0, random(text.length)))).toBe("refused")
  })

  const games = sharedDir("alfworld/games")
  it.skipIf(games === undefined)("of real games are refused or played, never anything else", () => {
    const paths = readdirSync(games ?? "", { recursive: true, encoding: "utf8" })
    const files = paths.filter((path) => path.endsWith(".tw-pddl"))
    files.sort().forEach((file, seed) => {
      const text = readFileSync(`${games}/${file}`, "utf8")
      const random = seeded(seed)
      survive(mutateInside(text, random))
      expect(survive(text.slice(0, random(text.length)))).toBe("refused")
    })
  }, 60_000)
})
