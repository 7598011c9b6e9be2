import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { start, step, strip } from "../../src/alfworld/Engine.js"
import { after, play, smallActions, smallGame, smallInit, smallObjects, told } from "./SmallGame.js"

const game = smallGame()

describe("start", () => {
  it("shows the introduction with nothing bound: all boxes, by id", () => {
    const first = start(game)
    expect(first.observation).toBe(
      "A small game.\n\nAround: a chest 1, a shelf 2, and a shelf 1.\n\nYour task is to: put a ball in chest."
    )
    expect(first.admissibleCommands).toEqual(["bag", "look", "walk to chest 1", "walk to shelf 1", "walk to shelf 2"])
    expect([first.won, first.done, first.score]).toEqual([false, false, null])
    expect(game.task).toBe("put a ball in chest.")
  })

  it("looking again is not the introduction: the place is bound, and has no box", () => {
    expect(told(game, "look")).toBe("Around: nothing.")
  })
})

describe("commands", () => {
  it("are compared exactly after surrounding blanks are taken off", () => {
    expect(told(game, "\t walk to chest 1\n")).toBe("Now at chest 1. chest 1 is shut.")
    for (const wrong of ["Look", "look.", "walk to  chest 1", "walk to chest", "walk to chest 01", "", "> look"]) {
      expect(told(game, wrong)).toBe("Nothing happens.")
    }
  })

  it("that are not admissible change nothing but give a score", () => {
    const first = start(game)
    const second = after(game, "fly to moon 1")
    expect(second).toEqual({ ...first, observation: "Nothing happens.", score: 0 })
  })

  it("are sorted by code point, so that 10 comes before 2", () => {
    const many = Array.from({ length: 11 }, (_, index) => `Nook_bar_${String.fromCharCode(97 + index)}`)
    const large = smallGame({
      objects: smallObjects + many.map((name) => `${name} - box`).join(" "),
      init: smallInit + many.map((name) => `(boxAt ${name} l_1)`).join(" ")
    })
    const commands = start(large).admissibleCommands.filter((command) => command.includes("nook"))
    expect(commands.slice(0, 4)).toEqual(["walk to nook 1", "walk to nook 10", "walk to nook 11", "walk to nook 2"])
  })

  it("stand once in the list even when several operators share them", () => {
    const twice = smallGame({ init: `${smallInit} (inBox Lamp_bar_1 Shelf_bar__minus_1)` })
    const commands = after(twice, "walk to shelf 1").admissibleCommands
    expect(commands.filter((command) => command === "flip lamp 1")).toHaveLength(1)
  })

  it("lose the blanks that Python's strip takes off, and no others", () => {
    expect(strip("\u001c\u0085\u00a0 look \u3000\u2028\u001f")).toBe("look")
    expect(strip("\ufefflook\u200b")).toBe("\ufefflook\u200b")
  })
})

describe("walking", () => {
  it("to any box at the present place is not offered, neighbours included", () => {
    const state = after(game, "walk to shelf 2")
    expect(state.admissibleCommands).not.toContain("walk to shelf 2")
    expect(state.admissibleCommands).not.toContain("walk to shelf 1")
    expect(told(game, "walk to shelf 2", "walk to shelf 1")).toBe("Nothing happens.")
  })

  it("leaves every box at the place in reach", () => {
    expect(after(game, "walk to shelf 2").admissibleCommands).toEqual([
      "bag",
      "flip lamp 1",
      "look",
      "study shelf 1",
      "study shelf 2",
      "take ball 2 from shelf 2",
      "take knife 1 from shelf 1",
      "take odd 1 from shelf 2",
      "walk to chest 1"
    ])
  })
})

describe("studying a thing", () => {
  it("is possible in hand only: the type \"place,\" has no members", () => {
    expect(after(game, "walk to shelf 1").admissibleCommands).not.toContain("study ball 2")
    expect(after(game, "walk to shelf 1", "take ball 2 from shelf 2").admissibleCommands).toContain("study ball 2")
  })
})

describe("lids", () => {
  it("hide what is inside from texts and from taking, but not from what looks at places only", () => {
    const state = after(game, "walk to shelf 1", "take knife 1 from shelf 1", "walk to chest 1")
    expect(state.observation).toBe("Now at chest 1. chest 1 is shut.")
    const soft = smallGame({ init: `${smallInit} (soft Ball_bar_2)` })
    const commands = after(soft, "walk to shelf 1", "take knife 1 from shelf 1", "walk to chest 1").admissibleCommands
    expect(commands).toContain("cut ball 1 with knife 1")
    expect(told(game, "walk to chest 1", "open chest 1")).toBe("Opened chest 1. In chest 1: a ball 1.")
    expect(told(game, "walk to chest 1", "open chest 1", "shut chest 1", "study chest 1")).toBe("chest 1 is shut.")
  })
})

