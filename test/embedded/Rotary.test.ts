import { assert, describe, it } from "@effect/vitest"
import { rotaryTables } from "../../src/embedded/Rotary.js"

describe("rotaryTables", () => {
  it("are cos and sin of position·10000^(−i/16), rounded to float32", () => {
    const positions = 1024
    const { cosines, sines } = rotaryTables(positions)
    for (let position = 0; position < positions; position++) {
      for (let i = 0; i < 16; i++) {
        const angle = position * 10_000 ** (-i / 16)
        assert.closeTo(cosines[position * 16 + i], Math.cos(angle), 1e-7)
        assert.closeTo(sines[position * 16 + i], Math.sin(angle), 1e-7)
      }
    }
  })
})
