import * as Schema from "effect/Schema"

/** The part of a `game.tw-pddl` file that a position refers to. */
export const GameFileSection = Schema.Literal("file", "pddl_domain", "pddl_problem", "grammar")
export type GameFileSection = typeof GameFileSection.Type

/**
 * A `game.tw-pddl` file that cannot be played.
 *
 * `line` and `column` count from 1 inside `section`: in the JSON text for `file`, otherwise in the decoded string of
 * that key. `expected` and `found` are phrases that complete "expected …, found …".
 */
export class GameFileError extends Schema.TaggedError<GameFileError>("agentopsd/GameFileError")("GameFileError", {
  file: Schema.String,
  section: GameFileSection,
  line: Schema.Int,
  column: Schema.Int,
  expected: Schema.String,
  found: Schema.String
}) {
  override get message(): string {
    const where = this.section === "file" ? "" : ` of "${this.section}"`
    return `${this.file}: line ${this.line}, column ${this.column}${where}: ` +
      `expected ${this.expected}, found ${this.found}.`
  }
}

/** A command or the text about it could not be worked out, although the game file was well formed. */
export class GameStepError extends Schema.TaggedError<GameStepError>("agentopsd/GameStepError")("GameStepError", {
  file: Schema.String,
  command: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.file}: the command "${this.command}" could not be carried out: ${this.reason}.`
  }
}

/** Where and why a section is malformed; thrown inside the pure parsers and turned into a {@link GameFileError}. */
export class SectionFault extends Error {
  constructor(
    readonly section: GameFileSection,
    readonly offset: number,
    readonly expected: string,
    readonly found: string
  ) {
    super(`expected ${expected}, found ${found}`)
  }
}

/** Why a state could not be derived; thrown inside the engine and turned into one of the public errors. */
export class DerivationFault extends Error {
  constructor(
    reason: string,
    /** Source text at fault, by which its place in the grammar is found. */
    readonly near = ""
  ) {
    super(reason)
  }
}

/** Line and column (from 1) of a character offset. */
export const lineAndColumn = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const end = Math.min(Math.max(offset, 0), text.length)
  let line = 1
  let lineStart = 0
  for (let newline = text.indexOf("\n"); newline >= 0 && newline < end; newline = text.indexOf("\n", newline + 1)) {
    line++
    lineStart = newline + 1
  }
  return { line, column: end - lineStart + 1 }
}

/** A piece of source text short enough for a message, in quotes. */
export const quoted = (text: string): string => {
  const shortened = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return `"${shortened.replaceAll("\n", "\\n")}"`
}
