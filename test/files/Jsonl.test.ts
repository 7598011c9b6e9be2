import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { EpisodeRecord, MetricsRecord } from "../../src/domain/RunRecords.js"
import type { JsonlItem } from "../../src/files/Jsonl.js"
import { encodeLine, jsonlStart, readChunk } from "../../src/files/Jsonl.js"
import { episode } from "./samples.js"

const bytes = (text: string) => new TextEncoder().encode(text)

/** All items of a file that is read in pieces of the given lengths, over and over. */
const readIn = (file: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<JsonlItem> => {
  const all: Array<JsonlItem> = []
  let position = jsonlStart
  let from = 0
  for (let piece = 0; from < file.length; piece++) {
    const to = from + lengths[piece % lengths.length]
    const [next, items] = readChunk(position, file.subarray(from, to))
    all.push(...items)
    position = next
    from = to
  }
  const [, items] = readChunk(position, undefined)
  return [...all, ...items]
}

const read = (text: string) => readIn(bytes(text), [1 << 20])

describe("reading JSON Lines", () => {
  it("gives lines with their place in bytes, whatever the text", () => {
    const text = "{\"a\":\"é\u2028\"}"
    expect(read(`${text}\n\n[2]\r\n3`)).toEqual([
      { _tag: "Line", number: 1, start: 0, end: 14, terminated: true, text, value: { a: "é\u2028" } },
      { _tag: "Line", number: 3, start: 15, end: 20, terminated: true, text: "[2]\r", value: [2] },
      { _tag: "Line", number: 4, start: 20, end: 21, terminated: false, text: "3", value: 3 }
    ])
  })

  it("takes a last line that is not JSON for torn, and any other for damaged", () => {
    for (const torn of ["{\"a", "{\"a\n", "\0\0\0\0", "\0\0\n\n\n", "é"]) {
      const [first, last] = read(`{}\n${torn}`)
      expect(first._tag).toBe("Line")
      expect(last).toEqual({ _tag: "Torn", number: 2, start: 3, end: 3 + bytes(torn).length })
      expect(read(`${torn}\n{}\n`)[0]).toEqual({ _tag: "Damaged", number: 1, reason: "it is not JSON" })
    }
    const invalid = readIn(Uint8Array.of(34, 0xff, 34, 10, 49, 10), [3])
    expect(invalid[0]).toEqual({ _tag: "Damaged", number: 1, reason: "it is not UTF-8 text" })
  })

  it("does not depend on the pieces in which a file is read", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.oneof(FastCheck.json({ noUnicodeString: false }), FastCheck.constant("{"))),
      FastCheck.array(FastCheck.integer({ min: 1, max: 7 }), { minLength: 1 }),
      FastCheck.boolean(),
      (lines, lengths, closed) => {
        const text = lines.join("\n") + (closed ? "\n" : "")
        expect(readIn(bytes(text), lengths)).toEqual(read(text))
      }
    ))
  })

  it("leaves of a file that was cut anywhere the lines before the cut, and at most one torn", () => {
    const whole = `${JSON.stringify(episode(1, 0))}\n${JSON.stringify(episode(2, 1))}\n{"z":1}\n`
    const file = bytes(whole)
    const ends = read(whole).map((item) => item._tag === "Line" ? item.end : 0)
    for (let cut = 0; cut <= file.length; cut++) {
      const items = readIn(file.subarray(0, cut), [64])
      const lines = items.filter((item) => item._tag === "Line")
      // A line that lacks only its newline is whole.
      expect(lines).toHaveLength(ends.filter((end) => end - 1 <= cut).length)
      const rest = cut - (lines.at(-1)?.end ?? 0)
      expect(items.length - lines.length).toBe(rest > 0 ? 1 : 0)
    }
  })
})

const line = <A, I>(schema: Schema.Schema<A, I>, record: A) => Either.getOrThrow(encodeLine(schema, record))

describe("writing JSON Lines", () => {
  it("gives equal lines for equal records, in the schema's order of keys", () => {
    const record = episode(3, 1)
    const shuffled = Object.fromEntries(Object.entries(record).reverse())
    const same = Schema.decodeUnknownSync(EpisodeRecord)(shuffled)
    expect(line(EpisodeRecord, same)).toBe(line(EpisodeRecord, record))
    expect(line(EpisodeRecord, record).startsWith("{\"step\":3,\"gameId\":")).toBe(true)
    expect(Object.keys(JSON.parse(line(EpisodeRecord, record)))).toEqual(Object.keys(EpisodeRecord.fields))
  })

  it("keeps the order of metrics and begins with the step", () => {
    expect(line(MetricsRecord, { step: 2, "update/z": 0.1 + 0.2, "train/a": -0, "credit/b": 1e21 }))
      .toBe("{\"step\":2,\"update/z\":0.30000000000000004,\"train/a\":0,\"credit/b\":1e+21}\n")
  })

  it("reads every record back", () => {
    const numbers = FastCheck.double({ noNaN: true, noDefaultInfinity: true })
    FastCheck.assert(FastCheck.property(numbers, FastCheck.string({ unit: "binary" }), (number, text) => {
      const base = episode(1, 0)
      const record = { ...base, task: text, turns: [{ ...base.turns[0], logprobs: [number] }] }
      const written = line(EpisodeRecord, record)
      expect(written.indexOf("\n")).toBe(written.length - 1)
      const [item] = read(written)
      expect(item._tag === "Line" && item.value).toEqual(JSON.parse(JSON.stringify(record)))
    }), { numRuns: 20 })
  })

  it("never writes what is not a number: null where the schema allows it, else a refusal that names the place", () => {
    const base = episode(1, 0)
    expect(line(EpisodeRecord, { ...base, teacherLogprobs: [[Number.NaN, Number.NEGATIVE_INFINITY]] }))
      .toContain("\"teacherLogprobs\":[[null,null]]")
    const refused = [
      encodeLine(EpisodeRecord, { ...base, credit: { ...base.credit, prior: Number.NaN } }),
      encodeLine(EpisodeRecord, { ...base, reward: Number.POSITIVE_INFINITY })
    ].map((either) => Either.isLeft(either) ? either.left : "written")
    expect(refused).toEqual(["credit.prior is not a finite number", "reward is not a finite number"])
    expect(Either.isLeft(encodeLine(MetricsRecord, { step: 1, "train/a": Number.NaN }))).toBe(true)
  })
})
