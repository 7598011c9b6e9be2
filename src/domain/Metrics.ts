import * as Schema from "effect/Schema"

/**
 * Named numbers of one update or evaluation. Names are paths: `train/…` (rollouts), `credit/…`, `teacher/…`,
 * `update/…`, `eval/<split>/…`, `time/…` (seconds; the only ones that differ between equal runs). Always finite.
 */
export const Metrics = Schema.Record({ key: Schema.String, value: Schema.Finite })
export type Metrics = typeof Metrics.Type

/** Mean of values, or `undefined` where there are none. */
export const mean = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length

/** Leaves out what has no value, so that a metric is absent rather than invented. */
export const definedMetrics = (values: Readonly<Record<string, number | undefined>>): Metrics => {
  const out: Record<string, number> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && Number.isFinite(value)) out[name] = value
  }
  return out
}
