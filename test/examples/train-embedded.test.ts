import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { program } from "../../docs/examples/train-embedded.js"

it.scoped("the documented training program trains the embedded policy and records its run", () =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const { checkpoint, metrics } = yield* program(folder)
    expect(metrics.length).toBe(2)
    expect(checkpoint?.samplerPath).toBe("embedded://example/weights/step-000002")
    expect((yield* fs.readFileString(`${folder}/example/metrics.jsonl`)).trimEnd().split("\n").length).toBe(2)
  }).pipe(Effect.provide(NodeContext.layer)))
