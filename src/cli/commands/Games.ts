import * as Effect from "effect/Effect"
import type { FlagValues } from "../Options.js"

export const gamesCommand = (_flags: FlagValues) => Effect.void
