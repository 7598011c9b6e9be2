import { describe, expect, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { generator } from "../../src/domain/Randomness.js"
import { inTempFolder, lines, run, timeless } from "./processes.js"

const kills = 50

describe("SIGKILL at random moments (design invariant 6)", () => {
  it(`a 20-update run killed ${kills} times records what an undisturbed one does`, () =>
    inTempFolder(async (folder) => {
      const settings = (runDir: string) => [
        "train",
        ...["--run-dir", join(folder, runDir), "--run-name", "kills", "--seed", "3"],
        ...["--max-steps", "20", "--tasks-per-update", "2", "--group-size", "4", "--max-turns", "12"],
        ...["--save-every", "1"]
      ]
      const recordsOf = (runDir: string) => ({
        metrics: lines(join(folder, runDir, "kills", "metrics.jsonl")).map(timeless),
        episodes: lines(join(folder, runDir, "kills", "episodes.jsonl"))
      })
      const started = performance.now()
      expect(await run(settings("undisturbed"))).toMatchObject({ code: 0 })
      const wholeTime = performance.now() - started
      const undisturbed = recordsOf("undisturbed")
      expect(undisturbed.metrics.length).toBe(20)

      const random = generator(20)
      let killed = 0
      for (let attempt = 0; killed < kills; attempt++) {
        const runDir = `disturbed-${attempt}`
        let code: number | null = null
        while (code !== 0) {
          const resume = existsSync(join(folder, runDir, "kills", "config.json"))
          const args = resume ? ["train", "--run-dir", join(folder, runDir), "--resume", "kills"] : settings(runDir)
          const ended = await run(args, killed < kills ? random() * wholeTime * 0.3 : undefined)
          if (ended.code !== 0 && ended.code !== null) throw new Error(ended.stderr)
          if (ended.code === null) killed++
          code = ended.code
        }
        expect(recordsOf(runDir)).toEqual(undisturbed)
      }
    }), 1_800_000)

  it(`an evaluation killed ${kills} times ends with the undisturbed file`, () =>
    inTempFolder(async (folder) => {
      const settings = (output: string) => [
        "eval",
        ...["--output", join(folder, output), "--limit-per-split", "40", "--max-turns", "30", "--seed", "3"],
        ...["--temperature", "1", "--games-per-batch", "8"]
      ]
      const started = performance.now()
      expect(await run(settings("undisturbed.jsonl"))).toMatchObject({ code: 0 })
      const wholeTime = performance.now() - started
      const recordsOf = (output: string) => lines(join(folder, output)).slice(1)
      const undisturbed = recordsOf("undisturbed.jsonl")
      expect(undisturbed.length).toBe(81)

      const random = generator(21)
      let killed = 0
      for (let attempt = 0; killed < kills; attempt++) {
        const output = `disturbed-${attempt}.jsonl`
        let code: number | null = null
        while (code !== 0) {
          const ended = await run(settings(output), killed < kills ? random() * wholeTime * 0.5 : undefined)
          if (ended.code !== 0 && ended.code !== null) throw new Error(ended.stderr)
          if (ended.code === null) killed++
          code = ended.code
        }
        expect(recordsOf(output)).toEqual(undisturbed)
      }
    }), 1_800_000)
})
