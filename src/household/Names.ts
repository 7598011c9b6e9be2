/**
 * The names players see, by id: ALFWorld's rule. An id's class is its text before the first `_bar_`, with `basin`
 * appended if the id has that word anywhere; the instances of a class are numbered downwards in the order of their
 * ids (lower case, code points), so that the last is number 1.
 */
export const displayNames = (ids: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const classed = ids.map((id) => {
    const lower = id.toLowerCase()
    return { id, lower, noun: lower.slice(0, lower.indexOf("_bar_")) + (lower.includes("basin") ? "basin" : "") }
  })
  classed.sort((a, b) => (a.lower > b.lower ? -1 : 1))
  const used = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { id, noun } of classed) {
    const number = (used.get(noun) ?? 0) + 1
    used.set(noun, number)
    names.set(id, `${noun} ${number}`)
  }
  return names
}
