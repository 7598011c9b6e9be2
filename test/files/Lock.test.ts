import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Random from "effect/Random"
import { build } from "esbuild"
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { holdLock } from "../../src/files/Lock.js"
import { Processes, readProcessStat } from "../../src/files/LockOwner.js"
import { MemoryDisk } from "./MemoryDisk.js"

const folder = mkdtempSync(join(tmpdir(), "agentopsd-lock-"))
const program = join(folder, "process.mjs")
const started: Array<ChildProcess> = []

/** A real process that takes and releases locks when it is told to. */
const startProcess = async () => {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] })
  started.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<string> => String((await lines.next()).value)
  expect(await read()).toBe("ready")
  return {
    pid: child.pid,
    ask: (line: string) => {
      child.stdin.write(`${line}\n`)
      return read()
    },
    kill: () =>
      new Promise<void>((resolve) => {
        child.once("close", () => resolve())
        child.kill("SIGKILL")
      })
  }
}

beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL("./LockProcess.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }
  }), 60_000)

afterAll(() => {
  for (const child of started) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

const quiet = Logger.withMinimumLogLevel(LogLevel.None)

const take = (lock: string) => holdLock(lock).pipe(Effect.provide(NodeContext.layer), quiet)

const ownerText = (changes: object) =>
  JSON.stringify({ id: "left-behind", pid: process.pid, host: hostname(), boot: null, started: null, ...changes })

describe("a lock between processes", () => {
  it("is held by one process, refused to others by name, and free after its release", async () => {
    const lock = join(folder, "one.lock")
    const [one, other] = await Promise.all([startProcess(), startProcess()])
    expect(await one.ask(lock)).toBe("held")
    const refused = await other.ask(lock)
    expect(refused).toContain(`process ${one.pid} is using it`)
    expect(refused).toContain(`Wait until process ${one.pid} has ended`)
    expect(await one.ask("")).toBe("released")
    expect(existsSync(lock)).toBe(false)
    expect(await other.ask(lock)).toBe("held")
  })

  it("of a killed process goes to one of several that want it at once, again and again", async () => {
    const contenders = await Promise.all([startProcess(), startProcess(), startProcess()])
    for (let round = 0; round < 8; round++) {
      const lock = join(folder, `killed-${round}.lock`)
      if (round === 0) {
        const owner = await startProcess()
        expect(await owner.ask(lock)).toBe("held")
        await owner.kill()
        expect(existsSync(lock)).toBe(true)
      } else {
        writeFileSync(lock, ownerText({ started: "before" }))
        if (round % 2 === 0) writeFileSync(`${lock}.left-behind`, ownerText({ id: "second", pid: 4_194_304 }))
      }
      const answers = await Promise.all(contenders.map((contender) => contender.ask(lock)))
      expect(answers.filter((answer) => answer === "held"), answers.join("\n")).toHaveLength(1)
      await Promise.all(contenders.map((contender) => contender.ask("")))
      expect(readdirSync(folder).filter((name) => name.startsWith(`killed-${round}`))).toEqual([])
    }
  })
})

describe("a lock in one process", () => {
  it.effect("is refused to the process that holds it", () =>
    Effect.gen(function*() {
      const lock = join(folder, "own.lock")
      yield* take(lock)
      const error = yield* Effect.flip(Effect.scoped(take(lock)))
      expect(error.message).toContain(`this process (${process.pid}) is using it already`)
    }).pipe(Effect.scoped))

  it.effect("is taken over where the number was given to a later process, or the machine restarted", () =>
    Effect.gen(function*() {
      for (const changes of [{ started: "1" }, { boot: "an earlier boot" }, { pid: 4_194_304 }]) {
        const lock = join(folder, "stale.lock")
        writeFileSync(lock, ownerText(changes))
        yield* Effect.scoped(Effect.zipRight(
          take(lock),
          Effect.sync(() => expect(readFileSync(lock, "utf8")).toContain(`"pid":${process.pid}`))
        ))
        expect(existsSync(lock)).toBe(false)
      }
    }))

  it.effect("of another machine, or without an owner, is left to a person", () =>
    Effect.gen(function*() {
      const lock = join(folder, "strange.lock")
      writeFileSync(lock, ownerText({ host: "elsewhere", pid: 4_194_304 }))
      expect((yield* Effect.flip(Effect.scoped(take(lock)))).message).toContain("on elsewhere")
      for (const text of ["", "{", "12"]) {
        writeFileSync(lock, text)
        expect((yield* Effect.flip(Effect.scoped(take(lock)))).message).toContain("remove the file")
      }
    }))

  it.effect("works where the file system has no hard links", () =>
    Effect.gen(function*() {
      const lock = join(folder, "unlinked.lock")
      const fs = yield* FileSystem.FileSystem
      const noLinks = { ...fs, link: () => fs.link("/dev/null/absent", "/dev/null/absent") }
      const first = holdLock(lock).pipe(Effect.provideService(FileSystem.FileSystem, noLinks))
      yield* first
      expect((yield* Effect.flip(Effect.scoped(first))).message).toContain("is using it already")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it("reads a process's state behind any program name", () => {
    const rest = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20"
    expect(readProcessStat(`12 (a) Z) ) S ${rest}`)).toEqual({ state: "S", started: "4711" })
    expect(readProcessStat("")).toBeUndefined()
  })
})

/**
 * Many processes on one disk whose operations are interleaved at random, some ending in the middle of one. At no time
 * may two living ones hold the lock, and it must never be stuck.
 */
const contend = (seed: string) =>
  Effect.gen(function*() {
    const disk = new MemoryDisk()
    disk.write("/runs/run.lock", ownerText({ id: "gone", pid: 0 }))
    const alive = new Set<string>()
    const holding = new Set<string>()
    let taken = 0
    const pause = Effect.flatMap(Random.nextIntBetween(0, 4), (times) => Effect.repeatN(Effect.yieldNow(), times))

    const contender = (id: string) =>
      Effect.gen(function*() {
        const crashes = yield* Random.nextBoolean
        const crashAt = yield* Random.nextIntBetween(0, 9)
        const { fileSystem } = disk.open({ pause, ...(crashes ? { crashAt } : {}) })
        alive.add(id)
        const use = Effect.gen(function*() {
          yield* holdLock("/runs/run.lock")
          holding.add(id)
          taken++
          expect([...holding].filter((other) => alive.has(other))).toEqual([id])
          yield* pause
          yield* pause
          holding.delete(id)
        })
        const exit = yield* Effect.exit(Effect.scoped(use)).pipe(
          Effect.provide(Layer.merge(Layer.succeed(FileSystem.FileSystem, fileSystem), Path.layer)),
          Effect.provideService(Processes, {
            current: Effect.succeed({ id, pid: 1, host: "here", boot: null, started: null }),
            liveness: (owner) => Effect.succeed(alive.has(owner.id) ? "alive" : "dead")
          })
        )
        alive.delete(id)
        holding.delete(id)
        return exit
      })

    const exits = yield* Effect.forEach(
      Array.from({ length: 24 }, (_, i) => i),
      (i) => Effect.zipRight(Effect.repeatN(Effect.yieldNow(), i * 3), contender(`process-${i}`)),
      { concurrency: "unbounded" }
    )
    const strange = exits.filter((exit) =>
      Exit.isFailure(exit) && !/crashed|is using it/.test(String(exit.cause))
    )
    expect(strange).toEqual([])
    expect(taken).toBeGreaterThan(0)
    yield* Effect.scoped(contender("last"))
    return taken
  }).pipe(Effect.withRandom(Random.make(seed)), quiet, Effect.withTracerEnabled(false))

describe("a lock under random interleavings", () => {
  it.effect("is never held twice and never stuck", () =>
    Effect.gen(function*() {
      for (let seed = 0; seed < 12; seed++) yield* contend(`seed ${seed}`)
    }))
})
