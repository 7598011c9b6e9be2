import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { generator } from "../../../src/domain/Randomness.js"
import { renumbering } from "../../../src/embedded/cloning/Renumbering.js"

const names = ["drawer 1", "drawer 2", "drawer 3", "pen 1", "pen 2", "desk 1"]

describe("renumbering", () => {
  it("permutes numbers within a noun and restores them", () => {
    FastCheck.assert(FastCheck.property(FastCheck.nat(), FastCheck.subarray(names), (seed, mentioned) => {
      const { restore, show } = renumbering(generator(seed), names)
      const text = `You see ${mentioned.map((name) => `a ${name}`).join(", ")}.`
      expect(restore(show(text))).toBe(text)
      expect(names.map(show).sort()).toEqual(names.slice().sort())
      expect(show("mug 1")).toBe("mug 1")
    }))
  })

  it("changes something for some seed", () => {
    const shown = Array.from({ length: 10 }, (_, seed) => renumbering(generator(seed), names).show("drawer 1"))
    expect(new Set(shown).size).toBe(3)
  })
})
