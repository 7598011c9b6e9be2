import * as Effect from "effect/Effect"
import type { FlagValues } from "../Options.js"

export const trainCommand = (_flags: FlagValues) => Effect.void
