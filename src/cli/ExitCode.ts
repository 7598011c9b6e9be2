import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { UsageError } from "./UsageError.js"

/** What the shell is told: 0 done, 1 the run failed, 2 a usage mistake, 70 a fault of this program, 130 stopped. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.isInterruptedOnly(exit.cause)) return 130
  const failure = Cause.failureOption(exit.cause)
  if (Option.isNone(failure)) return 70
  return failure.value instanceof UsageError ? 2 : 1
}

/** What a person is told about a failure, or `undefined` where nothing needs to be said. */
export const failureText = (cause: Cause.Cause<unknown>): string | undefined => {
  if (Cause.isInterruptedOnly(cause)) return undefined
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) return `a fault of agentopsd itself; please report it:\n${Cause.pretty(cause)}`
  return failure.value instanceof Error ? failure.value.message : String(failure.value)
}
