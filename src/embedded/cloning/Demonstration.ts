import { below, type Generator } from "../../domain/Randomness.js"
import type { Goal } from "../../household/expert/Goal.js"
import { readObservation } from "../../household/expert/ObservationReading.js"
import { type Prior, type SearchExpert, searchExpert } from "../../household/expert/SearchExpert.js"
import { actionIds, hintIds, observationIds, openingIds, withHint } from "../chat/EmbeddedChatFormat.js"
import { belief } from "./Belief.js"
import { anyOf, slip } from "./Mistakes.js"
import { identity, type Renumbering } from "./Renumbering.js"

/** What a game shows. */
export interface View {
  readonly text: string
  readonly admissibleCommands: ReadonlyArray<string>
  readonly won: boolean
}

/** A game being played. */
export interface OpenGame {
  readonly task: string
  readonly initial: View
  readonly step: (command: string) => View
}

/** How a demonstration is made. */
export interface Style {
  /** Who plays: the expert, or the novice that searches in a random order. */
  readonly player: "expert" | "novice"
  /** Skill text in front, if any. */
  readonly hint: string | undefined
  /** Share of turns at which a random command is sent instead of the player's. */
  readonly noise: number
  /** Share of those commands that are slips (most have no effect); the others are admissible. */
  readonly slips: number
  /** How often the same slip is repeated at most. */
  readonly repeats: number
  /** Whether the random commands are to be learnt, too. They are left out of the loss otherwise. */
  readonly learnNoise: boolean
  /**
   * Turns of aimless search before the player takes over, at most. They are left out of the loss: they make games in
   * which most places have been seen in vain.
   */
  readonly wandering: number
  /** Whether a game that was not won within the turns is kept, cut to the longest sequence. */
  readonly keepLost: boolean
}

/** A sequence to learn: the weight of position t is that of predicting `ids[t]`. */
export interface Example {
  readonly ids: Array<number>
  readonly weights: Array<number>
}

/** Weights of the loss. */
const ofActions = 1
const ofObservations = 0.1

/** Longest demonstration in turns, as in ALFWorld. */
export const longestDemonstration = 50

/** The inverse of a prior: unlikely places first. */
const contrary = (prior: Prior): Prior => (object, receptacle) => 1 / (1e-3 + prior(object, receptacle))

/** A demonstration in the making. */
class Recording {
  readonly ids: Array<number> = []
  readonly weights: Array<number> = []
  /** Something no longer fitted. */
  full = false

  constructor(readonly limit: number) {}

  add(ids: ReadonlyArray<number>, weight: number): void {
    this.full ||= this.ids.length + ids.length > this.limit
    if (this.full) return
    for (const id of ids) {
      this.ids.push(id)
      this.weights.push(weight)
    }
  }
}

/**
 * Plays a game and writes it down as a sequence of the embedded policy's chat format.
 *
 * @returns the example, or `undefined` where the player did not win or the sequence would be longer than `maxTokens`
 * (unless the style keeps lost games).
 */
export const demonstrate = (
  game: OpenGame,
  goal: Goal,
  style: Style,
  options: {
    readonly prior: Prior
    readonly random: Generator
    readonly maxTokens: number
    readonly numbers?: Renumbering
  }
): Example | undefined => {
  const { maxTokens, prior, random } = options
  const numbers = options.numbers ?? identity
  const shown = (view: View): View => ({
    text: numbers.show(view.text),
    admissibleCommands: view.admissibleCommands.map(numbers.show),
    won: view.won
  })
  let view = shown(game.initial)
  const room = readObservation(view.text)
  if (room._tag !== "Room" || room.receptacles.length === 0) return undefined
  const receptacles = room.receptacles

  const player = searchExpert(goal, receptacles, { prior, mode: style.player, random })
  const wanderer = style.wandering === 0
    ? undefined
    : searchExpert(goal, receptacles, { prior: contrary(prior), mode: "expert", random })
  const believed = belief(receptacles)
  let wanderingLeft = wanderer === undefined ? 0 : 1 + below(random, style.wandering)
  let place = receptacles[below(random, receptacles.length)]
  let slipToRepeat = ""
  let repeatsLeft = 0

  const recording = new Recording(maxTokens)
  const opening = openingIds({ task: game.task, observation: view.text, admissibleCommands: [] })
  if (style.hint === undefined) {
    recording.add(opening, ofObservations)
  } else {
    const hinted = withHint(opening, hintIds(style.hint).ids)
    recording.add(hinted.slice(0, 1 + hinted.length - opening.length), 0)
    recording.add(opening.slice(1), ofObservations)
  }

  /** The next command and the weight of learning it. */
  const choose = (): readonly [string, number] => {
    const possible = believed.possible(view.admissibleCommands)
    const noiseWeight = style.learnNoise ? ofActions : 0
    if (repeatsLeft > 0) {
      repeatsLeft--
      return [slipToRepeat, noiseWeight]
    }
    if (wanderer !== undefined && wanderingLeft > 0) {
      const command = wander(wanderer, possible, random)
      wanderingLeft = command === undefined ? 0 : wanderingLeft - 1
      if (command !== undefined) return [command, 0]
    }
    if (random() >= style.noise) return [player.next(possible), ofActions]
    if (random() >= style.slips) return [anyOf(random, view.admissibleCommands), noiseWeight]
    slipToRepeat = slip(random, { goal, receptacles, place })
    repeatsLeft = random() < 0.5 ? 0 : below(random, style.repeats + 1)
    return [slipToRepeat, noiseWeight]
  }

  for (let turn = 0; turn < longestDemonstration && !view.won && !recording.full; turn++) {
    const [command, weight] = choose()
    view = shown(game.step(numbers.restore(command)))
    player.observe(command, view.text)
    wanderer?.observe(command, view.text)
    believed.observe(command, view.text)
    const reading = readObservation(view.text)
    if (reading._tag === "Contents" || reading._tag === "Closed") place = reading.receptacle
    recording.add(actionIds(command), weight)
    if (!view.won) recording.add(observationIds(view.text), ofObservations)
  }
  const kept = style.keepLost || (view.won && !recording.full)
  return kept ? { ids: recording.ids, weights: recording.weights } : undefined
}

/** How often a wanderer passes a closed container without opening it. */
const passing = 0.15

/** The wanderer's next command; `undefined` where it has found what it would take. */
const wander = (
  wanderer: SearchExpert,
  admissible: ReadonlyArray<string>,
  random: Generator
): string | undefined => {
  const command = wanderer.next(admissible)
  if (command.startsWith("open ") && random() < passing) {
    const moves = admissible.filter((one) => one.startsWith("go to "))
    return moves[below(random, moves.length)]
  }
  return /^(?:go to|open|examine) /.test(command) ? command : undefined
}
