import { describe, expect, it } from "vitest"
import { belief } from "../../../src/embedded/cloning/Belief.js"

const receptacles = ["drawer 2", "drawer 1", "desk 1"]

/** At drawer 1, which shares its spot with drawer 2. */
const atDrawers = [
  "close drawer 1", "examine drawer 1", "go to desk 1", "open drawer 2", "take pen 1 from drawer 1", "look"
]

describe("belief", () => {
  it("does not know a neighbour before going there has had no effect", () => {
    const player = belief(receptacles)
    player.observe("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed.")
    expect(player.possible(atDrawers)).toEqual([
      "close drawer 1", "examine drawer 1", "take pen 1 from drawer 1", "look", "go to drawer 2", "go to desk 1"
    ])
    player.observe("go to drawer 2", "Nothing happens.")
    expect(player.possible(atDrawers)).toContain("open drawer 2")
    expect(player.possible(atDrawers)).not.toContain("go to drawer 2")
  })

  it("learns of neighbours by looking around", () => {
    const player = belief(receptacles)
    player.observe("look", "You are facing the drawer 2, and drawer 1. Next to it, you see nothing.")
    expect(player.possible(atDrawers)).toContain("open drawer 2")
  })

  it("switches on only lamps that were seen here", () => {
    const player = belief(receptacles)
    player.observe("go to desk 1", "You walk up to the desk 1. On the desk 1: nothing.")
    expect(player.possible(["use desklamp 1"])).not.toContain("use desklamp 1")
    player.observe("examine desk 1", "On the desk 1: a desklamp 1.")
    expect(player.possible(["use desklamp 1"])).toContain("use desklamp 1")
  })
})
