import { describe, expect, it } from "@effect/vitest"
import { join } from "node:path"
import { inTempFolder, lines, run, timeless } from "./processes.js"

const concurrencies = ["1", "7", "64"]

describe("concurrency changes no record (design invariant 4)", () => {
  it("of a training run with the embedded policy", () =>
    inTempFolder(async (folder) => {
      const recorded = []
      for (const concurrency of concurrencies) {
        const ended = await run([
          "train",
          ...["--run-dir", join(folder, concurrency), "--run-name", "run", "--seed", "5", "--max-steps", "3"],
          ...["--tasks-per-update", "4", "--group-size", "4", "--max-turns", "15"],
          ...["--rollout-concurrency", concurrency, "--teacher-concurrency", concurrency]
        ])
        expect(ended).toMatchObject({ code: 0 })
        const files = join(folder, concurrency, "run")
        recorded.push({
          metrics: lines(join(files, "metrics.jsonl")).map(timeless),
          episodes: lines(join(files, "episodes.jsonl"))
        })
      }
      expect(recorded[0].episodes.length).toBe(48)
      expect(recorded[1]).toEqual(recorded[0])
      expect(recorded[2]).toEqual(recorded[0])
    }))

  it("of an evaluation", () =>
    inTempFolder(async (folder) => {
      const recorded = []
      for (const concurrency of concurrencies) {
        const output = join(folder, `${concurrency}.jsonl`)
        const ended = await run(
          ["eval", "--output", output, "--limit-per-split", "12", "--max-turns", "20", "--games-per-batch", concurrency]
        )
        expect(ended).toMatchObject({ code: 0 })
        recorded.push(lines(output).slice(1))
      }
      expect(recorded[0].length).toBe(25)
      expect(recorded[1]).toEqual(recorded[0])
      expect(recorded[2]).toEqual(recorded[0])
    }))
})
