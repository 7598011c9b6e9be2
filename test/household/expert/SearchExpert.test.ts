import { describe, expect, it } from "vitest"
import { generator, seedOf } from "../../../src/domain/Randomness.js"
import { observationWords, taskWords } from "../../../src/embedded/chat/Compaction.js"
import { encodeWords, marker } from "../../../src/embedded/chat/Vocabulary.js"
import type { OpenGame } from "../../../src/embedded/cloning/Demonstration.js"
import { readGoal } from "../../../src/household/expert/Goal.js"
import { readObservation } from "../../../src/household/expert/ObservationReading.js"
import { placePrior } from "../../../src/household/expert/PlacePrior.js"
import { searchExpert } from "../../../src/household/expert/SearchExpert.js"
import { generateGame, gameSpec } from "../../../src/household/index.js"
import { gamesOf, oldGamesDir, openText, realGamesDir } from "./OpenedGames.js"

interface Played {
  readonly won: boolean
  readonly turns: number
  readonly texts: ReadonlyArray<string>
}

/** Plays from the texts and the list alone, 50 turns at most. */
const play = (game: OpenGame, mode: "expert" | "novice", seed: number): Played => {
  const goal = readGoal(game.task)
  const room = readObservation(game.initial.text)
  if (goal === undefined || room._tag !== "Room") throw new Error(`unreadable: ${game.initial.text}`)
  const expert = searchExpert(goal, room.receptacles, { prior: placePrior, mode, random: generator(seed) })
  const texts = [game.initial.text]
  let view = game.initial
  let turns = 0
  while (!view.won && turns < 50) {
    const command = expert.next(view.admissibleCommands)
    view = game.step(command)
    expert.observe(command, view.text)
    texts.push(view.text)
    turns++
  }
  return { won: view.won, turns, texts }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe("searchExpert", () => {
  it("reads the twelve task sentences", () => {
    expect(readGoal("put some pen on desk.")).toEqual({ kind: "place", object: "pen", target: "desk" })
    expect(readGoal("find two pen and put them in desk.")).toEqual({ kind: "two", object: "pen", target: "desk" })
    expect(readGoal("put a hot egg in fridge.")).toEqual({ kind: "heat", object: "egg", target: "fridge" })
    expect(readGoal("cool some egg and put it in bed.")).toEqual({ kind: "cool", object: "egg", target: "bed" })
    expect(readGoal("examine the cd with the desklamp.")).toEqual({ kind: "light", object: "cd", target: "desklamp" })
    expect(readGoal("water the plants.")).toBeUndefined()
  })

  it.skipIf(realGamesDir === undefined)("wins the real games within 50 turns", () => {
    const expert = gamesOf(realGamesDir).map(({ game, name }) => ({ name, ...play(game, "expert", seedOf(name)) }))
    expect(expert.filter(({ won }) => !won).map(({ name }) => name)).toEqual([])
    expect(mean(expert.map(({ turns }) => turns))).toBeLessThan(11)
    const novice = gamesOf(realGamesDir).map(({ game, name }) => play(game, "novice", seedOf(name)))
    expect(novice.filter(({ won }) => won).length).toBeGreaterThan(0.9 * novice.length)
    expect(mean(novice.map(({ turns }) => turns))).toBeGreaterThan(mean(expert.map(({ turns }) => turns)))
  })

  it.skipIf(oldGamesDir === undefined)("wins games in the wording of release 2.1.1", () => {
    for (const { game, name } of gamesOf(oldGamesDir)) expect(play(game, "expert", seedOf(name)).won, name).toBe(true)
  })

  it("wins generated games within 50 turns, and their texts have no unknown word", () => {
    for (let index = 0; index < 40; index++) {
      const { spec, task, text } = generateGame(gameSpec(3, "valid_unseen", index * 3))
      const played = play(openText(text, spec.id), "expert", seedOf(spec.id))
      expect(played.won, spec.id).toBe(true)
      for (const observation of played.texts) {
        expect(readObservation(observation)._tag, observation).not.toBe("Unknown")
        expect(encodeWords(observationWords(observation)), observation).not.toContain(marker.unknown)
      }
      expect(encodeWords(taskWords(task))).not.toContain(marker.unknown)
    }
  })
})
