import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { program } from "../../docs/examples/own-environment.js"

it.effect("the documented example of an own Environment compiles, runs and learns", () =>
  Effect.gen(function*() {
    const success = yield* program
    const average = (part: ReadonlyArray<number>) => part.reduce((a, b) => a + b, 0) / part.length
    expect(success.length).toBe(20)
    expect(average(success.slice(-5))).toBeGreaterThan(average(success.slice(0, 5)) + 0.2)
  }))
