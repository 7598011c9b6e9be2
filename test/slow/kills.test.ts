import { describe, expect, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { generator } from "../../src/domain/Randomness.js"

/** Real processes of the built command line, killed without warning at random moments. */
const bin = fileURLToPath(new URL("../../bin/agentopsd.js", import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Runs the command; with `killAfter` (ms) it is killed with SIGKILL then, unless it ended before. */
const run = (args: ReadonlyArray<string>, killAfter?: number): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "ignore", "pipe"] })
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter)
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve({ code, stderr })
    })
  })

const lines = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").trimEnd().split("\n")

const timeless = (line: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).filter(([key]) => !key.startsWith("time/"))))

const inTempFolder = async (use: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "agentopsd-kills-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

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
