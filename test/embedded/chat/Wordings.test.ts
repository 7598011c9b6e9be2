import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { below, generator, seedOf } from "../../../src/domain/Randomness.js"
import { observationWords } from "../../../src/embedded/chat/Compaction.js"
import { gameSpec, generateGame } from "../../../src/household/index.js"
import { openText, realGamesDir } from "../../household/expert/OpenedGames.js"

/** Domain and grammar of a real game: ALFWorld's own words. */
const alfworldLanguage = (): { readonly pddl_domain: string; readonly grammar: string } => {
  const paths = readdirSync(realGamesDir ?? "", { recursive: true, encoding: "utf8" })
  const path = paths.filter((name) => name.endsWith("game.tw-pddl")).sort()[0]
  return JSON.parse(readFileSync(`${realGamesDir}/${path}`, "utf8"))
}

describe("observationWords", () => {
  it.skipIf(realGamesDir === undefined)("gives the same words for the same game in both wordings", () => {
    const { grammar, pddl_domain } = alfworldLanguage()
    for (let index = 0; index < 12; index++) {
      const { spec, text } = generateGame(gameSpec(4, "train", index))
      const own = openText(text, spec.id)
      const real = openText(JSON.stringify({ ...JSON.parse(text), pddl_domain, grammar }), spec.id)
      expect(observationWords(own.initial.text)).toEqual(observationWords(real.initial.text))
      const random = generator(seedOf("wordings", index))
      let view = own.initial
      for (let turn = 0; turn < 60; turn++) {
        const commands = view.admissibleCommands
        const deeds = commands.filter((command) => !/^(?:go to|look|inventory|help)/.test(command))
        const pool = deeds.length > 0 && random() < 0.6 ? deeds : commands
        const command = random() < 0.1 ? "take pen 99 from desk 1" : pool[below(random, pool.length)]
        view = own.step(command)
        const other = real.step(command)
        expect(other.admissibleCommands).toEqual(view.admissibleCommands)
        expect(observationWords(view.text), `${command}: ${view.text} / ${other.text}`)
          .toEqual(observationWords(other.text))
      }
    }
  })
})
