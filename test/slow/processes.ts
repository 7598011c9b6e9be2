import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../../bin/agentopsd.js", import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Runs the built command line in a process; with `killAfter` (ms) it is killed with SIGKILL then, unless it ended before. */
export const run = (args: ReadonlyArray<string>, killAfter?: number): Promise<Ended> =>
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

export const lines = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").trimEnd().split("\n")

/** A line of metrics without what differs between equal runs. */
export const timeless = (line: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).filter(([key]) => !key.startsWith("time/"))))

export const inTempFolder = async (use: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "agentopsd-kills-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
