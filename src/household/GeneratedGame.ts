import { below, generator, seedOf } from "../domain/Randomness.js"
import { gameGrammar } from "./GameGrammar.js"
import type { GameSpec } from "./GameSpec.js"
import { pddlDomain } from "./PddlDomain.js"
import { pddlProblem } from "./PddlProblem.js"
import { taskSentences } from "./TaskSentence.js"
import { walkthroughOf } from "./Walkthrough.js"
import { realRates, worldOf, type WorldOptions } from "./World.js"

/** A generated game. */
export interface GeneratedGame {
  readonly spec: GameSpec
  /** The task in words, for example `put a hot cup in cabinet.` */
  readonly task: string
  /** The content of the game's `game.tw-pddl`: one JSON object, pure ASCII, keys in the order of ALFWorld's files. */
  readonly text: string
  /** Commands that win the game. */
  readonly walkthrough: ReadonlyArray<string>
}

/** Generates a game. Equal arguments give equal games, in any process and on any machine. */
export const generateGame = (spec: GameSpec, options: WorldOptions = realRates): GeneratedGame => {
  const world = worldOf(spec, options)
  const wording = below(generator(seedOf("household wording", spec.seed, spec.split, spec.index)), 2)
  const task = taskSentences(spec.taskType, spec.object, spec.target)[wording]
  const walkthrough = walkthroughOf(spec, world)
  const text = JSON.stringify({
    pddl_domain: pddlDomain,
    grammar: gameGrammar(task),
    pddl_problem: pddlProblem(spec, world),
    solvable: true,
    walkthrough
  })
  return { spec, task, text, walkthrough }
}
