/**
 * Resident memory over 50 updates of the embedded policy: it is in proportion to trajectories in flight, not to the
 * run's length.
 *
 *     npx tsx --expose-gc bench/memory.ts
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { program, settings } from "../docs/examples/train-embedded.js"
import { Progress } from "../src/services/Progress.js"

const folder = mkdtempSync(join(tmpdir(), "agentopsd-memory-"))
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

await program(folder, { ...settings, maxSteps: 50, saveEvery: 10 }).pipe(
  Effect.provideService(Progress, {
    report: (event) =>
      Effect.sync(() => {
        if (event._tag !== "UpdateFinished" || event.step % 5 !== 0) return
        globalThis.gc?.()
        const { heapUsed, rss } = process.memoryUsage()
        console.log(`update ${event.step}: resident ${megabytes(rss)}, heap ${megabytes(heapUsed)}`)
      })
  }),
  Effect.provide(NodeContext.layer),
  Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true }))),
  Effect.runPromise
)
