import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { exitCode, failureText } from "./ExitCode.js"
import { helpFor } from "./Help.js"
import { Output } from "./Output.js"
import { environment } from "./SettingsSources.js"
import { plain } from "./Style.js"
import { version } from "./Version.js"

const reportFailure = Effect.fn("Main.reportFailure")(function*(cause: Cause.Cause<unknown>) {
  const output = yield* Output
  const text = failureText(cause)
  if (text !== undefined) yield* output.note(`${output.noteStyle.red("error:")} ${text}`)
})

const main = Effect.gen(function*() {
  const output = yield* Output
  const args = process.argv.slice(2)
  const help = helpFor(args, version, output.resultStyle)
  if (help !== undefined) return yield* output.result(help)
  // Loaded only now, so that help is there at once.
  const { run } = yield* Effect.promise(() => import("./Cli.js"))
  yield* run(args)
}).pipe(Effect.tapErrorCause((cause) => reportFailure(cause)))

/** Log messages go to stderr, dressed as everything there. */
const loggerLayer = Layer.unwrapEffect(
  Effect.map(Output, ({ noteStyle }) => {
    const logger = Logger.prettyLogger({ stderr: true, colors: noteStyle !== plain })
    return Logger.replace(Logger.defaultLogger, logger)
  })
)

const layer = loggerLayer.pipe(
  Layer.provideMerge(Output.layer),
  Layer.provideMerge(Layer.setConfigProvider(environment(process.env)))
)

// A reader that went away (`agentopsd eval | head -1`) is no fault of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 70))
process.stderr.on("error", () => {})

NodeRuntime.runMain(main.pipe(Effect.provide(layer)), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  // Ends the process itself, whatever handle is still open, once everything written has left it.
  teardown: (exit) => process.stdout.write("", () => process.exit(exitCode(exit)))
})
