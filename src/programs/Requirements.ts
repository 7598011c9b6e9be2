import * as Effect from "effect/Effect"
import { Games, GamesError } from "../services/Games.js"
import { Policy, PolicyError } from "../services/Policy.js"

/** The games of a split, once it is sure that there are any and that each is there once, in order. */
export const checkedGames = Effect.fn("checkedGames")(function*(split: string) {
  const source = yield* Games
  const list = yield* source.list(split)
  const flaw = list.games.length === 0
    ? `it has no games in split ${split}`
    : list.games.slice(1).map((game, i) => [list.games[i].id, game.id] as const)
      .filter(([before, after]) => before >= after)
      .map(([before, after]) =>
        before === after ? `it lists ${after} twice` : `it lists ${after} after ${before}, not sorted by id`
      )[0]
  if (flaw !== undefined) {
    return yield* new GamesError({
      source: source.source,
      reason: flaw,
      fix: "Give at least one game, each once, sorted by id"
    })
  }
  return list
})

/** Refuses trajectories longer than the policy's context before anything is opened for them. */
export const requireContext = Effect.fn("requireContext")(function*(maxTrajectoryTokens: number) {
  const { backend, capabilities } = yield* Policy
  if (maxTrajectoryTokens <= capabilities.maxSequenceTokens) return
  return yield* new PolicyError({
    backend,
    operation: "start",
    reason: `maxTrajectoryTokens is ${maxTrajectoryTokens}, but the policy takes ${capabilities.maxSequenceTokens}`,
    fix: `Set it to ${capabilities.maxSequenceTokens} or less`,
    kind: "refused"
  })
})
