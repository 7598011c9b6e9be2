import type { GivenSettings } from "./GivenSettings.js"

/** What a value asks for that this version lacks, or `undefined`. */
type Check = (value: string) => string | undefined

const needsPytrio = "large models run on the PyTRIO Layer, which is not part of this version"

const checks: Readonly<Record<string, Check>> = {
  backend: (value) => value === "pytrio" ? `${needsPytrio}; use embedded` : undefined,
  // Names on a model hub have an owner; those of embedded models have none.
  baseModel: (value) => value.includes("/") ? `${needsPytrio}; use start or strong` : undefined,
  modelPath: (value) => {
    if (value.startsWith("trio://")) return `${needsPytrio}; use a path that begins with embedded://`
    return value.startsWith("embedded://") ? undefined : "expected a path that begins with embedded://, as train prints it"
  },
  swanlabMode: (value) =>
    ["online", "offline", "cloud", "local"].includes(value)
      ? "the SwanLab Layer is not part of this version; use disabled (metrics are in the run folder)"
      : undefined
}

/** One sentence for each given setting that only another version could follow. */
export const unavailable = (given: GivenSettings): ReadonlyArray<string> =>
  Object.entries(checks).flatMap(([key, check]) => {
    const setting = given[key]
    if (setting === undefined || typeof setting.value !== "string") return []
    const reason = check(setting.value)
    return reason === undefined ? [] : [`${setting.name} ${setting.value}: ${reason}`]
  })
