import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ansi, plain, type Style } from "./Style.js"

/** Where the program writes: results to stdout, everything else to stderr. */
export interface OutputShape {
  /** Writes lines of results to stdout. */
  readonly result: (text: string) => Effect.Effect<void>
  /** Writes lines for a person to stderr. */
  readonly note: (text: string) => Effect.Effect<void>
  /** Writes to stderr as it is: pieces of a line that is drawn again. */
  readonly draw: (text: string) => Effect.Effect<void>
  readonly resultStyle: Style
  readonly noteStyle: Style
  /** Columns of stderr where it is a terminal that can redraw a line; undefined elsewhere. */
  readonly columns: Effect.Effect<number | undefined>
}

export class Output extends Context.Tag("agentopsd/cli/Output")<Output, OutputShape>() {
  /** The process's own streams; plain text unless they are terminals and NO_COLOR is unset or empty. */
  static readonly layer: Layer.Layer<Output> = Layer.effect(
    Output,
    Effect.gen(function*(): Effect.fn.Return<OutputShape, ConfigError.ConfigError> {
      const noColor = yield* Config.string("NO_COLOR").pipe(Config.withDefault(""))
      const term = yield* Config.string("TERM").pipe(Config.withDefault(""))
      const style = (stream: NodeJS.WriteStream): Style =>
        stream.isTTY && noColor === "" && term !== "dumb" ? ansi : plain
      return {
        result: (text) => Effect.sync(() => process.stdout.write(`${text}\n`)),
        note: (text) => Effect.sync(() => process.stderr.write(`${text}\n`)),
        draw: (text) => Effect.sync(() => process.stderr.write(text)),
        resultStyle: style(process.stdout),
        noteStyle: style(process.stderr),
        columns: Effect.sync(() => process.stderr.isTTY && term !== "dumb" ? process.stderr.columns : undefined)
      }
    }).pipe(Effect.orDie)
  )
}
