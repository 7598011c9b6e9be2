import type { Game } from "./Game.js"
import { shuffled } from "./PythonRandom.js"
import { seedOf } from "./Randomness.js"

/** The games of a training run in playing order. */
export interface Schedule {
  /** How many different games are played. */
  readonly size: number
  /** The games of update `step` (from 1), `tasksPerUpdate` of them. */
  readonly gamesOf: (step: number) => ReadonlyArray<ScheduledGame>
}

export interface ScheduledGame {
  readonly game: Game
  /** How often the game already stands in this update, so that its trajectories get other random numbers. */
  readonly occurrence: number
}

/**
 * Games in the order of CPython's `random.Random(seed).shuffle` on the sorted list, so that equal seeds give equal
 * orders in Python programs; each further pass through the data is shuffled anew. `maxGames` > 0 keeps that many of
 * the first pass's games.
 */
export const makeSchedule = (
  games: ReadonlyArray<Game>,
  options: { readonly seed: number; readonly maxGames: number; readonly tasksPerUpdate: number }
): Schedule => {
  const first = shuffled(options.seed, games)
  const kept = options.maxGames > 0 ? first.slice(0, options.maxGames) : first
  let current: { readonly pass: number; readonly order: ReadonlyArray<Game> } = { pass: 0, order: kept }
  const orderOf = (pass: number): ReadonlyArray<Game> => {
    if (pass === 0) return kept
    if (pass !== current.pass) current = { pass, order: shuffled(seedOf("pass", options.seed, pass), kept) }
    return current.order
  }
  return {
    size: kept.length,
    gamesOf: (step) => {
      const seen = new Map<string, number>()
      return Array.from({ length: options.tasksPerUpdate }, (_, i) => {
        const position = (step - 1) * options.tasksPerUpdate + i
        const game = orderOf(Math.floor(position / kept.length))[position % kept.length]
        const occurrence = seen.get(game.id) ?? 0
        seen.set(game.id, occurrence + 1)
        return { game, occurrence }
      })
    }
  }
}
