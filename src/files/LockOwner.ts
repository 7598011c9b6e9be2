import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

/** The process that holds a lock, told apart from any later process that is given the same number. */
export const LockOwner = Schema.Struct({
  /** Different for every acquisition. */
  id: Schema.String,
  pid: Schema.Int,
  host: Schema.String,
  /** The kernel's name for the time since it was started; `null` where the system does not tell. */
  boot: Schema.NullOr(Schema.String),
  /** When the process started, in the kernel's ticks since boot; `null` where the system does not tell. */
  started: Schema.NullOr(Schema.String)
})
export type LockOwner = typeof LockOwner.Type

/** `elsewhere`: the owner is on another machine, whose processes cannot be seen from here. */
export type Liveness = "alive" | "dead" | "elsewhere"

/** State letter and start time from the text of `/proc/<pid>/stat` (proc(5): fields 3 and 22). */
export const readProcessStat = (text: string): { readonly state: string; readonly started: string } | undefined => {
  // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return fields.length > 19 ? { state: fields[0], started: fields[19] } : undefined
}

const readOptional = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.option(fs.readFileString(path)))

const readBoot = Effect.map(
  readOptional("/proc/sys/kernel/random/boot_id"),
  (text) => Option.getOrNull(Option.map(text, (id) => id.trim()))
)

const readStat = (pid: number) =>
  Effect.map(readOptional(`/proc/${pid}/stat`), (text) => Option.getOrUndefined(Option.map(text, readProcessStat)))

const thisProcess = Effect.gen(function*() {
  const stat = yield* readStat(process.pid)
  const owner: LockOwner = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    boot: yield* readBoot,
    started: stat?.started ?? null
  }
  return owner
})

const answersSignals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive, though it may not be signalled.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const liveness = Effect.fn("LockOwner.liveness")(function*(owner: LockOwner) {
  if (owner.host !== hostname()) return "elsewhere"
  const boot = yield* readBoot
  if (owner.boot !== null && boot !== null && owner.boot !== boot) return "dead"
  const signalled = yield* Effect.sync(() => answersSignals(owner.pid))
  if (!signalled) return "dead"
  const stat = yield* readStat(owner.pid)
  if (stat === undefined) return "alive"
  const ended = stat.state === "Z" || stat.state === "X"
  const another = owner.started !== null && owner.started !== stat.started
  const found: Liveness = ended || another ? "dead" : "alive"
  return found
})

/** How locks tell processes apart. */
export interface ProcessesShape {
  /** This process, about to take a lock. */
  readonly current: Effect.Effect<LockOwner, never, FileSystem.FileSystem>
  /** Whether the owner can still be at work. */
  readonly liveness: (owner: LockOwner) => Effect.Effect<Liveness, never, FileSystem.FileSystem>
}

/** The machine's processes, unless others are provided. */
export class Processes extends Context.Reference<Processes>()("agentopsd/files/Processes", {
  defaultValue: (): ProcessesShape => ({ current: thisProcess, liveness })
}) {}
