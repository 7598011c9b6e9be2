/**
 * Times the native engine: milliseconds to load a game, microseconds a step. Uses the real games beside the checkout
 * where they are present, else a small one of the tests.
 *
 * Run with `npx tsx bench/engine.ts`.
 */
import * as Either from "effect/Either"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type CompiledGame, start, step } from "../src/alfworld/Engine.js"
import { parseGame } from "../src/alfworld/GameFile.js"
import { smallGameText } from "../test/alfworld/SmallGame.js"

const sharedGames = fileURLToPath(new URL("../../shared/alfworld/games", import.meta.url))

const gameFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}`
    if (statSync(path).isDirectory()) return gameFiles(path)
    return name === "game.tw-pddl" ? [path] : []
  })

const texts: ReadonlyArray<string> = existsSync(sharedGames)
  ? gameFiles(sharedGames).map((path) => readFileSync(path, "utf8"))
  : [smallGameText()]

const quantile = (values: ReadonlyArray<number>, at: number): number => {
  const sorted = values.slice().sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN
}

const report = (label: string, values: ReadonlyArray<number>, unit: string): void => {
  const figures = [0.5, 0.9, 0.99].map((at) => `p${at * 100} ${quantile(values, at).toFixed(3)} ${unit}`)
  console.log(`${label}: ${figures.join(", ")} (n = ${values.length})`)
}

const loads: Array<number> = []
const games: Array<CompiledGame> = []
for (let round = 0; round < 3; round++) {
  for (const text of texts) {
    const begin = performance.now()
    games.push(Either.getOrThrow(parseGame(text, "bench")))
    loads.push(performance.now() - begin)
  }
}

/** A small linear congruential generator: the walk is the same on every run. */
let random = 1
const below = (count: number): number => {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0
  return random % count
}

const firstVisits: Array<number> = []
const revisits: Array<number> = []
for (const times of [firstVisits, revisits]) {
  random = 1
  for (const game of games.slice(0, texts.length)) {
    let state = start(game)
    for (let turn = 0; turn < 100; turn++) {
      const command = state.admissibleCommands[below(state.admissibleCommands.length)] ?? "look"
      const begin = performance.now()
      state = Either.getOrThrow(step(game, state, command))
      times.push((performance.now() - begin) * 1000)
    }
  }
}

const source = existsSync(sharedGames) ? "real games" : "small game"
console.log(`${texts.length} ${source}: loaded three times, then two walks of 100 random steps through each`)
report("load", loads, "ms")
report("step, first walk through a game", firstVisits, "µs")
report("step, second walk through a game", revisits, "µs")
