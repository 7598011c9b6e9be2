import * as Effect from "effect/Effect"
import { generator } from "../../domain/Randomness.js"
import type { EnvironmentError, Episode } from "../../services/Environment.js"
import { readGoal } from "./Goal.js"
import { readObservation } from "./ObservationReading.js"
import { placePrior } from "./PlacePrior.js"
import { type ExpertOptions, searchExpert } from "./SearchExpert.js"

/** What the scripted expert made of a game. */
export interface ExpertResult {
  readonly won: boolean
  /** Commands sent. */
  readonly turns: number
}

/**
 * Lets the scripted expert play an episode: the yardstick beside a policy's success. `undefined` where it cannot, as
 * the task or the first observation is of no wording it reads.
 */
export const playExpert: (
  episode: Episode,
  options: { readonly maxTurns: number; readonly seed: number; readonly mode?: ExpertOptions["mode"] }
) => Effect.Effect<ExpertResult | undefined, EnvironmentError> = Effect.fn("ExpertPlay.playExpert")(
  function*(episode, { maxTurns, mode = "expert", seed }) {
    const goal = readGoal(episode.task)
    const room = readObservation(episode.initial.text)
    if (goal === undefined || room._tag !== "Room") return undefined
    const expert = searchExpert(goal, room.receptacles, { prior: placePrior, mode, random: generator(seed) })
    let view = episode.initial
    let turns = 0
    while (!view.won && !view.done && turns < maxTurns) {
      const command = expert.next(view.admissibleCommands)
      view = yield* episode.step(command)
      expert.observe(command, view.text)
      turns++
    }
    return { won: view.won, turns }
  }
)
