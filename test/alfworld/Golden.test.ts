import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { type CompiledGame, type EngineState, start, step } from "../../src/alfworld/Engine.js"
import { parseGame } from "../../src/alfworld/GameFile.js"
import { sharedDir } from "../shared.js"

const Shown = {
  obs: Schema.String,
  admissible: Schema.Array(Schema.String),
  won: Schema.Boolean
}

/** A recording of the Python engine. */
const Trace = Schema.parseJson(Schema.Struct({
  game: Schema.String,
  policy: Schema.String,
  ...Shown,
  steps: Schema.Array(Schema.Struct({ cmd: Schema.String, score: Schema.Number, done: Schema.Boolean, ...Shown }))
}))

const golden = sharedDir("alfworld/golden")

const load = (path: string): CompiledGame => Either.getOrThrow(parseGame(readFileSync(path, "utf8"), path))

const shown = ({ admissibleCommands, observation, won }: EngineState): unknown => ({
  obs: observation,
  admissible: admissibleCommands,
  won
})

const replay = (file: string, games: string): number => {
  const lines = readFileSync(`${golden}/${file}`, "utf8").trimEnd().split("\n")
  for (const line of lines) {
    const trace = Schema.decodeSync(Trace)(line)
    const game = load(`${golden}/../${games}/${trace.game}/game.tw-pddl`)
    let state = start(game)
    expect({ game: trace.game, ...Object(shown(state)) }).toEqual({
      game: trace.game,
      obs: trace.obs,
      admissible: trace.admissible,
      won: trace.won
    })
    expect(state.score).toBeNull()
    trace.steps.forEach(({ cmd, ...expected }, at) => {
      state = Either.getOrThrow(step(game, state, cmd))
      const got = { ...Object(shown(state)), score: state.score, done: state.done }
      expect({ game: trace.game, at, cmd, ...got }).toEqual({ game: trace.game, at, cmd, ...expected })
    })
  }
  return lines.length
}

describe.skipIf(golden === undefined)("recordings of the Python engine", () => {
  it("are repeated byte for byte on the games of release 2.1.3", () => {
    expect(replay("traces-2.1.3.jsonl", "games")).toBe(240)
  }, 120_000)

  it("are repeated byte for byte on games in the older wording", () => {
    expect(replay("traces-extra.jsonl", "games-extra")).toBe(6)
  }, 60_000)
})

const games = sharedDir("alfworld/games")

const gameFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("game.tw-pddl"))
    .map((path) => `${folder}/${path}`)

describe.skipIf(games === undefined)("walkthroughs", () => {
  it("of all games are admissible step by step and win with the last command", () => {
    const files = gameFiles(games ?? "")
    expect(files).toHaveLength(60)
    for (const file of files) {
      const game = load(file)
      expect(game.walkthrough).toBeDefined()
      let state = start(game)
      for (const command of game.walkthrough ?? []) {
        expect([file, state.won, state.admissibleCommands]).toEqual([file, false, expect.arrayContaining([command])])
        state = Either.getOrThrow(step(game, state, command))
      }
      expect([file, state.won]).toEqual([file, true])
    }
  }, 60_000)

  it("are not needed: games in the older format have none", () => {
    const files = gameFiles(sharedDir("alfworld/games-extra/v2.1.1-wording") ?? "")
    expect(files.map((file) => load(file).walkthrough)).toEqual(files.map(() => undefined))
  })
})
