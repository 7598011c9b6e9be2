import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Game } from "../domain/Game.js"

/** What the environment shows after opening a game or after one command. */
export interface Observation {
  /** The text shown to the policy. */
  readonly text: string
  /** Commands that would change or inspect the world now, ordered as the environment orders them. */
  readonly admissibleCommands: ReadonlyArray<string>
  /** The environment has ended the game. */
  readonly done: boolean
  /** The goal holds: the success flag that rewards are made of. */
  readonly won: boolean
  /** The environment's own score; `null` before the first command. Recorded, never used for credit. */
  readonly score: number | null
}

/** One playthrough of a game. Commands are sent one at a time. */
export interface Episode {
  /** The task in words, for example `put a hot cup in cabinet.` (with its full stop, if the environment writes one). */
  readonly task: string
  readonly initial: Observation
  readonly step: (command: string) => Effect.Effect<Observation, EnvironmentError>
}

/**
 * A game could not be opened or stepped.
 *
 * `retryable` tells infrastructure trouble (a worker died) from a fault of the game or the command that would only
 * come again.
 */
export class EnvironmentError extends Schema.TaggedError<EnvironmentError>("agentopsd/EnvironmentError")(
  "EnvironmentError",
  {
    gameId: Schema.String,
    operation: Schema.Literal("open", "step"),
    reason: Schema.String,
    retryable: Schema.Boolean,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `Game ${this.gameId}: could not ${this.operation} it: ${this.reason}`
  }
}

/** Plays games. K branches of a game are K calls of `open`; episodes share nothing and end with their scope. */
export class Environment extends Context.Tag("agentopsd/Environment")<Environment, {
  readonly open: (game: Game) => Effect.Effect<Episode, EnvironmentError, Scope.Scope>
}>() {}