describe("lists", () => {
  it("have a comma before \"and\" even for two items, and \"nothing\" for none", () => {
    const states = play(game, "walk to shelf 1", "take knife 1 from shelf 1", "study shelf 1", "study shelf 2", "bag")
    expect(states.map((state) => state.observation)).toEqual([
      "Now at shelf 1. On shelf 1: a knife 1, and a lamp 1.",
      "Took knife 1 from shelf 1.",
      "On shelf 1: a lamp 1.",
      "On shelf 2: a ball 2, and a odd 1.",
      "Carrying a knife 1."
    ])
    expect(told(game, "bag")).toBe("Carrying nothing.")
  })
})

describe("carrying", () => {
  it("takes one thing at a time", () => {
    const state = after(game, "walk to shelf 1", "take knife 1 from shelf 1")
    expect(state.admissibleCommands.filter((command) => command.startsWith("take"))).toEqual([])
  })

  it("never puts down a thing without a kind", () => {
    const state = after(game, "walk to shelf 1", "take odd 1 from shelf 2")
    expect(state.admissibleCommands.filter((command) => command.startsWith("put"))).toEqual([])
  })

  it("puts things only where the game's own table allows", () => {
    const state = after(game, "walk to shelf 1", "take knife 1 from shelf 1")
    const puts = state.admissibleCommands.filter((command) => command.startsWith("put"))
    expect(puts).toEqual(["put knife 1 into shelf 1"])
  })
})

describe("things in several boxes at once", () => {
  const shared = smallGame({ init: `${smallInit} (inBox Ball_bar_1 Chest_bar_1)` })

  it("leave only the box they are taken from, and can be taken again", () => {
    const state = after(shared, "walk to shelf 1", "take ball 2 from shelf 2", "walk to chest 1", "open chest 1")
    expect(state.observation).toBe("Opened chest 1. In chest 1: a ball 2, and a ball 1.")
    const again = after(
      shared,
      ...["walk to shelf 1", "take ball 2 from shelf 2", "put ball 2 into shelf 1"],
      ...["walk to chest 1", "open chest 1", "take ball 2 from chest 1"]
    )
    expect(again.observation).toBe("Took ball 2 from chest 1.")
  })

  it("count for the goal wherever they are", () => {
    expect(start(shared).won).toBe(true)
    expect(start(shared).done).toBe(true)
  })
})

describe("what is said of things left beside boxes", () => {
  it("remembers each box that a thing was taken from, until it is put back", () => {
    const moved = ["walk to shelf 1", "take ball 2 from shelf 2", "put ball 2 into shelf 1"] as const
    expect(told(game, "walk to shelf 1", "look")).toBe("At shelf 2, and shelf 1. Beside: nothing.")
    expect(told(game, ...moved, "look")).toBe("At shelf 2, and shelf 1. Beside: a ball 2.")
    expect(told(game, ...moved, "take ball 2 from shelf 1", "look")).toBe("At shelf 2, and shelf 1. Beside: nothing.")
    expect(told(game, ...moved, "take ball 2 from shelf 1", "put ball 2 into shelf 2", "look")).toBe(
      "At shelf 2, and shelf 1. Beside: a ball 2."
    )
    expect(told(game, "walk to shelf 1", "take ball 2 from shelf 2", "put ball 2 into shelf 2", "look")).toBe(
      "At shelf 2, and shelf 1. Beside: nothing."
    )
  })

  it("starts without memories", () => {
    expect(told(game, "walk to chest 1", "look")).toBe("At chest 1. Beside: nothing.")
  })
})

describe("where things are", () => {
  it("can disagree with their box: taking and putting change the fact of the present place only", () => {
    const odd = smallGame({ init: smallInit.replace("(thingAt Ball_bar_1 l_2)", "(thingAt Ball_bar_1 l_1)") })
    const withKnife = ["walk to shelf 1", "take knife 1 from shelf 1"] as const
    expect(after(odd, ...withKnife).admissibleCommands).not.toContain("cut ball 2 with knife 1")
    expect(after(odd, ...withKnife, "walk to chest 1").admissibleCommands).toContain("cut ball 2 with knife 1")
    const both = ["walk to shelf 1", "take ball 2 from shelf 2", "put ball 2 into shelf 2", "take knife 1 from shelf 1"]
    expect(after(odd, ...both).admissibleCommands).toContain("cut ball 2 with knife 1")
    expect(after(odd, ...both, "walk to chest 1").admissibleCommands).toContain("cut ball 2 with knife 1")
  })
})

describe("conditional effects", () => {
  it("change the world by their conditions, but texts follow all of them, deletions last", () => {
    expect(told(game, "walk to shelf 1", "flip lamp 1")).toBe("lamp 1 is said to be off.")
    expect(told(game, "walk to shelf 1", "flip lamp 1", "flip lamp 1")).toBe("lamp 1 is said to be off.")
    const lit = smallGame({ goal: "(and (on Lamp_bar_1))" })
    expect(play(lit, "walk to shelf 1", "flip lamp 1", "flip lamp 1", "flip lamp 1").map(({ won }) => won)).toEqual(
      [false, true, false, true]
    )
  })
})

