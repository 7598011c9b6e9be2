import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { start } from "../../src/alfworld/Engine.js"
import { parseGame } from "../../src/alfworld/GameFile.js"

/** Conditions over two kinds of things and three predicates, to be compared with their plain meaning. */
type Formula =
  | { readonly kind: "atom"; readonly predicate: string; readonly terms: ReadonlyArray<string> }
  | { readonly kind: "and" | "or" | "imply" | "not"; readonly parts: ReadonlyArray<Formula> }
  | { readonly kind: "exists" | "forall"; readonly variable: string; readonly type: string; readonly body: Formula }

const reds = ["r1", "r2", "r3"]
const blues = ["b1", "b2"]
const things = [...reds, ...blues]
const members: Readonly<Record<string, ReadonlyArray<string>>> = { red: reds, blue: blues, object: things, none: [] }

const meaning = (formula: Formula, facts: ReadonlySet<string>, bound: ReadonlyMap<string, string>): boolean => {
  switch (formula.kind) {
    case "atom": {
      const terms = formula.terms.map((term) => bound.get(term) ?? term)
      return formula.predicate === "=" ? terms[0] === terms[1] : facts.has([formula.predicate, ...terms].join(" "))
    }
    case "and":
      return formula.parts.every((part) => meaning(part, facts, bound))
    case "or":
      return formula.parts.some((part) => meaning(part, facts, bound))
    case "imply":
      return formula.parts.some((part, at) => meaning(part, facts, bound) === (at === 1))
    case "not":
      return formula.parts.every((part) => !meaning(part, facts, bound))
    case "exists":
    case "forall": {
      const holds = (thing: string): boolean =>
        meaning(formula.body, facts, new Map([...bound, [formula.variable, thing]]))
      const things = members[formula.type] ?? []
      return formula.kind === "exists" ? things.some(holds) : things.every(holds)
    }
  }
}

const printed = (formula: Formula): string => {
  switch (formula.kind) {
    case "atom":
      return `(${[formula.predicate, ...formula.terms].join(" ")})`
    case "exists":
    case "forall":
      return `(${formula.kind} (${formula.variable} - ${formula.type}) ${printed(formula.body)})`
    default:
      return `(${[formula.kind, ...formula.parts.map(printed)].join(" ")})`
  }
}

/** Formulas whose free variables are among `scope`; inner variables may shadow outer ones. */
const formulas = (scope: ReadonlyArray<string>, depth: number): FastCheck.Arbitrary<Formula> => {
  const term = FastCheck.constantFrom(...scope, ...scope, ...reds, ...blues)
  const atom = FastCheck.constantFrom("p", "q", "=").chain((predicate) =>
    FastCheck.array(term, { minLength: predicate === "p" ? 1 : 2, maxLength: predicate === "p" ? 1 : 2 })
      .map((terms): Formula => ({ kind: "atom", predicate, terms }))
  )
  if (depth === 0) return atom
  const part = formulas(scope, depth - 1)
  const lists = FastCheck.tuple(FastCheck.constantFrom("and" as const, "or" as const), FastCheck.array(part, { maxLength: 3 }))
    .map(([kind, parts]): Formula => ({ kind, parts }))
  const implied = FastCheck.tuple(part, part).map((parts): Formula => ({ kind: "imply", parts }))
  const negated = part.map((body): Formula => ({ kind: "not", parts: [body] }))
  const quantified = FastCheck.tuple(
    FastCheck.constantFrom("exists" as const, "forall" as const),
    FastCheck.constantFrom("?x", "?y", "?z"),
    FastCheck.constantFrom("red", "blue", "object", "none")
  ).chain(([kind, variable, type]) =>
    formulas([...new Set([...scope, variable])], depth - 1)
      .map((body): Formula => ({ kind, variable, type, body }))
  )
  return FastCheck.oneof(
    { weight: 1, arbitrary: atom },
    { weight: 2, arbitrary: lists },
    { weight: 1, arbitrary: implied },
    { weight: 1, arbitrary: negated },
    { weight: 4, arbitrary: quantified }
  )
}

const possibleFacts = [
  ...things.map((thing) => `p ${thing}`),
  ...things.flatMap((one) => things.map((other) => `q ${one} ${other}`))
]

/** A game whose goal is the closed formula, and where `try x` is admissible for each x of the open one. */
const gameText = (closed: Formula, open: Formula, facts: ReadonlyArray<string>): string => {
  const declared = (names: ReadonlyArray<string>, type: string): string => `${names.join(" ")} - ${type}`
  return JSON.stringify({
    pddl_domain: `(define (domain d) (:types red blue) (:predicates (p ?x) (q ?x ?y) (done ?x))
      (:action try :parameters (?x - red) :precondition ${printed(open)} :effect (done ?x)))`,
    grammar: `grammar :: """{"intro": [{"rhs": "Your task is to: try."}]}""";
      action try { template :: "try {x.id}"; feedback :: ""; }`,
    pddl_problem: `(define (problem p) (:objects ${declared(reds, "red")} ${declared(blues, "blue")})
      (:init ${facts.map((fact) => `(${fact})`).join(" ")}) (:goal ${printed(closed)}))`,
    solvable: true
  })
}

describe("conditions", () => {
  it("mean what they say, as goals and as preconditions", () => {
    const property = FastCheck.property(
      formulas([], 4),
      formulas(["?x"], 4),
      FastCheck.subarray(possibleFacts),
      (closed, open, facts) => {
        const known = new Set(facts)
        const first = start(Either.getOrThrow(parseGame(gameText(closed, open, facts), "d")))
        expect(first.won).toBe(meaning(closed, known, new Map()))
        expect(first.admissibleCommands).toEqual(
          reds.filter((red) => meaning(open, known, new Map([["?x", red]]))).map((red) => `try ${red}`)
        )
      }
    )
    FastCheck.assert(property, { numRuns: 400, seed: 20 })
  })
})
