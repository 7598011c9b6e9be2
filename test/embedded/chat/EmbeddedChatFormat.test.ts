import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { taskTypes } from "../../../src/domain/Game.js"
import * as EmbeddedChatFormat from "../../../src/embedded/chat/EmbeddedChatFormat.js"
import * as Hints from "../../../src/embedded/chat/Hints.js"
import { encodeWords, marker } from "../../../src/embedded/chat/Vocabulary.js"
import { ChatFormat } from "../../../src/services/ChatFormat.js"
import { SkillBank } from "../../../src/services/SkillBank.js"

const opening = {
  task: "put a hot cup in cabinet.",
  observation: "You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, and a " +
    "fridge 1.\n\nYour task is to: put a hot cup in cabinet.",
  admissibleCommands: ["go to fridge 1", "look"]
}
const words = (text: string): Array<number> => encodeWords(text.split(" "))

it.layer(EmbeddedChatFormat.layer)("EmbeddedChatFormat", (it) => {
  it.effect("writes a conversation", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const start = yield* chat.start(opening)
      expect(chat.decode(start)).toBe("<bos> <task> put a hot cup in cabinet <obs> room cabinet 2 fridge 1 <act>")
      const action = [...words("go to fridge 1"), marker.end]
      const result = { text: "You arrive at fridge 1. The fridge 1 is closed.", admissibleCommands: ["open fridge 1"] }
      expect(chat.decode(yield* chat.extend(action, result))).toBe("fridge 1 closed <act>")
      expect(chat.parse(action)).toEqual({ _tag: "Command", command: "go to fridge 1" })
    }))

  it.effect("puts a skill text right after <bos> and changes nothing behind it", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const start = yield* chat.start(opening)
      for (const taskType of taskTypes) {
        const hint = Hints.hintFor(taskType)
        const hinted = yield* chat.startWithSkill(opening, hint)
        expect(chat.decode(hinted)).toBe(`<bos> <hint> ${hint} </hint> ${chat.decode(start.slice(1))}`)
        expect(hinted).not.toContain(marker.unknown)
      }
    }))

  it.effect("refuses a skill text of words it cannot read", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const error = yield* Effect.flip(chat.startWithSkill(opening, "be methodical and go to fridge"))
      expect(error.message).toContain("methodical")
    }))

  it.effect("closes an action that was cut off", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const action = words("go to fridge 1 to")
      const parsed = chat.parse(action)
      expect(parsed._tag).toBe("Invalid")
      const text = parsed._tag === "Invalid" ? parsed.reason : ""
      const ids = yield* chat.extend(action, { text, admissibleCommands: [] })
      expect(chat.decode(ids)).toBe("<end> nothing happens <act>")
    }))

  it.effect("finds no command in markers, strange ids or nothing", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      for (const action of [[marker.end], [], [marker.action, marker.end], [...words("go"), 9999, marker.end]]) {
        expect(chat.parse(action)._tag).toBe("Invalid")
      }
    }))

  it.effect("reads an unknown word of a task as <unk>", () =>
    Effect.gen(function*() {
      const chat = yield* ChatFormat
      const start = yield* chat.start({ ...opening, task: "water the ficus." })
      expect(chat.decode(start)).toContain("<task> <unk> the <unk> <obs>")
    }))
})

it.layer(Hints.layer)("Hints", (it) => {
  it.effect("have a text for every task type and name a type they lack", () =>
    Effect.gen(function*() {
      const bank = yield* SkillBank
      for (const taskType of taskTypes) expect(yield* bank.skillFor(taskType)).toContain("skill")
      const error = yield* Effect.flip(bank.skillFor("pick_three"))
      expect(error.message).toContain("pick_three")
    }))
})

describe("actionIds", () => {
  it("is what parseAction reads back", () => {
    const command = "move soapbar 3 to bathtubbasin 1"
    expect(EmbeddedChatFormat.parseAction(EmbeddedChatFormat.actionIds(command))).toEqual({ _tag: "Command", command })
  })
})
