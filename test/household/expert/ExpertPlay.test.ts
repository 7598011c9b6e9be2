import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { OpenGame } from "../../../src/embedded/cloning/Demonstration.js"
import { playExpert } from "../../../src/household/expert/ExpertPlay.js"
import { gameSpec, generateGame } from "../../../src/household/index.js"
import type { Episode, Observation } from "../../../src/services/Environment.js"
import { openText } from "./OpenedGames.js"

const observationOf = (view: OpenGame["initial"]): Observation => ({ ...view, done: view.won, score: null })

const episodeOf = (game: OpenGame): Episode => ({
  task: game.task,
  initial: observationOf(game.initial),
  step: (command) => Effect.sync(() => observationOf(game.step(command)))
})

describe("playExpert", () => {
  const { spec, text } = generateGame(gameSpec(7, "valid_seen", 0))

  it.effect("plays an episode to its end", () =>
    Effect.gen(function*() {
      const result = yield* playExpert(episodeOf(openText(text, spec.id)), { maxTurns: 50, seed: 0 })
      expect(result?.won).toBe(true)
      const again = yield* playExpert(episodeOf(openText(text, spec.id)), { maxTurns: 50, seed: 0 })
      expect(again).toEqual(result)
    }))

  it.effect("stops at the limit", () =>
    Effect.gen(function*() {
      const result = yield* playExpert(episodeOf(openText(text, spec.id)), { maxTurns: 1, seed: 0 })
      expect(result).toEqual({ won: false, turns: 1 })
    }))

  it.effect("has no answer for a task it cannot read", () =>
    Effect.gen(function*() {
      const episode = { ...episodeOf(openText(text, spec.id)), task: "water the plants." }
      expect(yield* playExpert(episode, { maxTurns: 50, seed: 0 })).toBeUndefined()
    }))
})
