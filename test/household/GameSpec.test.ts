import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Split, taskTypes } from "../../src/domain/Game.js"
import { defaultSeed, defaultTrainGames, gameList, specsOf } from "../../src/household/GameSet.js"
import { gameSpec, gameSpecOfId, gamesPerBlock, validationGames } from "../../src/household/GameSpec.js"
import { type SceneInventory, sceneInventories } from "../../src/household/Layout.js"
import { rooms, roomStatistics } from "../../src/household/Statistics.js"
import { taskCounts, taskRooms } from "../../src/household/statistics/Tasks.js"

const splits: ReadonlyArray<Split> = ["train", "valid_seen", "valid_unseen"]
const anySeed = FastCheck.nat(1_000_000)
const anyIndex = FastCheck.nat(100_000)
const anySplit = FastCheck.constantFrom(...splits)

describe("gameSpec", () => {
  it("depends on its arguments alone, whatever was asked before", () => {
    const first = gameSpec(7, "train", 12)
    for (let block = 0; block < 10; block++) gameSpec(7, "train", block * gamesPerBlock)
    expect(gameSpec(7, "train", 12)).toEqual(first)
    expect(gameSpec(8, "train", 12).id).not.toBe(first.id)
  })

  it("can be found again by its id, and by no other", () => {
    FastCheck.assert(FastCheck.property(anySeed, anySplit, anyIndex, (seed, split, index) => {
      const spec = gameSpec(seed, split, index)
      expect(gameSpecOfId(seed, spec.id)).toEqual(spec)
      expect(gameSpecOfId(seed + 1, spec.id)).toBeUndefined()
      expect(gameSpecOfId(seed, spec.id.replace("-None-", "-Some-"))).toBeUndefined()
      expect(gameSpecOfId(seed, `${spec.id}0`)).toBeUndefined()
    }), { numRuns: 30 })
    expect(gameSpecOfId(0, "a game of someone else")).toBeUndefined()
  })

  it("names folders as ALFWorld does, with a scene number that tells the room", () => {
    const hundreds = { kitchen: [0], livingroom: [2], bedroom: [3], bathroom: [4] }
    for (let index = 0; index < 200; index++) {
      const { inventory, object, target, taskFolder, taskType, trial } = gameSpec(3, "train", index * 50)
      expect(taskFolder).toBe(`${taskType}-${object}-None-${target}-${inventory.scene}`)
      expect(trial).toMatch(/^trial_s3_\d{6}$/)
      expect(hundreds[inventory.room]).toContain(Math.floor((inventory.scene % 1000) / 100))
      expect(`${taskFolder}/${trial}`).not.toMatch(/movable|Sliced/)
    }
  })

  it("asks only for what its room and scene have", () => {
    for (let index = 0; index < 500; index++) {
      const { inventory, object, target, taskType } = gameSpec(1, "train", index)
      expect(taskCounts[taskType][object][target]).toBeGreaterThan(0)
      expect(taskRooms[taskType][inventory.room]).toBeGreaterThan(0)
      expect(Object.keys(roomStatistics[inventory.room].objects)).toContain(object)
      if (taskType !== "look_at_obj_in_light") expect(inventory.counts.get(target)).toBeGreaterThan(0)
    }
  })
})

describe("the splits", () => {
  it("have ALFWorld's sizes and, but for training, exactly its task types", () => {
    expect(splits.map((split) => specsOf({}, split).length)).toEqual([defaultTrainGames, 140, 134])
    for (const split of ["valid_seen", "valid_unseen"] as const) {
      const specs = specsOf({ seed: 5 }, split)
      for (const type of taskTypes) {
        expect(specs.filter(({ taskType }) => taskType === type).length).toBe(validationGames[split][type])
      }
    }
  })

  it("share no game, and valid_unseen shares no scene with any other game", () => {
    const [train, seen, unseen] = splits.map((split) => specsOf({ trainGames: 7000 }, split))
    const ids = [...train, ...seen, ...unseen].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const scenes = new Set([...train, ...seen].map(({ inventory }) => inventory.scene))
    expect(unseen.filter(({ inventory }) => scenes.has(inventory.scene))).toEqual([])
    const trainScenes = new Set(train.map(({ inventory }) => inventory.scene))
    expect(seen.filter(({ inventory }) => !trainScenes.has(inventory.scene)).length).toBeLessThan(3)
  })

  it("have no valid_unseen room that reads like one of the listed training games, for the seed that is shipped", () => {
    // What a policy reads of an empty room: its kind, and how many receptacles of each kind it has.
    const reading = ({ counts, room }: SceneInventory): string =>
      `${room}: ${[...counts].map(([kind, count]) => `${count} ${kind}`).sort().join()}`
    const trained = new Set(specsOf({}, "train").map(({ inventory }) => reading(inventory)))
    const unseen = sceneInventories(defaultSeed, 0, true).map(reading)
    expect(trained.size).toBeGreaterThan(200)
    expect(unseen).toHaveLength(36)
    expect(unseen.filter((room) => trained.has(room))).toEqual([])
  })

  it("are the shorter list's beginning when more training games are wanted", () => {
    const few = new Set(specsOf({ trainGames: 50 }, "train").map(({ id }) => id))
    const many = new Set(specsOf({ trainGames: 100 }, "train").map(({ id }) => id))
    expect([...few].every((id) => many.has(id))).toBe(true)
    expect(many.size).toBe(100)
  })

  it("are listed by id, with a hash that changes with the games", () => {
    for (const split of splits) {
      const { games } = gameList({ trainGames: 300 }, split)
      expect(games.map(({ id }) => id)).toEqual(games.map(({ id }) => id).sort())
      expect(games.every((game) => game.split === split && game.id.startsWith(`${split}:${game.taskType}-`))).toBe(true)
    }
    const hashes = [{}, { seed: 1 }, { trainGames: 10 }, { trainGames: 11 }].map((options) =>
      gameList(options, "train").manifestHash
    )
    expect(new Set(hashes).size).toBe(4)
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(gameList({}, "train").manifestHash).toBe(hashes[0])
  })
})

describe("the training games", () => {
  const specs = Array.from({ length: 6000 }, (_, index) => gameSpec(0, "train", index))
  const share = (holds: (spec: (typeof specs)[number]) => boolean): number => specs.filter(holds).length / specs.length

  it("have ALFWorld's proportions of task types and rooms", () => {
    for (const type of taskTypes) {
      const games = Object.values(taskRooms[type]).reduce((sum, n) => sum + n, 0)
      expect(Math.abs(share(({ taskType }) => taskType === type) - games / 3553)).toBeLessThan(0.02)
    }
    for (const room of rooms) {
      const games = Object.values(taskRooms).reduce((sum, byRoom) => sum + (byRoom[room] ?? 0), 0)
      expect(Math.abs(share(({ inventory }) => inventory.room === room) - games / 3553)).toBeLessThan(0.03)
    }
  })

  it("ask for every object and every target of the statistics", () => {
    const objects = new Set(Object.values(taskCounts).flatMap((byObject) => Object.keys(byObject)))
    const targets = new Set(
      Object.values(taskCounts).flatMap((byObject) => Object.values(byObject).flatMap((of) => Object.keys(of)))
    )
    expect(new Set(specs.map(({ object }) => object))).toEqual(objects)
    expect(new Set(specs.map(({ target }) => target))).toEqual(targets)
  })
})
