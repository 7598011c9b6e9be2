/** Listing and generating the built-in household games, and reading them with the native engine. */
import * as Either from "effect/Either"
import { parseGame } from "../src/alfworld/GameFile.js"
import { generateGame } from "../src/household/GeneratedGame.js"
import { gameList } from "../src/household/GameSet.js"
import { gameSpec } from "../src/household/GameSpec.js"

const timed = <A>(work: () => A): readonly [result: A, milliseconds: number] => {
  const start = performance.now()
  const result = work()
  return [result, performance.now() - start]
}

const [list, listing] = timed(() => gameList({}, "train"))
console.log(`listing ${list.games.length} games, cold: ${listing.toFixed(0)} ms`)

const games = 1000
const [texts, generating] = timed(() =>
  Array.from({ length: games }, (_, i) => generateGame(gameSpec(0, "train", i)).text)
)
const [, reading] = timed(() => texts.forEach((text) => Either.getOrThrow(parseGame(text, "game"))))
const kilobytes = texts.reduce((sum, text) => sum + text.length, 0) / games / 1000
console.log(`generating a game: ${(generating / games).toFixed(2)} ms, ${kilobytes.toFixed(0)} kB`)
console.log(`reading it: ${(reading / games).toFixed(2)} ms (${(reading / generating).toFixed(1)} × generating)`)
