import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Game } from "../domain/Game.js"

/** The games of one split. */
export interface GameList {
  /** Sorted by id (code points), without duplicates. */
  readonly games: ReadonlyArray<Game>
  /** SHA-256 (hex) over the ids and contents of the games; goes into every record made with them. */
  readonly manifestHash: string
}

/** The games of a split could not be listed. `fix` says what a person can do. */
export class GamesError extends Schema.TaggedError<GamesError>("agentopsd/GamesError")("GamesError", {
  source: Schema.String,
  reason: Schema.String,
  fix: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.source}: ${this.reason}. ${this.fix}`
  }
}

/** Where games come from: the built-in generator or a folder of game files. */
export class Games extends Context.Tag("agentopsd/Games")<Games, {
  /** A few words for records and messages, for example `built-in household games (seed 0)`. */
  readonly source: string
  readonly list: (split: string) => Effect.Effect<GameList, GamesError>
}>() {}
