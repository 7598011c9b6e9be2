import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Game } from "../../src/domain/Game.js"
import { makeSchedule } from "../../src/domain/Schedule.js"

const games = (count: number): ReadonlyArray<Game> =>
  Array.from({ length: count }, (_, i) => ({ id: `train:${i}`, split: "train", taskType: "t" }))

const order = (count: number, seed: number, tasksPerUpdate: number, updates: number, maxGames = 0) => {
  const schedule = makeSchedule(games(count), { seed, maxGames, tasksPerUpdate })
  return Array.from({ length: updates }, (_, i) => schedule.gamesOf(i + 1))
}

const numbers = (scheduled: ReadonlyArray<{ readonly game: Game }>) => scheduled.map(({ game }) => Number(game.id.slice(6)))

describe("makeSchedule", () => {
  it.each([
    [0, [1, 9, 8, 5, 10, 2, 3, 7, 4, 0, 11, 6]],
    [1, [7, 11, 0, 8, 5, 6, 3, 10, 4, 1, 9, 2]],
    [42, [7, 5, 2, 8, 9, 6, 11, 3, 4, 0, 1, 10]]
  ])("gives the first pass in the order of CPython's shuffle (seed %i)", (seed, expected) => {
    expect(numbers(order(12, seed, 4, 3).flat())).toEqual(expected)
  })

  it("plays every game once a pass, and passes in different orders", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.integer({ min: 2, max: 40 }),
      FastCheck.integer({ min: 1, max: 9 }),
      FastCheck.nat(),
      (count, tasksPerUpdate, seed) => {
        const played = numbers(order(count, seed, tasksPerUpdate, Math.ceil(3 * count / tasksPerUpdate)).flat())
        for (const pass of [0, 1, 2]) {
          const part = played.slice(pass * count, (pass + 1) * count)
          expect(part.slice().sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i))
        }
      }
    ))
    const [first, second, third] = [0, 12, 24].map((from) => numbers(order(12, 42, 1, 36).flat()).slice(from, from + 12))
    expect(second).not.toEqual(first)
    expect(third).not.toEqual(second)
  })

  it("numbers a game's occurrences within an update", () => {
    const [update] = order(2, 1, 5, 1)
    const seen = new Map<string, Array<number>>()
    for (const { game, occurrence } of update) seen.set(game.id, [...(seen.get(game.id) ?? []), occurrence])
    for (const occurrences of seen.values()) expect(occurrences).toEqual(occurrences.map((_, i) => i))
  })

  it("can begin at any update: a step's games depend on the step alone", () => {
    const all = order(7, 3, 4, 9)
    const schedule = makeSchedule(games(7), { seed: 3, maxGames: 0, tasksPerUpdate: 4 })
    expect([9, 2, 5].map((step) => schedule.gamesOf(step))).toEqual([all[8], all[1], all[4]])
  })

  it("keeps the first games of the shuffled order where it is limited", () => {
    const limited = makeSchedule(games(12), { seed: 42, maxGames: 3, tasksPerUpdate: 3 })
    expect(limited.size).toBe(3)
    expect(numbers(limited.gamesOf(1))).toEqual([7, 5, 2])
    expect(numbers(limited.gamesOf(2)).sort()).toEqual([2, 5, 7])
  })
})
