import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Game } from "../domain/Game.js"
import { Environment, EnvironmentError, type Episode, type Observation } from "../services/Environment.js"
import { type CompiledGame, type EngineState, start, step } from "./Engine.js"
import { parseGame } from "./GameFile.js"
import { makeSharedLookup } from "./SharedLookup.js"

/** The text of a `game.tw-pddl` file, and the name to give it in messages. */
export interface GameText {
  readonly text: string
  readonly file: string
}

export interface NativeEnvironmentOptions {
  /** How many games are kept compiled; 32 by default. The branches of a group share one. */
  readonly keptGames?: number
}

const defaultKeptGames = 32

/**
 * Plays games with the native engine, reading each game's text with `readGame` when it is first opened. Nothing of it
 * retries: what fails would only fail again, unless `readGame` says otherwise. Reading goes on when one who waits for
 * it is interrupted, as others may wait for the same game; it ends with the scope.
 */
export const makeNative = <R>(
  readGame: (game: Game) => Effect.Effect<GameText, EnvironmentError, R>,
  options: NativeEnvironmentOptions = {}
): Effect.Effect<Environment["Type"], never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const compile = Effect.fnUntraced(function*(game: Game) {
      const { file, text } = yield* readGame(game)
      return yield* Effect.mapError(parseGame(text, file), (error) => failure(game.id, "open", error.message, error))
    })
    const compiled = yield* makeSharedLookup({
      capacity: options.keptGames ?? defaultKeptGames,
      lookup: compile
    })
    const open = Effect.fn("NativeEnvironment.open")(function*(game: Game) {
      // Data.struct makes games equal by value, which is how the lookup tells its keys apart.
      return episode(game.id, yield* compiled(Data.struct(game)))
    })
    return Environment.of({ open })
  })

/** {@link makeNative} as a Layer. */
export const layerNative = <R>(
  readGame: (game: Game) => Effect.Effect<GameText, EnvironmentError, R>,
  options: NativeEnvironmentOptions = {}
): Layer.Layer<Environment, never, Exclude<R, Scope.Scope>> => Layer.scoped(Environment, makeNative(readGame, options))

/** Reads games from files; `fileOf` gives the path of a game's `game.tw-pddl`. */
export const readGameFile = (fileOf: (game: Game) => string) =>
  Effect.fn("NativeEnvironment.readGameFile")(function*(game: Game) {
    const fs = yield* FileSystem.FileSystem
    const file = fileOf(game)
    const text = yield* Effect.mapError(fs.readFileString(file), (cause) =>
      new EnvironmentError({
        gameId: game.id,
        operation: "open",
        reason: `${file} cannot be read (${cause.message}).`,
        retryable: cause._tag === "SystemError" && passingTroubles.has(cause.reason),
        cause
      }))
    return { text, file }
  })

const passingTroubles: ReadonlySet<string> = new Set(["Busy", "TimedOut", "WouldBlock", "UnexpectedEof"])

const failure = (gameId: string, operation: "open" | "step", reason: string, cause: unknown): EnvironmentError =>
  new EnvironmentError({ gameId, operation, reason, retryable: false, cause })

const observationOf = (state: EngineState): Observation => ({
  text: state.observation,
  admissibleCommands: state.admissibleCommands,
  done: state.done,
  won: state.won,
  score: state.score
})

const episode = (gameId: string, game: CompiledGame): Episode => {
  let state = start(game)
  return {
    task: game.task,
    initial: observationOf(state),
    step: (command) =>
      Effect.suspend(() => {
        const next = step(game, state, command)
        if (Either.isLeft(next)) return Effect.fail(failure(gameId, "step", next.left.message, next.left))
        state = next.right
        return Effect.succeed(observationOf(state))
      })
  }
}
