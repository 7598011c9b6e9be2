import { embeddedEvalDefaults, embeddedTrainDefaults } from "../domain/Defaults.js"
import { gamesDefaults, publishedEval, publishedTrain } from "./Defaults.js"
import type { Flag, FlagTable } from "./Flags.js"
import { evalExtraFlags, evalFlags, flagEntries, flagName, gamesFlags, trainExtraFlags, trainFlags } from "./Flags.js"
import type { Style } from "./Style.js"

/** A command as the overview lists it. */
export interface CommandSummary {
  readonly name: string
  readonly summary: string
}

/** All commands, in the order of the overview. */
export const commandSummaries: ReadonlyArray<CommandSummary> = [
  { name: "train", summary: "train a policy with AgentOPSD" },
  { name: "eval", summary: "play held-out games and report success" },
  { name: "games", summary: "count or export the built-in household games" }
]

const width = 34

const row = (left: string, right: string): string =>
  left.length < width - 1 ? `  ${left.padEnd(width - 2)}${right}` : `  ${left}\n${" ".repeat(width)}${right}`

const showDefault = (value: unknown): string => {
  if (value === null) return ""
  if (typeof value === "boolean") return value ? " [on]" : " [off]"
  return ` [${value}]`
}

const flagRow = (key: string, flag: Flag, defaultText: string): string => {
  const name = flagName(key)
  const negation = flag.kind === "switch" ? `, --no-${name}` : ""
  const value = flag.kind === "switch" ? "" : ` ${flag.value}`
  const aliases = flag.aliases.length === 0 ? "" : `; also ${flag.aliases.map((alias) => `--${alias}`).join(", ")}`
  return row(`--${name}${negation}${value}`, `${flag.description}${aliases}${defaultText}`)
}

const flagSections = <Settings extends object>(
  table: FlagTable<Settings>,
  defaults: Settings,
  defaultTexts: Readonly<Record<string, string>>,
  style: Style
): string => {
  const values = new Map<string, unknown>(Object.entries(defaults))
  const sections = new Map<string, Array<string>>()
  for (const [key, flag] of flagEntries(table)) {
    const line = flagRow(key, flag, defaultTexts[key] ?? showDefault(values.get(key)))
    sections.set(flag.group, [...(sections.get(flag.group) ?? []), line])
  }
  return [...sections].map(([title, lines]) => `${style.bold(title)}\n${lines.join("\n")}`).join("\n\n")
}

const extraSection = (flags: Readonly<Record<string, Flag>>, style: Style): string => {
  const lines = Object.entries(flags).map(([key, flag]) => flagRow(key, flag, ""))
  return `${style.bold("Other")}\n${[...lines, row("-h, --help", "this text")].join("\n")}`
}

const published = (values: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(values)
    .map(([key, value]) =>
      typeof value === "boolean" ? `--${value ? "" : "no-"}${flagName(key)}` : `--${flagName(key)} ${value}`
    )
    .join(" ")

/** Breaks words over lines of at most 100 characters, indented by two. */
const paragraph = (text: string): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line.length + word.length > 97) {
      lines.push(line)
      line = ""
    }
    line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].map((each) => `  ${each}`).join("\n")
}

const settingsNote = (style: Style, example: string): string =>
  `${style.bold("Settings")}\n` + paragraph(
    "Values in [brackets] are the defaults of the built-in policy. Each setting can also be an environment variable " +
      `(AGENTOPSD_MAX_TURNS) or a key of the --config file (${example}); a flag wins over the environment, and ` +
      "that over the file."
  )

const publishedNote = (values: Readonly<Record<string, string | number | boolean>>): string =>
  paragraph(
    "A large model starts from the published run instead (this version has no backend for one): " + published(values)
  )

/** `agentopsd --help`. */
export const overview = (version: string, style: Style): string =>
  [
    `agentopsd ${version}: train language-model agents with AgentOPSD, on this machine, in one command`,
    `${style.bold("Usage")}\n  agentopsd <command> [flags]`,
    `${style.bold("Commands")}\n${commandSummaries.map(({ name, summary }) => row(name, summary)).join("\n")}`,
    `${style.bold("Start here")}\n${row("agentopsd train", "trains the built-in policy on built-in games")}\n` +
    row("agentopsd eval", "plays the held-out games with the untrained policy"),
    `${style.bold("Flags")}\n` +
    [
      row("-h, --help", "this text; after a command, its flags"),
      row("--version", "the version"),
      row("--completions bash|fish|zsh", "print a completion script")
    ].join("\n")
  ].join("\n\n")

/** `agentopsd train --help`. */
export const trainHelp = (style: Style): string =>
  [
    "Trains a policy with AgentOPSD: rollout, Teacher, turn credit, PPO update.",
    `${style.bold("Usage")}\n  agentopsd train [flags]\n  agentopsd train --resume RUN [--max-steps MORE]`,
    flagSections(trainFlags, embeddedTrainDefaults, { runName: ` [${embeddedTrainDefaults.runName}, or the next free -2, -3, …]` }, style),
    extraSection(trainExtraFlags, style),
    settingsNote(style, '{"max-turns": 20}'),
    publishedNote(publishedTrain)
  ].join("\n\n")

/** `agentopsd eval --help`. */
export const evalHelp = (style: Style): string =>
  [
    "Plays held-out games, writes one JSON line a game, prints success by split and task type.\n" +
    "Started again after a stop, it goes on where it was.",
    `${style.bold("Usage")}\n  agentopsd eval [--model-path embedded://RUN/…] [flags]`,
    flagSections(evalFlags, embeddedEvalDefaults, {}, style),
    extraSection(evalExtraFlags, style),
    settingsNote(style, '{"max-turns": 20}'),
    publishedNote(publishedEval)
  ].join("\n\n")

/** `agentopsd games --help`. */
export const gamesHelp = (style: Style): string =>
  [
    "Counts the built-in household games by split and task type, or writes them as an ALFWorld-style tree.",
    `${style.bold("Usage")}\n  agentopsd games [--seed N]\n  agentopsd games --export DIR [--seed N]`,
    flagSections(gamesFlags, gamesDefaults, {}, style),
    extraSection({}, style)
  ].join("\n\n")

/**
 * The help that a command line asks for, or `undefined` where it asks for none. A command line without a command asks
 * for the overview.
 */
export const helpFor = (
  args: ReadonlyArray<string>,
  version: string,
  style: Style
): string | undefined => {
  if (args.length > 0 && !args.includes("--help") && !args.includes("-h")) return undefined
  switch (args.find((arg) => !arg.startsWith("-"))) {
    case "train":
      return trainHelp(style)
    case "eval":
      return evalHelp(style)
    case "games":
      return gamesHelp(style)
    default:
      return overview(version, style)
  }
}
