import * as Schema from "effect/Schema"
import { below, generator, seedOf } from "../../domain/Randomness.js"
import { readGoal } from "../../household/expert/Goal.js"
import { placePrior } from "../../household/expert/PlacePrior.js"
import { namesIn } from "../../household/expert/ObservationReading.js"
import { type GameSpec, gameSpec } from "../../household/GameSpec.js"
import { displayNames } from "../../household/Names.js"
import { taskSentences } from "../../household/TaskSentence.js"
import { worldOf, type WorldOptions } from "../../household/World.js"
import { hintFor } from "../chat/Hints.js"
import { demonstrate, type Example, type Style } from "./Demonstration.js"
import { identity, renumbering } from "./Renumbering.js"
import { openWorld } from "./WorldGame.js"

/** A share of the demonstrations, all made in one way. */
export interface Portion {
  /** Relative frequency among the demonstrations. */
  readonly share: number
  readonly style: Omit<Style, "hint">
  /** Whether the task type's hint stands in front. */
  readonly hinted: boolean
  /** Only games that ask for two objects. */
  readonly onlyPickTwo: boolean
}

/** Cloning demonstrations: a mix, its size, and the learning rate that falls to nothing over it. */
export interface Phase {
  readonly name: string
  readonly tokens: number
  readonly learningRate: number
  /** Tokens of a step's batch. Smaller ones learn more from the same tokens, and are slower. */
  readonly batchTokens: number
  readonly portions: ReadonlyArray<Portion>
}

/**
 * Cloning plays the generator's training games from this number on: far behind any list of training games, so that
 * reinforcement learning finds games that the base models have not seen.
 */
export const firstClonedGame = 1_000_000

/** Games in a row that may give no demonstration before it is clear that none ever will. */
const mostRejectedGames = 1_000

/** The games give no demonstrations of the kind that a phase asks for. */
export class CloningDataError extends Schema.TaggedError<CloningDataError>("agentopsd/CloningDataError")(
  "CloningDataError",
  {
    phase: Schema.String,
    /** Place of the last tried portion in the phase's list. */
    portion: Schema.Int,
    maxTokens: Schema.Number,
    games: Schema.Int
  }
) {
  override get message(): string {
    return `Phase ${JSON.stringify(this.phase)}: none of ${this.games} games in a row gave a demonstration ` +
      `of at most ${this.maxTokens} tokens (the last one for portion ${this.portion}). ` +
      "Use a longer context, or a portion whose player wins more games"
  }
}

/** Share of demonstrations with permuted instance numbers, so that numbers are not learnt by heart. */
const renumberedShare = 0.3

/** Objects in two places teach nothing but confusion; shared spots teach what `nothing happens` can mean. */
const world: WorldOptions = { multipleContainment: 0, sharedSpots: 1 }

/** A demonstration of one game, or `undefined` where the style does not keep it. */
export const demonstration = (
  spec: GameSpec,
  portion: Portion,
  seed: number,
  maxTokens: number
): Example | undefined => {
  const random = generator(seedOf("demonstration", seed, spec.index))
  const scene = worldOf(spec, world)
  const task = taskSentences(spec.taskType, spec.object, spec.target)[below(random, 2)]
  const goal = readGoal(task)
  if (goal === undefined) return undefined
  const names = displayNames([...scene.receptacles, ...scene.objects].map(({ id }) => id))
  const numbers = random() < renumberedShare
    ? renumbering(random, Array.from(names.values()).flatMap(namesIn))
    : identity
  const style = { ...portion.style, hint: portion.hinted ? hintFor(spec.taskType) : undefined }
  return demonstrate(openWorld(spec, scene, task), goal, style, { prior: placePrior, random, maxTokens, numbers })
}

const choosePortion = (portions: ReadonlyArray<Portion>, random: number): Portion => {
  let rest = random * portions.reduce((sum, portion) => sum + portion.share, 0)
  return portions.find((portion) => (rest -= portion.share) < 0) ?? portions[portions.length - 1]
}

/**
 * The demonstrations of a phase, one after the other, from game number `firstGame` on, without end. Equal arguments
 * give equal demonstrations; nothing is kept between them. Throws a CloningDataError where a thousand games in a row
 * give none.
 */
export function* demonstrations(
  phase: Pick<Phase, "name" | "portions">,
  options: { readonly seed: number; readonly firstGame: number; readonly maxTokens: number }
): Generator<Example & { readonly nextGame: number }, never, undefined> {
  let rejected = 0
  for (let index = options.firstGame;; index++) {
    const spec = gameSpec(options.seed, "train", index)
    const chosen = generator(seedOf("cloning portion", phase.name, options.seed, index))()
    const portion = choosePortion(phase.portions, chosen)
    const wanted = !portion.onlyPickTwo || spec.taskType === "pick_two_obj_and_place"
    const example = wanted ? demonstration(spec, portion, options.seed, options.maxTokens) : undefined
    if (example !== undefined) {
      rejected = 0
      yield { ...example, nextGame: index + 1 }
      continue
    }
    rejected += 1
    if (rejected >= mostRejectedGames) {
      const place = phase.portions.indexOf(portion)
      throw new CloningDataError({
        phase: phase.name,
        portion: place,
        maxTokens: options.maxTokens,
        games: rejected
      })
    }
  }
}
