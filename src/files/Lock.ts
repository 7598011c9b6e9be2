import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { RunStoreError } from "../services/RunStore.js"
import { cannotRead, cannotWrite } from "./FileFailure.js"
import { LockOwner, Processes } from "./LockOwner.js"

/**
 * A lock file is the head of a chain: the owner that follows owner X is written in `<lock>.<id of X>`. The chain's
 * last owner holds the lock. Links of the chain are made by hard-linking a finished file, so they appear whole, and
 * each name can be made once only: of many processes that find the last owner dead, one becomes its follower. The
 * follower then moves its own link over the head (one rename), which shortens the chain to itself. A process that
 * read the chain before that adds its link to an owner that is no longer in the chain; since every process reads the
 * chain once more after adding its link, it sees that it lost.
 */
interface Chain {
  readonly last: LockOwner | undefined
  /** The name under which the next owner has to be linked. */
  readonly next: string
}

const attempts = 100

const isReason = (error: PlatformError, reason: string) => error._tag === "SystemError" && error.reason === reason

const LockText = Schema.parseJson(LockOwner)

const readOwner = Effect.fn("Lock.readOwner")(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(file).pipe(
    Effect.catchIf((error) => isReason(error, "NotFound"), () => Effect.succeed(undefined)),
    Effect.mapError(cannotRead(file))
  )
  if (text === undefined) return undefined
  return yield* Schema.decode(LockText)(text).pipe(
    Effect.mapError((cause) =>
      new RunStoreError({
        path: file,
        reason: "this lock does not say which process holds it",
        fix: "If no other agentopsd process is at work there, remove the file.",
        cause
      })
    )
  )
})

const readChain = Effect.fn("Lock.readChain")(function*(lock: string) {
  let chain: Chain = { last: undefined, next: lock }
  let owner = yield* readOwner(lock)
  while (owner !== undefined) {
    chain = { last: owner, next: `${lock}.${owner.id}` }
    owner = yield* readOwner(chain.next)
  }
  return chain
})

/** Writes an owner under a name that must be free; `false` where another process was first. */
const link = Effect.fn("Lock.link")(function*(name: string, owner: LockOwner) {
  const fs = yield* FileSystem.FileSystem
  const text = new TextEncoder().encode(`${Schema.encodeSync(LockText)(owner)}\n`)
  const own = `${name}.${owner.id}.tmp`
  const write = Effect.scoped(
    Effect.gen(function*() {
      const file = yield* fs.open(own, { flag: "w" })
      yield* file.writeAll(text)
      yield* file.sync
    })
  )
  // The own file is absent where a new holder has just cleared up; the chain has changed then.
  const lost = (error: PlatformError) => isReason(error, "AlreadyExists") || isReason(error, "NotFound")
  const place = fs.link(own, name).pipe(
    // Some file systems have no hard links; there the name is made first and its content after it.
    Effect.catchIf((error) => !lost(error), () => fs.writeFile(name, text, { flag: "wx" })),
    Effect.as(true),
    Effect.catchIf(lost, () => Effect.succeed(false))
  )
  return yield* write.pipe(
    Effect.zipRight(place),
    Effect.ensuring(Effect.ignore(fs.remove(own, { force: true }))),
    Effect.mapError(cannotWrite(name))
  )
})

const held = Effect.fn("Lock.held")(function*(lock: string, owner: LockOwner) {
  const found = yield* (yield* Processes).liveness(owner)
  if (found === "dead") return
  if (found === "elsewhere") {
    return yield* new RunStoreError({
      path: lock,
      reason: `process ${owner.pid} on ${owner.host} is using it, which cannot be seen from this machine`,
      fix: `Wait until it has ended; if it no longer runs, remove ${lock}.`
    })
  }
  return yield* new RunStoreError({
    path: lock,
    reason: owner.pid === process.pid
      ? `this process (${owner.pid}) is using it already`
      : `process ${owner.pid} is using it`,
    fix: owner.pid === process.pid
      ? "Close the one before another is opened."
      : `Wait until process ${owner.pid} has ended, or stop it.`
  })
})

const acquire = Effect.fn("Lock.acquire")(function*(lock: string) {
  const fs = yield* FileSystem.FileSystem
  const owner = yield* (yield* Processes).current
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = yield* readChain(lock)
    if (found.last !== undefined) yield* held(lock, found.last)
    const linked = yield* link(found.next, owner)
    if (!linked) continue
    const { last } = yield* readChain(lock)
    if (last?.id === owner.id) {
      if (found.last !== undefined) yield* shorten(lock, found)
      yield* clearUp(lock)
      return owner
    }
    yield* fs.remove(found.next, { force: true }).pipe(Effect.mapError(cannotWrite(found.next)))
  }
  return yield* new RunStoreError({
    path: lock,
    reason: "other processes keep taking it",
    fix: "Start only one agentopsd process for this place at a time."
  })
})

/** Puts the new owner's link in the head's place. */
const shorten = Effect.fn("Lock.shorten")(function*(lock: string, chain: Chain) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.logWarning(`${lock}: took over the lock of process ${chain.last?.pid}, which has ended`)
  yield* fs.rename(chain.next, lock).pipe(Effect.mapError(cannotWrite(lock)))
})

/** Removes links and unfinished files that ended processes left beside the lock; those of others are void by now. */
const clearUp = Effect.fn("Lock.clearUp")(function*(lock: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(lock)
  const names = yield* fs.readDirectory(folder).pipe(Effect.mapError(cannotRead(folder)))
  const left = names.filter((name) => name.startsWith(`${path.basename(lock)}.`))
  yield* Effect.forEach(left, (name) => Effect.ignore(fs.remove(path.join(folder, name), { force: true })))
})

const release = Effect.fn("Lock.release")(function*(lock: string, owner: LockOwner) {
  const fs = yield* FileSystem.FileSystem
  const head = yield* readOwner(lock)
  if (head?.id === owner.id) yield* fs.remove(lock)
})

/**
 * Holds a lock file until the scope ends, so that no two processes use one folder or file. A lock whose owner has
 * ended (no such process, or another one with the same number) is taken over; of several that try at once one
 * succeeds. Fails at once, naming the process, where another one holds it.
 */
export const holdLock = Effect.fn("Lock.hold")((lock: string) =>
  Effect.asVoid(
    Effect.acquireRelease(acquire(lock), (owner) =>
      Effect.catchAll(release(lock, owner), (error) => Effect.logWarning(`${lock}: could not be removed`, error)))
  )
)
