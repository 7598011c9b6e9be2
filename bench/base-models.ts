/**
 * How often a base model wins: on generated games that no cloning saw and, where folders of game files are given, on
 * those; greedy and at temperature 1, without and with the hint.
 *
 *     npx tsx bench/base-models.ts [start] [strong] [--games 134] [--folder <dir> …] [--model <name>=<file> …]
 *
 * The models imitate a script that wins practically all of these games.
 */
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TaskType } from "../src/domain/Game.js"
import { wilson } from "../src/domain/Intervals.js"
import { hintFor } from "../src/embedded/chat/Hints.js"
import { layerEmbeddedPolicy, packagedModels } from "../src/embedded/index.js"
import { Policy } from "../src/services/Policy.js"
import { gamesBelow, generatedGames } from "./base-models/PlayableGames.js"
import { type Played, playGames } from "./base-models/Playing.js"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    games: { type: "string", default: "134" },
    folder: { type: "string", multiple: true, default: [] },
    model: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "0" }
  }
})

const own = Object.fromEntries(values.model.map((text) => {
  const [name, file = ""] = text.split("=")
  return [name, file]
}))
const models = { ...packagedModels, ...own }
const names = [...positionals, ...Object.keys(own)]
const seed = Number(values.seed)

const gameSets = {
  generated: generatedGames(Number(values.games), 0),
  ...(values.folder.length === 0 ? {} : { "of the folders": values.folder.flatMap(gamesBelow) })
}

const inFlight = 32

const shortNames: Readonly<Record<TaskType, string>> = {
  pick_and_place_simple: "place",
  look_at_obj_in_light: "light",
  pick_clean_then_place_in_recep: "clean",
  pick_heat_then_place_in_recep: "heat",
  pick_cool_then_place_in_recep: "cool",
  pick_two_obj_and_place: "two"
}

const percent = (share: number): string => (100 * share).toFixed(1)

const mean = (played: ReadonlyArray<Played>, of: (one: Played) => number): string =>
  (played.reduce((sum, one) => sum + of(one), 0) / played.length).toFixed(1)

const summary = (played: ReadonlyArray<Played>): string => {
  const wins = played.filter(({ won }) => won).length
  const [low, high] = wilson(wins, played.length)
  const types = Object.entries(shortNames).map(([type, short]) => {
    const some = played.filter(({ taskType }) => taskType === type)
    return `${short} ${some.filter(({ won }) => won).length}/${some.length}`
  })
  return `${wins}/${played.length} = ${percent(wins / played.length)} % [${percent(low)}, ${percent(high)}], ` +
    `${mean(played, ({ turns }) => turns)} turns, ${mean(played, ({ useless }) => useless)} useless commands ` +
    `(${types.join(", ")})`
}

const evaluate = Effect.fn("evaluate")(function*(baseModel: string) {
  const policy = yield* Policy
  const sampler = yield* policy.openSampler({ _tag: "BaseModel", baseModel })
  for (const temperature of [0, 1]) {
    for (const hinted of [false, true]) {
      const hintOf = (taskType: string): string | undefined =>
        hinted && Schema.is(TaskType)(taskType) ? hintFor(taskType) : undefined
      for (const [label, games] of Object.entries(gameSets)) {
        const settings = { temperature, hintFor: hintOf, seed, maxTokens: 1024, concurrency: inFlight }
        const played = yield* playGames(sampler, games, settings)
        const way = `${temperature === 0 ? "greedy" : "T = 1"}, ${hinted ? "with hint" : "no hint"}`
        console.log(`${baseModel}, ${way}, ${label}: ${summary(played)}`)
      }
    }
  }
}, Effect.scoped)

await Effect.runPromise(
  Effect.forEach(names, evaluate).pipe(
    Effect.provide(layerEmbeddedPolicy({ directory: "runs", models, cachedSequences: inFlight })),
    Effect.provide(NodeContext.layer)
  )
)
