import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { observationWords, taskWords } from "../../../src/embedded/chat/Compaction.js"
import { encodeWords, marker, words } from "../../../src/embedded/chat/Vocabulary.js"
import { readObservation } from "../../../src/household/expert/ObservationReading.js"
import { goldenDir, goldenTraces } from "./GoldenTraces.js"

const short = (text: string): string => observationWords(text).join(" ")

describe("observationWords", () => {
  it("lists a room as nouns and counts", () => {
    const intro = "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. " +
      "Looking quickly around you, you see a cabinet 2, a cabinet 1, a fridge 1, and a sinkbasin 1." +
      "\n\nYour task is to: put a hot egg in cabinet."
    expect(short(intro)).toBe("room cabinet 2 fridge 1 sinkbasin 1")
    expect(short("You are in the middle of a room. Looking quickly around you, you see nothing.")).toBe("room nothing")
  })

  it.each([
    ["You arrive at fridge 1. The fridge 1 is closed.", "fridge 1 closed"],
    ["You arrive at loc 7. The fridge 1 is closed.", "fridge 1 closed"],
    ["You arrive at desk 1. On the desk 1, you see a pen 2, and a pen 1.", "on desk 1 : pen 2 pen 1"],
    ["On the desk 1, you see nothing.", "on desk 1 : nothing"],
    ["You open the safe 1. The safe 1 is open. In it, you see a cd 1.", "in safe 1 : cd 1"],
    ["The safe 1 is open. In it, you see nothing.", "in safe 1 : nothing"],
    ["You pick up the pen 2 from the desk 1.", "ok"],
    ["You move the pen 2 to the desk 1.", "ok"],
    ["You put the pen 2 in/on the desk 1.", "ok"],
    ["You close the safe 1.", "ok"],
    ["You turn on the desklamp 1.", "ok"],
    ["You sliced the apple 1 with the knife 2.", "ok"],
    ["You heat the cup 3 using the microwave 1.", "ok"],
    ["You are carrying: a pen 2.", "carrying pen 2"],
    ["You are not carrying anything.", "carrying nothing"],
    ["You are facing the drawer 2, and drawer 1. Next to it, you see nothing.", "facing drawer 2 drawer 1"],
    ["This is a hot and clean sliced apple 3.", "it hot clean sliced"],
    ["This is a cold potato 2.", "it cold"],
    ["This is a normal mug 2. In it, you see a spoon 1.", "it normal"],
    ["There's nothing special about pen 4.", "it normal"],
    ["You walk up to the fridge 1. The fridge 1 is closed.", "fridge 1 closed"],
    ["You walk up to the desk 1. On the desk 1: a pen 2, and a pen 1.", "on desk 1 : pen 2 pen 1"],
    ["You open the safe 1. In the open safe 1: nothing.", "in safe 1 : nothing"],
    ["You take the pen 2 from the desk 1.", "ok"],
    ["You put the pen 2 on the desk 1.", "ok"],
    ["You switch on the desklamp 1.", "ok"],
    ["You clean the mug 1 at the sinkbasin 1.", "ok"],
    ["You slice the apple 1 with the knife 2.", "ok"],
    ["Carrying: nothing.", "carrying nothing"],
    ["You face the drawer 2, and drawer 1. Beside you: nothing.", "facing drawer 2 drawer 1"],
    ["You stand in the middle of the room. Around you: nothing.", "room nothing"],
    ["The apple 3 is hot and clean and sliced.", "it hot clean sliced"],
    ["The mug 2 is normal. In it: a spoon 1.", "it normal"],
    ["The pen 4 is normal.", "it normal"],
    ["Nothing happens.", "nothing happens"],
    ["Nothing happens: the action is empty", "nothing happens"]
  ])("shortens %j", (text, expected) => {
    expect(short(text)).toBe(expected)
  })

  it("keeps the known words of a text of no known wording", () => {
    expect(short("A strange thing happens at the fridge 1!")).toBe("a happens at the fridge 1")
    expect(short("???")).toBe("<unk>")
    expect(observationWords("cabinet 1, ".repeat(500)).length).toBe(64)
  })

  it("never fails, whatever the text", () => {
    FastCheck.assert(FastCheck.property(FastCheck.string(), (text) => {
      const ids = encodeWords(observationWords(text))
      expect(ids.length).toBeGreaterThan(0)
      expect(ids.every((id) => id === marker.unknown || id > marker.hintEnd)).toBe(true)
    }))
  })

  it.skipIf(goldenDir === undefined).each(["traces-2.1.3.jsonl", "traces-extra.jsonl"] as const)(
    "reads every observation of the real engine (%s)",
    (file) => {
      for (const trace of goldenTraces(file)) {
        for (const text of [trace.obs, ...trace.steps.map((step) => step.obs)]) {
          expect(readObservation(text)._tag, text).not.toBe("Unknown")
          expect(encodeWords(observationWords(text)), text).not.toContain(marker.unknown)
        }
      }
    }
  )
})

describe("taskWords", () => {
  it("drops the full stop and nothing else", () => {
    expect(taskWords("find two pen and put them in desk.").join(" ")).toBe("find two pen and put them in desk")
  })

  it.skipIf(goldenDir === undefined)("knows every word of the real games' tasks", () => {
    for (const trace of goldenTraces("traces-2.1.3.jsonl")) {
      const task = trace.obs.slice(trace.obs.indexOf("Your task is to: ") + "Your task is to: ".length)
      expect(encodeWords(taskWords(task)), task).not.toContain(marker.unknown)
    }
  })
})

describe("the vocabulary", () => {
  it("gives each word one id", () => {
    expect(new Set(words).size).toBe(words.length)
  })

  it("reads its structuring words as unknown when a text holds them", () => {
    expect(encodeWords(["<end>", "go"])).toEqual([marker.unknown, words.indexOf("go")])
  })
})
