import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gameSpec } from "../../src/household/GameSpec.js"
import { generateGame } from "../../src/household/GeneratedGame.js"
import { layerHousehold } from "../../src/household/HouseholdGames.js"
import { Environment } from "../../src/services/Environment.js"
import { Games } from "../../src/services/Games.js"

describe("layerHousehold", () => {
  it.scoped("lists games that can be opened and won", () =>
    Effect.gen(function*() {
      const games = yield* Games
      const environment = yield* Environment
      expect(games.source).toBe("built-in household games (seed 4)")
      for (const [split, size] of [["train", 20], ["valid_seen", 140], ["valid_unseen", 134]] as const) {
        const list = yield* games.list(split)
        expect(list.games.length).toBe(size)
        for (const game of list.games.slice(0, 5)) {
          const { task, walkthrough } = generateGame(gameSpec(4, split, Number(game.id.slice(-6))))
          const episode = yield* environment.open(game)
          expect(episode.task).toBe(task)
          expect(episode.initial.won).toBe(false)
          let won = false
          for (const command of walkthrough) won = (yield* episode.step(command)).won
          expect(won).toBe(true)
        }
      }
    }).pipe(Effect.provide(layerHousehold({ seed: 4, trainGames: 20 }))))

  it.scoped("opens branches of a game that share nothing", () =>
    Effect.gen(function*() {
      const environment = yield* Environment
      const { spec, walkthrough } = generateGame(gameSpec(0, "train", 3))
      const [one, other] = yield* Effect.all([environment.open(spec), environment.open(spec)])
      yield* one.step(walkthrough[0])
      expect(other.initial).toEqual(one.initial)
      expect((yield* other.step("look")).text).toContain("middle of the room")
    }).pipe(Effect.provide(layerHousehold())))

  it.scoped("says which splits there are, and which games are not its own", () =>
    Effect.gen(function*() {
      const unknown = yield* Effect.flip((yield* Games).list("test"))
      expect(unknown.message).toContain("train, valid_seen, valid_unseen")
      const { spec } = generateGame(gameSpec(1, "train", 0))
      const foreign = yield* Effect.flip((yield* Environment).open(spec))
      expect(foreign.retryable).toBe(false)
      expect(foreign.message).toContain(spec.id)
      expect(foreign.message).toContain("seed 0")
    }).pipe(Effect.provide(layerHousehold())))
})
