import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { createInterface } from "node:readline"
import { holdLock } from "../../src/files/Lock.js"

// A process for Lock.test.ts: takes the lock named on a line of its input and says how that went; an empty line lets
// go of what it holds. It lives until its input ends.
const main = Effect.gen(function*() {
  const ended = yield* Deferred.make<void>()
  const runtime = yield* Effect.runtime<NodeContext.NodeContext>()
  let held = yield* Scope.make()
  const answer = (line: string) =>
    Effect.gen(function*() {
      if (line === "") {
        yield* Scope.close(held, Exit.void)
        held = yield* Scope.make()
        return "released"
      }
      return yield* holdLock(line).pipe(
        Scope.extend(held),
        Effect.as("held"),
        Effect.catchAll((error) => Effect.succeed(`refused ${error.message}`))
      )
    })
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      void Runtime.runPromise(runtime)(answer(line)).then((text) => process.stdout.write(`${text}\n`))
    })
    .on("close", () => {
      Effect.runSync(Deferred.succeed(ended, undefined))
    })
  process.stdout.write("ready\n")
  yield* Deferred.await(ended)
})

const silent = Logger.remove(Logger.defaultLogger)

void Effect.runPromise(main.pipe(Effect.provide(NodeContext.layer), Effect.provide(silent)))
