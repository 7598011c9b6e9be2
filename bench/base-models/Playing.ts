import * as Effect from "effect/Effect"
import { seedOf } from "../../src/domain/Randomness.js"
import type { PolicyError, Sampler } from "../../src/services/Policy.js"
import { hintIds, observationIds, openingIds, parseAction, withHint } from "../../src/embedded/chat/EmbeddedChatFormat.js"
import { marker } from "../../src/embedded/chat/Vocabulary.js"
import { longestDemonstration, type OpenGame } from "../../src/embedded/cloning/Demonstration.js"

/** A game to be played by a policy in the making. */
export interface PlayableGame {
  readonly id: string
  readonly taskType: string
  readonly open: () => OpenGame
}

/** How a policy plays. */
export interface PlaySettings {
  /** 0 takes the most probable token. */
  readonly temperature: number
  /** The skill text in front, by task type; none where it gives `undefined`. */
  readonly hintFor: (taskType: string) => string | undefined
  readonly seed: number
  readonly maxTokens: number
  /** Games in flight; changes no result. */
  readonly concurrency: number
}

/** What became of a game. */
export interface Played {
  readonly id: string
  readonly taskType: string
  readonly won: boolean
  readonly turns: number
  /** Commands that were not admissible, and actions without a command. */
  readonly useless: number
}

/** No command of ALFWorld needs more. */
const longestAction = 12

const play = Effect.fn("Playing.play")(function*(sampler: Sampler, game: PlayableGame, settings: PlaySettings) {
  const open = game.open()
  const opening = openingIds({ task: open.task, observation: open.initial.text, admissibleCommands: [] })
  const hint = settings.hintFor(game.taskType)
  const ids = (hint === undefined ? opening : withHint(opening, hintIds(hint).ids)).slice()
  let view = open.initial
  let turns = 0
  let useless = 0
  while (!view.won && turns < longestDemonstration && ids.length + longestAction <= settings.maxTokens) {
    const [sample] = yield* sampler.sample({
      prompt: ids.slice(),
      count: 1,
      params: { temperature: settings.temperature, topP: 1, maxTokens: longestAction, stopTokens: [marker.end] },
      seed: seedOf("playing", settings.seed, game.id, turns)
    })
    const parsed = parseAction(sample.ids)
    const command = parsed._tag === "Command" ? parsed.command : ""
    if (!view.admissibleCommands.includes(command)) useless++
    view = open.step(command)
    ids.push(...sample.ids, ...(sample.ids.at(-1) === marker.end ? [] : [marker.end]), ...observationIds(view.text))
    turns++
  }
  const played: Played = { id: game.id, taskType: game.taskType, won: view.won, turns, useless }
  return played
})

/** Plays games side by side; the answers stand in the games' order. */
export const playGames = (
  sampler: Sampler,
  games: ReadonlyArray<PlayableGame>,
  settings: PlaySettings
): Effect.Effect<ReadonlyArray<Played>, PolicyError> =>
  Effect.forEach(games, (game) => play(sampler, game, settings), { concurrency: settings.concurrency })
