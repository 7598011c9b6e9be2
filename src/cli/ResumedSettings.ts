import * as Either from "effect/Either"
import { TrainSettings } from "../domain/Settings.js"
import { decodeSettings, type GivenSettings } from "./GivenSettings.js"
import { UsageError } from "./UsageError.js"

/**
 * The settings under which a run goes on: its own. What was given besides must agree with them, except a larger
 * `maxSteps`; where the run lies (`runDir`) is known already.
 */
export const resumedSettings = (
  own: TrainSettings,
  given: GivenSettings
): Either.Either<TrainSettings, UsageError> => {
  const { runDir: _place, ...rest } = given
  return Either.flatMap(decodeSettings(TrainSettings, own, rest), (settings) => {
    const recorded = new Map<string, unknown>(Object.entries(own))
    const problems = Object.entries(settings).flatMap(([key, value]) => {
      const before = recorded.get(key)
      if (value === before) return []
      const name = rest[key]?.name ?? key
      if (key !== "maxSteps") return [`${name}: the run was made with ${before}; leave it out with --resume`]
      return settings.maxSteps > own.maxSteps ? [] : [`${name}: the run was made for ${before}; only more is possible`]
    })
    const [first, ...others] = problems
    return first === undefined ? Either.right(settings) : Either.left(new UsageError({ problems: [first, ...others] }))
  })
}
