import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Split, taskTypes } from "../../domain/Game.js"
import { exportGames } from "../../household/ExportGames.js"
import { gameList } from "../../household/GameSet.js"
import { gamesDefaults } from "../Defaults.js"
import { gamesFlags } from "../Flags.js"
import { decodeSettings, fromFlags } from "../GivenSettings.js"
import type { FlagValues } from "../Options.js"
import { Output } from "../Output.js"
import { textTable } from "../Table.js"

const GamesSettings = Schema.Struct({
  export: Schema.NullOr(Schema.NonEmptyString),
  seed: Schema.Int.pipe(Schema.between(0, Number.MAX_SAFE_INTEGER))
})

/** How many built-in games there are, by split and task type. */
export const countsTable = (seed: number): string => {
  const games = Split.literals.map((split) => gameList({ seed }, split).games)
  const counts = (label: string, holds: (taskType: string) => boolean): ReadonlyArray<string> => [
    label,
    ...games.map((list) => String(list.filter(({ taskType }) => holds(taskType)).length))
  ]
  return textTable(
    ["task type", ...Split.literals],
    [...taskTypes.map((type) => counts(type, (taskType) => taskType === type)), counts("all", () => true)],
    1
  )
}

/** `agentopsd games`: counts the built-in games, or writes them to a folder. */
export const gamesCommand = Effect.fn("gamesCommand")(function*(flags: FlagValues) {
  const output = yield* Output
  const settings = yield* decodeSettings(GamesSettings, gamesDefaults, fromFlags(gamesFlags, flags))
  if (settings.export === null) return yield* output.result(countsTable(settings.seed))
  yield* output.note(`writing the built-in games of seed ${settings.seed} to ${settings.export}`)
  const exported = yield* exportGames(settings.export, { seed: settings.seed })
  yield* output.result(
    `${exported.games} games in ${exported.directory} (${exported.written} written now)\n` +
      `play them with: npx agentopsd eval --data-root ${exported.directory}`
  )
})
