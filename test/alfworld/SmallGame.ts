import * as Either from "effect/Either"
import { type CompiledGame, type EngineState, start, step } from "../../src/alfworld/Engine.js"
import { parseGame } from "../../src/alfworld/GameFile.js"

/** The parts of a small game of one's own; what is not given is as in {@link smallDomain} and its neighbours. */
export interface SmallGameParts {
  readonly domain?: string
  readonly rules?: Readonly<Record<string, ReadonlyArray<RuleText>>>
  readonly actions?: string
  readonly objects?: string
  readonly init?: string
  readonly goal?: string
  readonly solvable?: boolean | null
  readonly walkthrough?: ReadonlyArray<string>
}

interface RuleText {
  readonly rhs: string
  readonly condition?: string
}

/**
 * Two rooms' worth of PDDL: walking, opening, carrying, switching and cutting, with the constructs that games use:
 * `or`, `not`, `exists`, `when`, costs, comments and the type `place,` whose comma makes it a type without members.
 */
export const smallDomain = `
; A domain for tests.
(define (domain Small)
 (:requirements :adl :action-costs :typing)
 (:types person place box object kind)
 (:predicates
   (at ?p - person ?l - place) (boxAt ?b - box ?l - place) (thingAt ?o - object ?l - place)
   (lidded ?b - box) (open ?b - box) (inBox ?o - object ?b - box) (boxKind ?b - box ?k - kind)
   (kindOf ?o - object ?k - kind) (accepts ?b - box ?k - kind) (light ?o - object)
   (carries ?p - person ?o - object) (carriesAny ?p - person) (seen ?x - object)
   (switch ?o - object) (on ?o - object) (touched ?o - object) (soft ?o - object) (cut ?o - object))
 (:functions (total-cost) - number)
 (:action Look :parameters (?p - person ?l - place) :precondition (and (at ?p ?l)) :effect (and (seen ?l)))
 (:action Bag :parameters (?p - person) :precondition () :effect (and (seen ?p)))
 (:action StudyBox :parameters (?p - person ?b - box)
   :precondition (and (exists (?l - place) (and (at ?p ?l) (boxAt ?b ?l)))) :effect (seen ?b))
 (:action StudyThing :parameters (?p - person ?o - object)
   :precondition (or (exists (?l - place, ?b - box) (and (at ?p ?l) (boxAt ?b ?l) (inBox ?o ?b))) (carries ?p ?o))
   :effect (and (seen ?o)))
 (:action Walk :parameters (?p - person ?lFrom - place ?lTo - place ?b - box)
   :precondition (and (at ?p ?lFrom) (boxAt ?b ?lTo))
   :effect (and (not (at ?p ?lFrom)) (at ?p ?lTo) (increase (total-cost) 1)))
 (:action Lift :parameters (?p - person ?l - place ?b - box)
   :precondition (and (lidded ?b) (at ?p ?l) (boxAt ?b ?l) (not (open ?b))) :effect (open ?b))
 (:action Shut :parameters (?p - person ?l - place ?b - box)
   :precondition (and (lidded ?b) (at ?p ?l) (boxAt ?b ?l) (open ?b)) :effect (not (open ?b)))
 (:action Take :parameters (?p - person ?l - place ?o - object ?b - box)
   :precondition (and (light ?o) (at ?p ?l) (boxAt ?b ?l) (inBox ?o ?b) (not (carriesAny ?p))
     (or (not (lidded ?b)) (open ?b)))
   :effect (and (not (inBox ?o ?b)) (carries ?p ?o) (carriesAny ?p) (not (thingAt ?o ?l))))
 (:action Put :parameters (?p - person ?l - place ?o - object ?b - box ?k - kind)
   :precondition (and (carries ?p ?o) (at ?p ?l) (boxAt ?b ?l) (or (not (lidded ?b)) (open ?b))
     (kindOf ?o ?k) (accepts ?b ?k))
   :effect (and (inBox ?o ?b) (thingAt ?o ?l) (not (carries ?p ?o)) (not (carriesAny ?p)) (increase (total-cost) 1)))
 (:action Flip :parameters (?p - person ?l - place ?o - object ?b - box)
   :precondition (and (switch ?o) (at ?p ?l) (boxAt ?b ?l) (inBox ?o ?b))
   :effect (and (when (on ?o) (not (on ?o))) (when (not (on ?o)) (on ?o)) (touched ?o)))
 (:action Cut :parameters (?p - person ?l - place ?o - object ?knife - object)
   :precondition (and (soft ?o) (or (kindOf ?knife BladeKind) (kindOf ?knife SawKind)) (at ?p ?l) (thingAt ?o ?l)
     (carries ?p ?knife))
   :effect (cut ?o)))
`

const here = "at(p:person, l:place) & boxat(b:box, l:place)"
const left = `${here} & thingat(o:object, l:place) & not_inbox(o:object, b:box)`

export const smallRules: Readonly<Record<string, ReadonlyArray<RuleText>>> = {
  intro: [{ rhs: "A small game.\n\n#look#\n\n#task#" }],
  task: [{ rhs: "Your task is to: put a ball in chest." }],
  look: [
    { condition: here, rhs: `At [{b.name | ${here}}]. Beside: [{#thing# | ${left}}].` },
    { rhs: "Around: [{#box# | boxat(b:box, l:place)}]." }
  ],
  thing: [{ rhs: "{o.indefinite} {o.name}" }],
  box: [{ rhs: "{b.indefinite + ' ' + b.name}" }],
  list_empty: [{ rhs: "nothing" }],
  list_separator: [{ rhs: ", " }],
  list_last_separator: [{ rhs: ", and " }],
  study: [
    { condition: "lidded(b:box) & open(b:box)", rhs: "In {b.name}: [{#thing# | inbox(o:object, b:box)}]." },
    { condition: "lidded(b:box)", rhs: "{b.name} is shut." },
    { rhs: "On {b.name}: [{#thing# | inbox(o:object, b:box)}]." }
  ],
  flipped: [
    { condition: "on(o:object)", rhs: "{o.name} is said to be on." },
    { condition: "!on(o:object)", rhs: "{o.name} is said to be off." },
    { rhs: "Nothing is said of {o.name}." }
  ]
}

