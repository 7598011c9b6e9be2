import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { EngineState } from "../../src/alfworld/Engine.js"
import { defaultSeed } from "../../src/household/GameSet.js"
import { gameSpecOfId } from "../../src/household/GameSpec.js"
import { generateGame } from "../../src/household/GeneratedGame.js"
import { compile, playAll } from "./play.js"

const State = Schema.Struct({ says: Schema.String, admissible: Schema.String, won: Schema.Boolean })
const Step = Schema.Struct({ command: Schema.String, ...State.fields })

/** What textworld/play.py prints of a game. */
const Trace = Schema.parseJson(Schema.Struct({
  game: Schema.String,
  text: Schema.String,
  start: State,
  walkthrough: Schema.Array(Step),
  wandering: Schema.Array(Step)
}))

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

const stateOf = ({ admissibleCommands, observation, won }: EngineState): typeof State.Type => ({
  says: observation,
  admissible: digest(admissibleCommands.join("\n")),
  won
})

const traces = readFileSync(fileURLToPath(new URL("textworld/traces.jsonl", import.meta.url)), "utf8")
  .trim()
  .split("\n")
  .map((line) => Schema.decodeSync(Trace)(line))

describe("the household games on ALFWorld's own engine", () => {
  it("were played in every split and of every task type", () => {
    expect(new Set(traces.map(({ game }) => game.split("-")[0])).size).toBe(18)
  })

  it.each(traces.map((trace) => [trace.game, trace] as const))("%s plays there as here", (id, trace) => {
    const spec = gameSpecOfId(defaultSeed, id)
    const text = spec === undefined ? "" : generateGame(spec).text
    expect(digest(text), "the game's text changed: play it again, see textworld/play.py").toBe(trace.text)
    const game = compile(text, id)
    for (const steps of [trace.walkthrough, trace.wandering]) {
      const states = playAll(game, steps.map(({ command }) => command))
      const expected = steps.map(({ admissible, says, won }) => ({ says, admissible, won }))
      expect(states.map(stateOf)).toEqual([trace.start, ...expected])
    }
    expect(trace.walkthrough.at(-1)?.won).toBe(true)
  })
})
