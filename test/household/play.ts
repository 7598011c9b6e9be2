import * as Either from "effect/Either"
import { type CompiledGame, type EngineState, start, step } from "../../src/alfworld/Engine.js"
import { parseGame } from "../../src/alfworld/GameFile.js"
import { below, generator } from "../../src/domain/Randomness.js"

export const compile = (text: string, name: string): CompiledGame => Either.getOrThrow(parseGame(text, name))

/** The states after each of the commands, the first state in front. */
export const playAll = (game: CompiledGame, commands: ReadonlyArray<string>): ReadonlyArray<EngineState> => {
  const states = [start(game)]
  for (const command of commands) states.push(Either.getOrThrow(step(game, states[states.length - 1], command)))
  return states
}

const verb = (command: string): string => command.split(" ")[0]

/** Seeded play that tries every kind of command: now and then a useless one, else one whose verb was rare so far. */
export const wander = (game: CompiledGame, steps: number, seed: number): ReadonlyArray<string> => {
  const random = generator(seed)
  const used = new Map<string, number>()
  const commands: Array<string> = []
  let state = start(game)
  for (let i = 0; i < steps; i++) {
    const options = random() < 0.05 ? ["dance"] : state.admissibleCommands
    const rarest = Math.min(...options.map((command) => used.get(verb(command)) ?? 0))
    const rare = options.filter((command) => (used.get(verb(command)) ?? 0) === rarest)
    const from = random() < 0.5 ? rare : options
    const command = from[below(random, from.length)]
    used.set(verb(command), (used.get(verb(command)) ?? 0) + 1)
    commands.push(command)
    state = Either.getOrThrow(step(game, state, command))
  }
  return commands
}
