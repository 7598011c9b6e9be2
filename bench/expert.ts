/**
 * The scripted search expert's success on held-out games, to stand beside any policy's: it sees only what a policy
 * sees, and has 50 turns.
 *
 *     npx tsx bench/expert.ts [DATA-ROOT]
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { layerAlfworld } from "../src/alfworld/index.js"
import { wilson } from "../src/domain/Intervals.js"
import { seedOf } from "../src/domain/Randomness.js"
import { playExpert } from "../src/household/expert/ExpertPlay.js"
import { layerHousehold } from "../src/household/index.js"
import { Environment } from "../src/services/Environment.js"
import { Games } from "../src/services/Games.js"

const [dataRoot] = process.argv.slice(2)

const program = Effect.gen(function*() {
  const games = yield* Games
  const environment = yield* Environment
  console.log(games.source)
  for (const split of ["valid_seen", "valid_unseen"]) {
    const { games: listed } = yield* games.list(split)
    const results = yield* Effect.forEach(listed, (game) =>
      Effect.scoped(Effect.flatMap(environment.open(game), (episode) =>
        playExpert(episode, { seed: seedOf("expert", game.id), maxTurns: 50 }))))
    const won = results.filter((result) => result?.won === true).length
    const turns = results.reduce((sum, result) => sum + (result?.turns ?? 50), 0) / results.length
    const [low, high] = wilson(won, results.length).map((bound) => (100 * bound).toFixed(1))
    console.log(`${split}: ${won}/${results.length} [${low}, ${high}] %, ${turns.toFixed(1)} turns on average`)
  }
})

await Effect.runPromise(
  dataRoot === undefined
    ? Effect.provide(program, layerHousehold())
    : program.pipe(Effect.provide(layerAlfworld({ dataRoot })), Effect.provide(NodeContext.layer))
)
