import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { evalCommand } from "./commands/Eval.js"
import { gamesCommand } from "./commands/Games.js"
import { trainCommand } from "./commands/Train.js"
import type { Flag } from "./Flags.js"
import { evalExtraFlags, evalFlags, flagEntries, gamesFlags, trainExtraFlags, trainFlags } from "./Flags.js"
import { commandSummaries } from "./Help.js"
import { type KnownFlag, mistakeIn } from "./Mistakes.js"
import { knownFlagsOf, optionsOf } from "./Options.js"
import { suggestion } from "./Spelling.js"
import { stripAnsi } from "./Style.js"
import { UsageError } from "./UsageError.js"
import { version } from "./Version.js"

/** Every flag of a command. */
const flagsOf: Readonly<Record<string, ReadonlyArray<readonly [string, Flag]>>> = {
  train: [...flagEntries(trainFlags), ...Object.entries(trainExtraFlags)],
  eval: [...flagEntries(evalFlags), ...Object.entries(evalExtraFlags)],
  games: flagEntries(gamesFlags)
}

const agentopsd = Command.make("agentopsd").pipe(
  Command.withSubcommands([
    Command.make("train", { flags: optionsOf(flagsOf.train) }, ({ flags }) => trainCommand(flags)),
    Command.make("eval", { flags: optionsOf(flagsOf.eval) }, ({ flags }) => evalCommand(flags)),
    Command.make("games", { flags: optionsOf(flagsOf.games) }, ({ flags }) => gamesCommand(flags))
  ])
)

const runCommand = Command.run(agentopsd, { name: "agentopsd", version })

const names = commandSummaries.map(({ name }) => name)

/** What is wrong with a command line that the parser refused, in words that name the flag. */
const explain = (args: ReadonlyArray<string>, error: ValidationError.ValidationError): string => {
  const [command, ...rest] = args
  if (command === undefined || !names.includes(command)) {
    return `${command ?? ""}: unknown command${suggestion(command ?? "", names)} (commands: ${names.join(", ")})`
  }
  const flags: ReadonlyArray<KnownFlag> = knownFlagsOf(flagsOf[command])
  const mistake = mistakeIn(rest, flags) ?? stripAnsi(HelpDoc.toAnsiText(error.error)).trim()
  return `${mistake}\nagentopsd ${command} --help lists the flags`
}

/** The parser prints its own messages; ours replace them, and what it prints on purpose is without colours. */
const quietConsole = (console: Console.Console): Console.Console => ({
  ...console,
  error: () => Effect.void,
  log: (...items) => console.log(...items.map((item) => typeof item === "string" ? stripAnsi(item) : item))
})

/** Runs the command that the arguments (without Node and the script) name. */
export const run = Effect.fn("Cli.run")(function*(args: ReadonlyArray<string>) {
  const console = yield* Console.consoleWith((current) => Effect.succeed(current))
  return yield* runCommand(["node", "agentopsd", ...args]).pipe(
    Effect.withConsole(quietConsole(console)),
    Effect.catchIf(
      ValidationError.isValidationError,
      (error) => new UsageError({ problems: [explain(args, error)] })
    ),
    Effect.provide(NodeContext.layer)
  )
})
