import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { start, step } from "../../src/alfworld/Engine.js"
import { parseGame } from "../../src/alfworld/GameFile.js"
import { after, smallActions, smallGame, smallGameText, smallInit, smallObjects, told } from "./SmallGame.js"

/** What `bag` answers when its feedback is this text; nothing is bound but the person. */
const answer = (feedback: string, rules: Parameters<typeof smallGame>[0] = {}): string =>
  told(
    smallGame({ ...rules, rules: { ...rules.rules, bag: [{ rhs: feedback }] }, actions: bagSays("#bag#") }),
    "bag"
  )

const bagSays = (feedback: string): string =>
  smallActions.replace(/action Bag .*/, `action Bag { template :: "bag"; feedback :: "${feedback}"; }`)

/** The reason for which `bag` cannot be answered. */
const failure = (feedback: string, rules: Parameters<typeof smallGame>[0] = {}): string => {
  const game = smallGame({ ...rules, rules: { ...rules.rules, bag: [{ rhs: feedback }] }, actions: bagSays("#bag#") })
  const result = step(game, start(game), "bag")
  return Either.isLeft(result) ? result.left.reason : `no failure, but ${result.right.observation}`
}

describe("blanks", () => {
  it("at the beginning of a text are swallowed, newlines and comments too; elsewhere they are kept", () => {
    expect(answer(" \n\t a b \n")).toBe("a b \n")
    expect(answer("// not said\n said")).toBe("said")
    expect(answer("a\n\n#task#\n")).toBe("a\n\nYour task is to: put a ball in chest.\n")
    expect(answer("{p.name}  b", {})).toBe("p1   b")
  })

  it("are swallowed in an action's own feedback as well, which may run over lines", () => {
    expect(told(smallGame({ actions: bagSays("\nOne:\n  two\n") }), "bag")).toBe("One:\n  two\n")
  })
})

describe("a text", () => {
  it("may be empty", () => {
    expect(answer("")).toBe("")
    expect(told(smallGame({ actions: bagSays("") }), "bag")).toBe("")
  })

  it("ends silently at the first character that fits nothing", () => {
    expect(answer("a ; b")).toBe("a ")
    expect(answer("x]y")).toBe("x")
    expect(answer("{p.name")).toBe("")
    expect(answer("x}y")).toBe("x")
    expect(answer("a < b")).toBe("a ")
    expect(answer("a | b")).toBe("a ")
    expect(answer("# not a rule")).toBe("")
    expect(answer("[no list]")).toBe("")
    expect(answer("x {} y")).toBe("x ")
  })

  it("loses the quotes around a quoted run", () => {
    expect(answer("say \"a; b\" now")).toBe("say a; b now")
    expect(answer("say \"a")).toBe("say ")
  })
})

describe("expressions", () => {
  it("read names, attributes, strings, sums and choices", () => {
    expect(answer("{p}")).toBe("p1 ")
    expect(answer("{p.id}|{p}")).toBe("p1")
    expect(answer("{p.type}, {p.indefinite}, {p.definite}, {p.desc}")).toBe("person, a, the, None")
    expect(answer("{p.indefinite + ' ' + p.id}")).toBe("a p1")
    expect(answer("{p.desc or p.id}")).toBe("p1")
    expect(answer("{p.id and 'yes'}")).toBe("yes")
    expect(answer("{not p.id}, {not p.desc}")).toBe("False, True")
    expect(answer("{p.id == 'p1'}, {p.id != 'p1'}, {(p.id)}")).toBe("True, False, p1")
    expect(answer("{None}")).toBe("None")
  })

  it("that Python would reject, or that are beyond the supported part, say why", () => {
    expect(failure("{q.name}")).toContain("nothing is bound to \"q\"")
    expect(failure("{p.colour}")).toContain("\"colour\"")
    expect(failure("{p + 'x'}")).toContain("not a string")
    expect(failure("{p.id.upper()}")).toContain("not supported")
    expect(failure("{1 + 2}")).toContain("not supported")
    expect(failure("{p.id +}")).toContain("not supported")
    expect(failure("{p.id if p else 'x'}")).toContain("not supported")
    expect(failure(`{${"(".repeat(60)}p${")".repeat(60)}}`)).toContain("not supported")
    expect(failure(`{${"not ".repeat(60)}p}`)).toContain("not supported")
    expect(failure(`{p.id${" + p.id".repeat(100)}}`)).toContain("not supported")
  })
})

describe("rules", () => {
  it("use the first alternative whose condition has a match, and the condition binds nothing", () => {
    const rules = {
      chosen: [
        { condition: "carries(p:person, o:object)", rhs: "carrying" },
        { condition: "at(p:person, l:place)", rhs: "somewhere" },
        { rhs: "never" }
      ],
      binds: [{ condition: "at(p:person, l:place)", rhs: "{l.name}" }]
    }
    expect(answer("#chosen#", { rules })).toBe("somewhere")
    expect(failure("#binds#", { rules })).toContain("nothing is bound to \"l\"")
  })

  it("are found by their literal name, brackets and commas included", () => {
    expect(answer("#one(a, b)#", { rules: { "one(a, b)": [{ rhs: "found" }] } })).toBe("found")
  })

  it("defined again replace the earlier definition completely", () => {
    const again = bagSays("#thing#") + `grammar :: """{"thing": [{"rhs": "replaced"}]}""";`
    expect(told(smallGame({ actions: again }), "bag")).toBe("replaced")
  })

  it("inside an action may have comment lines", () => {
    const actions = smallActions.replace(
      /action Bag .*/,
      `# A comment.\naction Bag {\n grammar :: """{\n # "own": 1,\n "own": [{"rhs": "own text"}]}""";\n` +
        ` feedback :: "#own#"; # another\n template :: "bag"; pddl :: """ignored""";\n}`
    )
    expect(told(smallGame({ actions }), "bag")).toBe("own text")
  })

  it("that are missing, without an applicable alternative or endless say so", () => {
    expect(failure("#nowhere#")).toBe("the grammar has no rule \"nowhere\"")
    expect(failure("#a#", { rules: { a: [{ condition: "open(b:box)", rhs: "x" }] } })).toContain("no alternative that")
    expect(failure("#a#", { rules: { a: [{ rhs: "x#a#" }] } })).toContain("without end")
    expect(failure("#a#", { rules: { a: [{ rhs: "#b##b#" }], b: [{ rhs: "#a##a#" }] } })).toContain("without end")
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`r${index}`, [{ rhs: `#r${index + 1}##r${index + 1}#` }]])
    )
    expect(failure("#r0#", { rules: { ...doubling, r40: [{ rhs: "x" }] } })).toContain("too many steps")
    const growing = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [`r${index}`, [{ rhs: `#r${index + 1}##r${index + 1}#` }]])
    )
    expect(failure("#r0#", { rules: { ...growing, r14: [{ rhs: "x".repeat(5000) }] } })).toContain("too long")
  })
})

