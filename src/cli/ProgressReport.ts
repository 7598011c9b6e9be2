import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Progress } from "../services/Progress.js"
import { Output } from "./Output.js"
import { advance, drawnLine, initialView } from "./ProgressView.js"

const escape = String.fromCharCode(27)
const clearLine = `\r${escape}[2K`

/**
 * Progress on stderr: one line that is drawn again ten times a second on a terminal, and lines that stay (one an
 * update, a save, a tenth of an evaluation). Elsewhere only the lines that stay. The drawn line ends with the scope.
 */
export const layer: Layer.Layer<Progress, never, Output> = Layer.scoped(
  Progress,
  Effect.gen(function*() {
    const output = yield* Output
    const state = yield* Ref.make(initialView)
    const columns = yield* output.columns
    const erase = columns === undefined ? "" : clearLine

    if (columns !== undefined) {
      yield* Effect.addFinalizer(() => output.draw(clearLine))
      const redraw = Effect.gen(function*() {
        const line = drawnLine(yield* Ref.get(state), yield* Clock.currentTimeMillis, (yield* output.columns) ?? columns)
        yield* output.draw(clearLine + line)
      })
      yield* redraw.pipe(Effect.delay("100 millis"), Effect.forever, Effect.forkScoped)
    }

    return {
      report: (event) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const line = yield* Ref.modify(state, (view) => {
            const next = advance(view, event, now)
            return [next.line, next.view]
          })
          if (line !== undefined) yield* output.draw(`${erase}${line}\n`)
        })
    }
  })
)
