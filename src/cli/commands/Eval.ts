import * as Effect from "effect/Effect"
import type { FlagValues } from "../Options.js"

export const evalCommand = (_flags: FlagValues) => Effect.void
