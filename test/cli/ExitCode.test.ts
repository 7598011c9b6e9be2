import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { exitCode, failureText } from "../../src/cli/ExitCode.js"
import { UsageError } from "../../src/cli/UsageError.js"
import { GamesError } from "../../src/services/Games.js"

const usage = Cause.fail(new UsageError({ problems: ["--seed: wrong", "--gamma: wrong"] }))
const failure = Cause.fail(new GamesError({ source: "games", reason: "none", fix: "Add some" }))
const defect = Cause.die(new Error("broken"))
const stop = Cause.interrupt(FiberId.none)

describe("exitCode", () => {
  it("tells done, failed, misused, broken and stopped apart", () => {
    assert.strictEqual(exitCode(Exit.void), 0)
    assert.strictEqual(exitCode(Exit.failCause(failure)), 1)
    assert.strictEqual(exitCode(Exit.failCause(usage)), 2)
    assert.strictEqual(exitCode(Exit.failCause(defect)), 70)
    assert.strictEqual(exitCode(Exit.failCause(stop)), 130)
  })

  it("a failure that also interrupted others is a failure", () => {
    assert.strictEqual(exitCode(Exit.failCause(Cause.parallel(stop, failure))), 1)
    assert.strictEqual(exitCode(Exit.failCause(Cause.parallel(stop, defect))), 70)
  })
})

describe("failureText", () => {
  it("is the message of a failure, without a stack", () => {
    assert.strictEqual(failureText(failure), "games: none. Add some")
    assert.strictEqual(failureText(usage), "--seed: wrong\n--gamma: wrong")
  })

  it("is the whole cause of a defect", () => {
    assert.include(failureText(defect) ?? "", "a fault of agentopsd itself")
    assert.include(failureText(defect) ?? "", "Error: broken")
  })

  it("is nothing for a stop", () => {
    assert.isUndefined(failureText(stop))
  })
})