describe("winning", () => {
  const commands = [
    ...["walk to shelf 1", "take ball 2 from shelf 2", "walk to chest 1", "open chest 1", "put ball 2 into chest 1"],
    ...["look", "take ball 1 from chest 1", "nonsense", "put ball 1 into chest 1"]
  ]

  it("does not end a game, and can be undone", () => {
    const states = play(game, ...commands)
    expect(states.map(({ won }) => won)).toEqual([false, false, false, false, true, true, false, false, true])
    expect(states.map(({ score }) => score)).toEqual([0, 0, 0, 0, 1, 1, 0, 0, 1])
    expect(states.every(({ done, won }) => done === won)).toBe(true)
  })

  it("takes two different things where the goal says so", () => {
    const one = smallGame({ init: smallInit.replace("(inBox Ball_bar_2 Chest_bar_1)", "") })
    expect(after(one, ...commands.slice(0, 5)).won).toBe(false)
  })

  it("understands forall, or, imply and constants that no object bears", () => {
    const wins = (goal: string): boolean => start(smallGame({ goal })).won
    expect(wins("(and (forall (?b - box) (not (open ?b))))")).toBe(true)
    expect(wins("(forall (?b - box) (lidded ?b))")).toBe(false)
    expect(wins("(or (open Chest_bar_1) (lidded Chest_bar_1))")).toBe(true)
    expect(wins("(imply (open Chest_bar_1) (cut Ball_bar_1))")).toBe(true)
    expect(wins("(imply (lidded Chest_bar_1) (cut Ball_bar_1))")).toBe(false)
    expect(wins("(not (exists (?x - object) (carries p1 ?x)))")).toBe(true)
    expect(wins("(kindOf Ball_bar_1 NoSuchKind)")).toBe(false)
    expect(wins("(not (kindOf Ball_bar_1 NoSuchKind))")).toBe(true)
    expect(wins("(exists (?x - nosuchtype) (seen ?x))")).toBe(false)
    expect(wins("(exists (?x - object ?y - object) (and (= ?x ?y) (cut ?x)))")).toBe(false)
    expect(wins("()")).toBe(true)
  })
})

describe("names", () => {
  it("count down in the order of lower-case ids, minus before plus, placeholders left out", () => {
    expect(told(game, "walk to shelf 2", "look")).toContain("shelf 2, and shelf 1")
    expect(told(game, "walk to shelf 2")).toBe("Now at shelf 2. On shelf 2: a ball 2, and a odd 1.")
  })
})

describe("operators", () => {
  it("do not depend on the order of facts or on duplicates", () => {
    const facts = smallInit.split("(").slice(1).map((fact) => `(${fact.trim()}`)
    const reversed = smallGame({ init: [...facts.reverse(), ...facts].join("\n") })
    expect(start(reversed)).toMatchObject({
      observation: start(game).observation,
      admissibleCommands: start(game).admissibleCommands
    })
  })

  it("whose template asks for changing facts are written anew in every state", () => {
    const actions = smallActions.replace(
      "template :: \"bag\"",
      "template :: \"bag with [{o.name | carries(p:person, o:object)}]\""
    )
    const changing = smallGame({ actions })
    expect(start(changing).admissibleCommands).toContain("bag with nothing")
    const carrying = after(changing, "walk to shelf 1", "take ball 2 from shelf 2")
    expect(carrying.admissibleCommands).toContain("bag with ball 2")
  })
})

describe("states", () => {
  it("are values: branches from one state do not see each other", () => {
    const fork = after(game, "walk to shelf 1")
    const left = Either.getOrThrow(step(game, fork, "take ball 2 from shelf 2"))
    const right = Either.getOrThrow(step(game, fork, "take knife 1 from shelf 1"))
    expect(Either.getOrThrow(step(game, left, "bag")).observation).toBe("Carrying a ball 2.")
    expect(Either.getOrThrow(step(game, right, "bag")).observation).toBe("Carrying a knife 1.")
    expect(Either.getOrThrow(step(game, fork, "bag")).observation).toBe("Carrying nothing.")
  })

  it("on any walk: commands are sorted and unique, each does something, and the same walk repeats itself", () => {
    const choices = FastCheck.array(FastCheck.nat({ max: 1000 }), { maxLength: 40 })
    FastCheck.assert(FastCheck.property(choices, (numbers) => {
      const walk = (): ReadonlyArray<unknown> => {
        let state = start(smallGame())
        return numbers.map((number) => {
          const { admissibleCommands } = state
          expect(admissibleCommands).toEqual([...new Set(admissibleCommands)].sort())
          const command = admissibleCommands[number % admissibleCommands.length] ?? "look"
          state = Either.getOrThrow(step(game, state, command))
          expect(state.observation).not.toBe("Nothing happens.")
          return [state.observation, state.admissibleCommands, state.won]
        })
      }
      expect(walk()).toEqual(walk())
    }), { numRuns: 30 })
  })
})
