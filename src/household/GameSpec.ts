import type { Split, TaskType } from "../domain/Game.js"
import { taskTypes } from "../domain/Game.js"
import { below, generator, seedOf } from "../domain/Randomness.js"
import { sceneInventories, type SceneInventory } from "./Layout.js"
import { draw, presence, type Room, rooms, type Weighted } from "./Statistics.js"
import { taskCounts, taskRooms } from "./statistics/Tasks.js"

/** What a game is about: all that its name tells, found without generating the game. */
export interface GameSpec {
  readonly seed: number
  readonly split: Split
  /** The game's number in its split. Training games have no end: a split's size only says how many are listed. */
  readonly index: number
  readonly taskType: TaskType
  /** The kind of object the task asks for, as ALFWorld writes it, for example `SoapBar`. */
  readonly object: string
  /** The kind of receptacle to bring it to; the kind of lamp for `look_at_obj_in_light`. */
  readonly target: string
  readonly inventory: SceneInventory
  /** `<task type>-<object>-None-<target>-<scene>`. */
  readonly taskFolder: string
  /** `trial_s<seed>_<index>`. */
  readonly trial: string
  /** `<split>:<task folder>/<trial>`. */
  readonly id: string
}

/** Training games with numbers below this play in the scenes of block 0, the next so many in those of block 1, …. */
export const gamesPerBlock = 3000

/** How many games of each type the validation splits of ALFWorld's data release 2.1.3 have. */
export const validationGames: Readonly<Record<"valid_seen" | "valid_unseen", Readonly<Record<TaskType, number>>>> = {
  valid_seen: {
    pick_and_place_simple: 35,
    look_at_obj_in_light: 13,
    pick_clean_then_place_in_recep: 27,
    pick_heat_then_place_in_recep: 16,
    pick_cool_then_place_in_recep: 25,
    pick_two_obj_and_place: 24
  },
  valid_unseen: {
    pick_and_place_simple: 24,
    look_at_obj_in_light: 18,
    pick_clean_then_place_in_recep: 31,
    pick_heat_then_place_in_recep: 23,
    pick_cool_then_place_in_recep: 21,
    pick_two_obj_and_place: 17
  }
}

const typesOf = (games: Readonly<Record<TaskType, number>>): ReadonlyArray<TaskType> =>
  taskTypes.flatMap((type) => Array.from({ length: games[type] }, () => type))

const validationTypes = {
  valid_seen: typesOf(validationGames.valid_seen),
  valid_unseen: typesOf(validationGames.valid_unseen)
}

const trainTypes: Weighted<TaskType> = {
  values: taskTypes,
  weights: taskTypes.map((type) => Object.values(taskRooms[type]).reduce((sum, games) => sum + games, 0))
}

interface Pairing {
  readonly object: string
  readonly target: string
  readonly scenes: ReadonlyArray<SceneInventory>
}

/**
 * The tasks of one type that a series of scenes allows. The weight of an object and target is how often ALFWorld asks
 * for them, shared out among the rooms by how often the type plays there and both things are found there.
 */
const pairings = (type: TaskType, scenesWith: (room: Room, kind?: string) => ReadonlyArray<SceneInventory>) => {
  const values: Array<Pairing> = []
  const weights: Array<number> = []
  for (const [object, targets] of Object.entries(taskCounts[type])) {
    for (const [target, games] of Object.entries(targets)) {
      const options = rooms.flatMap((room) => {
        const scenes = type === "look_at_obj_in_light" ? scenesWith(room) : scenesWith(room, target)
        const weight = (taskRooms[type][room] ?? 0) * presence(room, object) * presence(room, target)
        return weight > 0 && scenes.length > 0 ? [{ scenes, weight }] : []
      })
      const all = options.reduce((sum, { weight }) => sum + weight, 0)
      for (const { scenes, weight } of options) {
        values.push({ object, target, scenes })
        weights.push(games * weight / all)
      }
    }
  }
  return { values, weights }
}

type Pairings = Readonly<Record<TaskType, Weighted<Pairing>>>

const pairingsOf = (inventories: ReadonlyArray<SceneInventory>): Pairings => {
  const found = new Map<string, ReadonlyArray<SceneInventory>>()
  const scenesWith = (room: Room, kind?: string): ReadonlyArray<SceneInventory> => {
    const key = `${room} ${kind ?? ""}`
    const scenes = found.get(key) ??
      inventories.filter((scene) => scene.room === room && (kind === undefined || scene.counts.has(kind)))
    found.set(key, scenes)
    return scenes
  }
  return {
    pick_and_place_simple: pairings("pick_and_place_simple", scenesWith),
    look_at_obj_in_light: pairings("look_at_obj_in_light", scenesWith),
    pick_clean_then_place_in_recep: pairings("pick_clean_then_place_in_recep", scenesWith),
    pick_heat_then_place_in_recep: pairings("pick_heat_then_place_in_recep", scenesWith),
    pick_cool_then_place_in_recep: pairings("pick_cool_then_place_in_recep", scenesWith),
    pick_two_obj_and_place: pairings("pick_two_obj_and_place", scenesWith)
  }
}

/** The tables of the blocks used last, since many games in a row play in the same block. */
const rememberedPairings = new Map<string, Pairings>()
const rememberedBlocks = 4

const blockPairings = (seed: number, block: number, unseen: boolean): Pairings => {
  const key = `${seed} ${block} ${unseen}`
  const remembered = rememberedPairings.get(key)
  if (remembered !== undefined) return remembered
  const made = pairingsOf(sceneInventories(seed, block, unseen))
  for (const oldest of rememberedPairings.keys()) {
    if (rememberedPairings.size < rememberedBlocks) break
    rememberedPairings.delete(oldest)
  }
  rememberedPairings.set(key, made)
  return made
}

/** The game with a number in a split. Any integer `index` ≥ 0 will do; the result depends on the arguments alone. */
export const gameSpec = (seed: number, split: Split, index: number): GameSpec => {
  const random = generator(seedOf("household game", seed, split, index))
  const block = split === "train" ? Math.floor(index / gamesPerBlock) : 0
  const types = split === "train" ? undefined : validationTypes[split]
  const taskType = types === undefined ? draw(random, trainTypes) : types[index % types.length]
  const { object, scenes, target } = draw(random, blockPairings(seed, block, split === "valid_unseen")[taskType])
  const inventory = scenes[below(random, scenes.length)]
  const taskFolder = `${taskType}-${object}-None-${target}-${inventory.scene}`
  const trial = `trial_s${seed}_${String(index).padStart(6, "0")}`
  return {
    seed,
    split,
    index,
    taskType,
    object,
    target,
    inventory,
    taskFolder,
    trial,
    id: `${split}:${taskFolder}/${trial}`
  }
}

/** The game an id names, if it names one of the generator with this seed. */
export const gameSpecOfId = (seed: number, id: string): GameSpec | undefined => {
  const match = /^(train|valid_seen|valid_unseen):.*\/trial_s\d+_(\d+)$/.exec(id)
  if (match === null) return undefined
  const split = match[1] === "train" || match[1] === "valid_seen" ? match[1] : "valid_unseen"
  const spec = gameSpec(seed, split, Number(match[2]))
  return spec.id === id ? spec : undefined
}
