import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Game } from "../domain/Game.js"
import type { Observation } from "../services/Environment.js"
import { Environment, EnvironmentError } from "../services/Environment.js"
import { Games, GamesError } from "../services/Games.js"

/** A game whose course is a pure function of the commands given so far. */
export interface ScriptedGame {
  readonly game: Game
  readonly task: string
  /** What is seen after these commands; none at the start. */
  readonly after: (commands: ReadonlyArray<string>) => Omit<Observation, "score">
}

/**
 * A lock: won when the last commands given are the code, in order. Every word of `keys` is admissible at any time.
 */
export const lockGame = (options: {
  readonly id: string
  readonly split?: string
  readonly taskType?: string
  readonly task: string
  readonly code: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
}): ScriptedGame => ({
  game: { id: options.id, split: options.split ?? "train", taskType: options.taskType ?? "lock" },
  task: options.task,
  after: (commands) => {
    const tail = commands.slice(-options.code.length)
    const won = tail.length === options.code.length && tail.every((command, i) => command === options.code[i])
    const text = commands.length === 0 ? "a lock" : won ? "open" : "still closed"
    return { text, admissibleCommands: options.keys, done: won, won }
  }
})

/** What a test can see of the scripted environment. */
export class ScriptedLog extends Context.Tag("agentopsd/testing/ScriptedLog")<ScriptedLog, {
  /** Ids of the games opened, in order. */
  readonly opened: ReadonlyArray<string>
  /** How many episodes are open now, and the most there ever were at once. */
  readonly open: () => { readonly now: number; readonly most: number }
}>() {}

/** Environment and Games of scripted games. `latency` runs before each answer (for TestClock tests). */
export const layerScripted = (
  scripted: ReadonlyArray<ScriptedGame>,
  latency: (gameId: string, turn: number) => Effect.Effect<void> = () => Effect.void
): Layer.Layer<Environment | Games | ScriptedLog> => {
  const byId = new Map(scripted.map((one) => [one.game.id, one]))
  return Layer.effectContext(Effect.sync(() => {
    const opened: Array<string> = []
    let now = 0
    let most = 0
    return Context.empty().pipe(
      Context.add(ScriptedLog, { opened, open: () => ({ now, most }) }),
      Context.add(Games, {
        source: "scripted games",
        list: (split) => {
          const games = scripted.map(({ game }) => game).filter((game) => game.split === split)
            .sort((a, b) => a.id < b.id ? -1 : 1)
          return games.length === 0
            ? Effect.fail(
              new GamesError({ source: "scripted games", reason: `no games in split ${split}`, fix: "Script some" })
            )
            : Effect.succeed({ games, manifestHash: games.map(({ id }) => id).join("|") })
        }
      }),
      Context.add(Environment, {
        open: (game) =>
          Effect.gen(function*() {
            const script = byId.get(game.id)
            if (script === undefined) {
              return yield* new EnvironmentError({
                gameId: game.id,
                operation: "open",
                reason: "no such scripted game",
                retryable: false
              })
            }
            yield* Effect.acquireRelease(
              Effect.sync(() => {
                opened.push(game.id)
                now++
                most = Math.max(most, now)
              }),
              () =>
                Effect.sync(() => {
                  now--
                })
            )
            const commands: Array<string> = []
            return {
              task: script.task,
              initial: { ...script.after([]), score: null },
              step: (command: string) =>
                Effect.map(latency(game.id, commands.length), () => {
                  commands.push(command)
                  const seen = script.after(commands.slice())
                  return { ...seen, score: seen.won ? 1 : 0 }
                })
            }
          })
      })
    )
  }))
}
