/** One value that two configurations do not share. `path` is dotted, such as `settings.seed`. */
export interface Difference {
  readonly path: string
  readonly recorded: unknown
  readonly given: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Where two JSON values differ, in the order of the recorded keys, then the new ones. Arrays are compared whole. */
export const differences = (recorded: unknown, given: unknown, path = ""): ReadonlyArray<Difference> => {
  if (isObject(recorded) && isObject(given)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(given)])]
    return keys.flatMap((key) => differences(recorded[key], given[key], path === "" ? key : `${path}.${key}`))
  }
  return JSON.stringify(recorded) === JSON.stringify(given) ? [] : [{ path, recorded, given }]
}

const show = (value: unknown): string => value === undefined ? "absent" : JSON.stringify(value)

/** Each difference with both values, as the middle of a sentence. */
export const describeDifferences = (found: ReadonlyArray<Difference>): string =>
  found.map(({ given, path, recorded }) => `${path} was ${show(recorded)} and is now ${show(given)}`).join("; ")