describe("queries", () => {
  it("go from left to right, with facts in the order of their arguments' ids", () => {
    expect(answer("[{b.name | boxat(b:box, l:place)}]")).toBe("chest 1, shelf 2, and shelf 1")
    expect(answer("{b.name | boxat(b:box, l:place)}")).toBe("chest 1shelf 2shelf 1")
    expect(answer("[{o.name | inbox(o:object, b:box) & boxat(b:box, l:place)}]")).toBe(
      "ball 2, ball 1, knife 1, lamp 1, and odd 1"
    )
    expect(answer("[{o.name | boxat(b:box, l:place) & inbox(o:object, b:box)}]")).toBe(
      "ball 1, ball 2, odd 1, knife 1, and lamp 1"
    )
  })

  it("bind different placeholders to different entities, and one placeholder to one", () => {
    const pairs = "[{a.name + b.name | boxat(a:box, l:place) & boxat(b:box, l:place)}]"
    expect(answer(pairs)).toBe("shelf 2shelf 1, and shelf 1shelf 2")
    expect(answer("[{b.name | boxat(b:box, l:place) & boxat(b:box, l:place)}]")).toBe("chest 1, shelf 2, and shelf 1")
  })

  it("tell placeholders apart by their type too, and match exact types only", () => {
    expect(answer("[{b.name | boxat(b:object, l:place)}]")).toBe("nothing")
    expect(answer("[{p.name | at(p:box, l:place)}]")).toBe("nothing")
    expect(answer("[{box.name | boxat(box, place)}]")).toBe("chest 1, shelf 2, and shelf 1")
  })

  it("find nothing for predicates that do not exist or have other arguments", () => {
    expect(answer("[{b.name | nosuch(b:box)}]")).toBe("nothing")
    expect(answer("[{b.name | lidded(b:box, l:place)}]")).toBe("nothing")
    expect(answer("[{b.name | !nosuch(b:box)}]")).toBe("nothing")
  })

  it("leave a name bound as it was, once they are done", () => {
    expect(answer("{p.id + ' ' | at(p:person, l:place)}{p.id}")).toBe("p1 p1")
  })

  it("that are malformed say so", () => {
    for (const query of ["boxat(b:box", "boxat", "boxat(b:box) &", "& boxat(b:box)", "boxat(b: )", "boxat(a b)"]) {
      expect(failure(`[{b.name | ${query}}]`)).toContain("malformed")
    }
  })
})

describe("names", () => {
  it("add \"basin\" to the class wherever the id contains it", () => {
    const objects = `${smallObjects} Sink_bar_1 - box Sink_bar_1_bar_SinkBasin - box Basinette_bar_1 - box`
    const names = ["Sink_bar_1", "Sink_bar_1_bar_SinkBasin", "Basinette_bar_1"]
    const game = smallGame({ objects, init: smallInit + names.map((name) => `(boxAt ${name} l_1)`).join(" ") })
    expect(told(game, "walk to sink 1", "look")).toBe(
      "At basinettebasin 1, chest 1, sink 1, and sinkbasin 1. Beside: nothing."
    )
  })

  it("count only entities that occur in a fact", () => {
    const objects = `${smallObjects} Shelf_bar__plus_9 - box`
    expect(told(smallGame({ objects }), "walk to shelf 2", "look")).toContain("shelf 2, and shelf 1")
  })

  it("are the id and a blank for ids without coordinates", () => {
    expect(answer("<{p}>")).toBe("")
    expect(answer("\"<\"{p}\">\"")).toBe("<p1 >")
  })

  it("follow lower-case ids, whatever their case in the file", () => {
    const text = smallGameText({ objects: smallObjects.toUpperCase() }).replaceAll("- PLACE", "- place")
    const game = Either.getOrThrow(parseGame(text, "small"))
    expect(start(game).observation).toBe(start(smallGame()).observation)
  })
})

describe("the task", () => {
  it("is everything after \"Your task is to: \", with its full stop", () => {
    const task = (rhs: string): string => smallGame({ rules: { task: [{ rhs }] } }).task
    expect(task("Your task is to: find it.  ")).toBe("find it.")
    expect(task("Your task is to: find it, then\nhide it.")).toBe("find it, then\nhide it.")
  })
})

describe("extra actions of the grammar", () => {
  it("for which the domain has no action are ignored", () => {
    const actions = `${smallActions} action Sing { template :: "sing {x}"; feedback :: "#nowhere#"; }`
    expect(after(smallGame({ actions }), "sing").observation).toBe("Nothing happens.")
  })
})
