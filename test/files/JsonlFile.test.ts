import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { openWriter, readRecords } from "../../src/files/JsonlFile.js"

describe("a writer of lines", () => {
  it.scoped("keeps lines whole and in order when many append at once, also when they are interrupted", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = `${yield* fs.makeTempDirectoryScoped()}/lines.jsonl`
      const acknowledged = new Set<number>()
      const writer = yield* openWriter(path)
      const append = (n: number) =>
        Effect.tap(writer.append(`{"n":${n},"text":"${"x".repeat(n)}"}\n`), () => acknowledged.add(n))
      yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) => n % 3 === 0 ? Effect.race(append(n), Effect.yieldNow()) : append(n),
        { concurrency: "unbounded" }
      )
      const Line = Schema.Struct({ n: Schema.Int, text: Schema.String })
      const lines = [...yield* Stream.runCollect(readRecords(Line, path))]
      const numbers = lines.map(({ n }) => n)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect(lines.every(({ n, text }) => text.length === n)).toBe(true)
      for (const n of acknowledged) expect(numbers).toContain(n)
      expect(acknowledged.size).toBeGreaterThan(25)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped.skipIf(!existsSync("/dev/full"))("writes nothing after a write that failed", () =>
    Effect.gen(function*() {
      const writer = yield* openWriter("/dev/full")
      yield* writer.append("")
      const full = yield* Effect.flip(writer.append("{}\n"))
      expect(full.message).toContain("/dev/full: it could not be written (ENOSPC")
      expect((yield* Effect.flip(writer.append("{}\n"))).message).toContain("an earlier write to it failed")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("reads the same memory's worth of a long file as of a short one", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = `${yield* fs.makeTempDirectoryScoped()}/long.jsonl`
      yield* fs.writeFileString(path, "{\"n\":1}\n".repeat(10_000))
      const read: Array<number> = []
      const counted = { ...fs, stream: (...given: Parameters<typeof fs.stream>) =>
        Stream.tap(fs.stream(...given), (bytes) => Effect.sync(() => read.push(bytes.length))) }
      const records = readRecords(Schema.Struct({ n: Schema.Int }), path).pipe(
        Stream.provideService(FileSystem.FileSystem, counted)
      )
      const first = yield* Stream.runCollect(Stream.take(records, 3))
      expect(first.length).toBe(3)
      expect(read.length).toBeLessThan(4)
      expect(yield* Stream.runCount(records)).toBe(10_000)
    }).pipe(Effect.provide(NodeContext.layer)))
})