export const smallActions = `
action Look { template :: "look"; feedback :: "#look#"; }
action Bag { template :: "bag"; feedback :: "Carrying [{#thing# | carries(p:person, o:object)}]."; }
action StudyBox { template :: "study {b}"; feedback :: "#study#"; }
action StudyThing { template :: "study {o}"; feedback :: "Just {o.name}."; }
action Walk { template :: "walk to [{b.name | boxat(b:box, lto:place)}]"; feedback :: "Now at {b.name}. #study#"; }
action Lift { template :: "open {b}"; feedback :: "Opened {b}. #study#"; }
action Shut { template :: "shut {b}"; feedback :: "Shut {b}."; }
action Take { template :: "take {o} from {b}"; feedback :: "Took {o} from {b}."; }
action Put { template :: "put {o} into {b}"; feedback :: "Put {o} into {b}."; }
action Flip { template :: "flip {o}"; feedback :: "#flipped#"; }
action Cut { template :: "cut {o} with {knife}"; feedback :: "Cut {o} with {knife}."; }
`

export const smallObjects = `
 p1 - person BallKind - kind BladeKind - kind LampKind - kind ChestKind - kind Ball - object
 l_0 - place l_1 - place l_2 - place
 Chest_bar_1 - box Shelf_bar__minus_1 - box Shelf_bar__plus_1 - box
 Ball_bar_1 - object Ball_bar_2 - object Knife_bar_1 - object Lamp_bar_1 - object Odd_bar_1 - object
`

/** The chest (lidded) stands alone at l_1; both shelves stand at l_2; the person starts at l_0. */
export const smallInit = `
 (at p1 l_0) (boxAt Chest_bar_1 l_1) (boxAt Shelf_bar__minus_1 l_2) (boxAt Shelf_bar__plus_1 l_2) (lidded Chest_bar_1)
 (boxKind Chest_bar_1 ChestKind) (accepts Chest_bar_1 BallKind) (accepts Chest_bar_1 BallKind)
 (accepts Shelf_bar__minus_1 BallKind) (accepts Shelf_bar__plus_1 BallKind) (accepts Shelf_bar__plus_1 BladeKind)
 (kindOf Ball_bar_1 BallKind) (kindOf Ball_bar_2 BallKind) (kindOf Knife_bar_1 BladeKind) (kindOf Lamp_bar_1 LampKind)
 (light Ball_bar_1) (light Ball_bar_2) (light Knife_bar_1) (light Odd_bar_1) (switch Lamp_bar_1) (soft Ball_bar_1)
 (inBox Ball_bar_1 Shelf_bar__minus_1) (thingAt Ball_bar_1 l_2) (inBox Ball_bar_2 Chest_bar_1) (thingAt Ball_bar_2 l_1)
 (inBox Knife_bar_1 Shelf_bar__plus_1) (thingAt Knife_bar_1 l_2) (inBox Lamp_bar_1 Shelf_bar__plus_1)
 (thingAt Lamp_bar_1 l_2) (inBox Odd_bar_1 Shelf_bar__minus_1) (thingAt Odd_bar_1 l_2)
`

/** Both balls in one chest. */
export const smallGoal = `(and (exists (?b - box) (exists (?x - object) (and (kindOf ?x BallKind) (boxKind ?b ChestKind)
  (inBox ?x ?b) (exists (?y - object) (and (not (= ?x ?y)) (kindOf ?y BallKind) (inBox ?y ?b)))))))`

/** The text of a small game's file. */
export const smallGameText = (parts: SmallGameParts = {}): string => {
  const grammar = `grammar :: """${JSON.stringify({ ...smallRules, ...parts.rules }, null, 2)}""";\n` +
    (parts.actions ?? smallActions)
  const problem = `(define (problem p) (:domain Small) (:objects ${parts.objects ?? smallObjects})\n` +
    `(:init ${parts.init ?? smallInit})\n(:goal ${parts.goal ?? smallGoal}))`
  return JSON.stringify({
    pddl_domain: parts.domain ?? smallDomain,
    grammar,
    pddl_problem: problem,
    solvable: parts.solvable === undefined ? true : parts.solvable,
    walkthrough: parts.walkthrough ?? null
  })
}

export const smallGame = (parts: SmallGameParts = {}): CompiledGame =>
  Either.getOrThrow(parseGame(smallGameText(parts), "small"))

/** The states after each command, the start left out. */
export const play = (game: CompiledGame, ...commands: ReadonlyArray<string>): ReadonlyArray<EngineState> => {
  const states: Array<EngineState> = []
  let state = start(game)
  for (const command of commands) {
    state = Either.getOrThrow(step(game, state, command))
    states.push(state)
  }
  return states
}

/** The state after the last of the commands. */
export const after = (game: CompiledGame, ...commands: ReadonlyArray<string>): EngineState =>
  play(game, ...commands).at(-1) ?? start(game)

/** The observation after the last of the commands. */
export const told = (game: CompiledGame, ...commands: ReadonlyArray<string>): string =>
  after(game, ...commands).observation

/** A small seeded generator of numbers `0 … count - 1`. */
export const seeded = (seed: number): (count: number) => number => {
  let state = (seed * 2654435761 + 1) >>> 0
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}
