import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The command as npm links it. */
export const bin = join(root, "bin/agentopsd.js")

/** What a finished process left. */
export interface Finished {
  /** The exit code; 128 + the signal's number where a signal ended it, as a shell has it. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A running process. */
export interface Started {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** Waits until stderr holds a text; fails if the process ends before. */
  readonly stderrHas: (text: string) => Promise<void>
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** Starts a program with a clean environment: PATH and what the options give. */
export const start = (program: string, args: ReadonlyArray<string>, options: CommandOptions = {}): Started => {
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  const waiting = new Set<() => void>()
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    for (const look of waiting) look()
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      resolve({ code: signal === null ? code ?? -1 : 128 + (signalNumbers[signal] ?? 0), stdout, stderr })
    })
  })
  const stderrHas = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!stderr.includes(text)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      void finished.then(() => reject(new Error(`ended without ${JSON.stringify(text)}:\n${stderr}`)))
    })
  return { child, finished, stderrHas }
}

/** Starts the built command. */
export const startAgentopsd = (args: ReadonlyArray<string>, options: CommandOptions = {}): Started =>
  start(process.execPath, [bin, ...args], options)

/** Runs the built command to its end. */
export const agentopsd = (args: ReadonlyArray<string>, options: CommandOptions = {}): Promise<Finished> =>
  startAgentopsd(args, options).finished

/** Builds what the command loads, unless it is there and new. */
export const buildCommand = async (): Promise<void> => {
  const { code, stderr } = await start(process.execPath, [join(root, "bin/build.mjs"), "--if-stale"]).finished
  if (code !== 0) throw new Error(`the build failed:\n${stderr}`)
}

/** Calls a function with a new folder that is removed afterwards. */
export const withFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "agentopsd-cli-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
