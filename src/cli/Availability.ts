import { packagedModels } from "../embedded/BaseModels.js"
import { largestRank, standardContext } from "../embedded/ModelShape.js"
import type { GivenSettings } from "./GivenSettings.js"

/** What a value asks for that this version or the embedded policy lacks, or `undefined`. */
type Check = (value: unknown) => string | undefined

const needsPytrio = "large models run on the PyTRIO Layer, which is not part of this version"
const embeddedModels = Object.keys(packagedModels)

const whenText = (check: (text: string) => string | undefined): Check => (value) =>
  typeof value === "string" && value !== "" ? check(value) : undefined

const checks: Readonly<Record<string, Check>> = {
  backend: (value) => value === "pytrio" ? `${needsPytrio}; use embedded` : undefined,
  baseModel: whenText((name) => {
    if (embeddedModels.includes(name)) return undefined
    // Names on a model hub have an owner; those of embedded models have none.
    const reason = /[/:]/.test(name) ? needsPytrio : "the embedded policy has no base model of this name"
    return `${reason}; use ${embeddedModels.join(" or ")}`
  }),
  includeAdmissibleActions: (value) =>
    value === true ? "the embedded policy reads no lists of commands; it was cloned without them" : undefined,
  loraRank: (value) => Number(value) > largestRank ? `the embedded policy takes ranks up to ${largestRank}` : undefined,
  maxTrajectoryTokens: (value) =>
    Number(value) > standardContext ? `the embedded policy's context is ${standardContext} tokens` : undefined,
  modelPath: whenText((path) => {
    if (path.startsWith("trio://")) return `${needsPytrio}; use a path that begins with embedded://`
    return path.startsWith("embedded://") ? undefined : "expected a path that begins with embedded://, as train prints it"
  }),
  swanlabMode: (value) =>
    ["online", "offline", "cloud", "local"].includes(String(value))
      ? "the SwanLab Layer is not part of this version; use disabled (metrics are in the run folder)"
      : undefined,
  trainUnembed: (value) =>
    value === true ? "the embedded policy's output embedding is its input embedding too and stays as it is" : undefined
}

/** One sentence for each given setting that only another version could follow. */
export const unavailable = (given: GivenSettings): ReadonlyArray<string> =>
  Object.entries(checks).flatMap(([key, check]) => {
    const setting = given[key]
    const reason = setting === undefined ? undefined : check(setting.value)
    if (setting === undefined || reason === undefined) return []
    return [`${setting.name}${typeof setting.value === "string" ? ` ${setting.value}` : ""}: ${reason}`]
  })
