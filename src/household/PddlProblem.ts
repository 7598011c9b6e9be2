import type { TaskType } from "../domain/Game.js"
import type { GameSpec } from "./GameSpec.js"
import { domainTypes } from "./PddlDomain.js"
import {
  accepts,
  cleanable,
  coolable,
  heatable,
  holders,
  pickupable,
  sliceable,
  toggleable
} from "./statistics/Nouns.js"
import type { World } from "./World.js"

const objectProperties = [
  ["pickupable", pickupable],
  ["isReceptacleObject", holders],
  ["cleanable", cleanable],
  ["heatable", heatable],
  ["coolable", coolable],
  ["sliceable", sliceable],
  ["toggleable", toggleable]
] as const

const placedGoal = (object: string, target: string, ...state: ReadonlyArray<string>): string => `(and
    (exists (?r - receptacle)
      (exists (?o - object)
        (and
          (receptacleType ?r ${target}Type)
          (objectType ?o ${object}Type)
          ${[...state, "(inReceptacle ?o ?r)"].join("\n          ")}))))`

/** What must hold for the game to be won. */
const goalOf = (taskType: TaskType, object: string, target: string): string => {
  switch (taskType) {
    case "pick_and_place_simple":
      return placedGoal(object, target)
    case "pick_clean_then_place_in_recep":
      return placedGoal(object, target, "(cleanable ?o)", "(isClean ?o)")
    case "pick_heat_then_place_in_recep":
      return placedGoal(object, target, "(heatable ?o)", "(isHot ?o)")
    case "pick_cool_then_place_in_recep":
      return placedGoal(object, target, "(coolable ?o)", "(isCool ?o)")
    case "pick_two_obj_and_place":
      return `(and
    (exists (?r - receptacle)
      (exists (?o1 - object)
        (and
          (receptacleType ?r ${target}Type)
          (objectType ?o1 ${object}Type)
          (inReceptacle ?o1 ?r)
          (exists (?o2 - object)
            (and
              (not (= ?o1 ?o2))
              (objectType ?o2 ${object}Type)
              (inReceptacle ?o2 ?r)))))))`
    case "look_at_obj_in_light":
      return `(and
    (exists (?lamp - object ?r - receptacle ?a - agent ?l - location)
      (and
        (objectType ?lamp ${target}Type)
        (toggleable ?lamp)
        (isToggled ?lamp)
        (inReceptacle ?lamp ?r)
        (receptacleAtLocation ?r ?l)
        (atLocation ?a ?l)))
    (exists (?o - object ?a - agent)
      (and
        (objectType ?o ${object}Type)
        (holds ?a ?o))))`
  }
}

const location = (spot: number): string => `loc_bar_${spot}`

/** The PDDL problem of a game: its world as declarations and facts, each stated once, and its goal. */
export const pddlProblem = (spec: GameSpec, { nested, objects, receptacles }: World): string => {
  const { object, target, taskType, trial } = spec
  const spots = receptacles.reduce((most, { spot }) => Math.max(most, spot), 0)
  const receptacleTypes = new Set([...domainTypes.receptacle, ...receptacles.map(({ ruledAs }) => ruledAs)])
  const objectTypes = new Set([...domainTypes.object, ...objects.map(({ kind }) => kind)])
  const declarations = ["agent1 - agent"]
  const facts = [`(atLocation agent1 ${location(0)})`]
  for (const type of receptacleTypes) declarations.push(`${type}Type - rtype`)
  for (const type of objectTypes) declarations.push(`${type}Type - otype`)
  for (let spot = 0; spot <= spots; spot++) declarations.push(`${location(spot)} - location`)
  for (const { id, openable, ruledAs, spot } of receptacles) {
    declarations.push(`${id} - receptacle`)
    facts.push(`(receptacleType ${id} ${ruledAs}Type)`, `(receptacleAtLocation ${id} ${location(spot)})`)
    if (openable) facts.push(`(openable ${id})`)
  }
  for (const { coolAtStart, id, kind, places } of objects) {
    declarations.push(`${id} - object`)
    facts.push(`(objectType ${id} ${kind}Type)`, `(objectAtLocation ${id} ${location(receptacles[places[0]].spot)})`)
    for (const place of places) facts.push(`(inReceptacle ${id} ${receptacles[place].id})`)
    for (const [property, kinds] of objectProperties) {
      if (kinds.has(kind)) facts.push(`(${property} ${id})`)
    }
    if (coolAtStart) facts.push(`(isCool ${id})`)
  }
  for (const [inner, outer] of nested) facts.push(`(inReceptacleObject ${inner} ${outer})`)
  for (const receptacle of receptacleTypes) {
    for (const kind of accepts[receptacle] ?? []) {
      if (objectTypes.has(kind)) facts.push(`(canContain ${receptacle}Type ${kind}Type)`)
    }
  }
  return `(define (problem ${trial})
(:domain household)
(:objects
  ${declarations.join("\n  ")}
)
(:init
  ${facts.join("\n  ")}
)
(:goal
  ${goalOf(taskType, object, target)}
)
)
`
}
