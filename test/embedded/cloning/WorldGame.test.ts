import { describe, expect, it } from "vitest"
import { below, generator, seedOf } from "../../../src/domain/Randomness.js"
import { openWorld } from "../../../src/embedded/cloning/WorldGame.js"
import { gameSpec, generateGame, realRates, worldOf } from "../../../src/household/index.js"
import { openText } from "../../household/expert/OpenedGames.js"

/** What the fast player of worlds leaves out. */
const comparable = (text: string): string =>
  text.replace(/Beside you: .*$/, "").replace(/In it: .*$/, "").replace(/^You can say:[^]*$/, "You can say:")

describe("openWorld", () => {
  it("plays as the game file does", () => {
    for (let index = 0; index < 30; index++) {
      const spec = gameSpec(5, "train", index)
      const generated = generateGame(spec, realRates)
      const file = openText(generated.text, spec.id)
      const world = openWorld(spec, worldOf(spec, realRates), generated.task)
      const random = generator(seedOf("world game", index))
      let view = file.initial
      expect(world.initial).toEqual(view)
      for (let turn = 0; turn < 40; turn++) {
        const commands = view.admissibleCommands
        const deeds = commands.filter((command) => !/^(?:go to|look|inventory|help|examine)/.test(command))
        const pool = deeds.length > 0 && random() < 0.6 ? deeds : commands
        const command = random() < 0.1 ? "go to fridge 9" : pool[below(random, pool.length)]
        view = file.step(command)
        const other = world.step(command)
        expect(comparable(other.text), `${spec.id}: ${command}`).toBe(comparable(view.text))
        expect(other.admissibleCommands, `${spec.id}: ${command}`).toEqual(view.admissibleCommands)
        expect(other.won).toBe(view.won)
      }
    }
  })

  it("is won by the walkthrough", () => {
    for (let index = 0; index < 60; index++) {
      const spec = gameSpec(6, "train", index)
      const { task, walkthrough } = generateGame(spec)
      const world = openWorld(spec, worldOf(spec, realRates), task)
      expect(walkthrough.map((command) => world.step(command).won).at(-1), spec.id).toBe(true)
    }
  })
})
