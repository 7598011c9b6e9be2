/** Readable names of entities, as ALFWorld's demangler gives them (without shuffling). */
import type { EntityText } from "./Expression.js"

/** What stands between the class and the coordinates of a simulator id. */
const bar = "_bar_"

/**
 * Names every entity: `<class> <number>`, where the class is the id up to the first `_bar_`, with `basin` added when
 * the id contains it, and numbers count down in the order of ids. An id without `_bar_` is followed by a blank only.
 *
 * `ids` are in code-point order. Only the entities that occur in a fact take part in the numbering; the others keep
 * their ids as names.
 */
export const nameEntities = (
  ids: ReadonlyArray<string>,
  typeNames: ReadonlyArray<string>,
  occursInFact: (entity: number) => boolean
): ReadonlyArray<EntityText> => {
  const counts = new Map<string, number>()
  const names = ids.slice()
  for (let entity = ids.length - 1; entity >= 0; entity--) {
    if (!occursInFact(entity)) continue
    const id = ids[entity]!
    const end = id.indexOf(bar)
    if (end < 0) {
      names[entity] = `${id} `
      continue
    }
    const label = id.slice(0, end) + (id.includes("basin") ? "basin" : "")
    const number = (counts.get(label) ?? 0) + 1
    counts.set(label, number)
    names[entity] = `${label} ${number}`
  }
  return ids.map((id, entity) => ({ id, type: typeNames[entity] ?? "object", name: names[entity] ?? id }))
}
