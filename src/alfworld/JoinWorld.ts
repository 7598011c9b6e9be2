import type { Domain } from "./Domain.js"
import type { Budget, FactBase, JoinWorld } from "./Join.js"
import type { Objects } from "./Problem.js"

/** What the planning of joins needs to know of a game; everything is worked out at first use. */
export const makeJoinWorld = (domain: Domain, objects: Objects, facts: FactBase, budget: Budget): JoinWorld => {
  const memberLists = new Map<number, ReadonlyArray<number>>()
  const masks = new Map<number, Uint8Array>()
  const distinct = new Map<number, ReadonlyArray<number>>()
  const members = (type: number): ReadonlyArray<number> => {
    const known = memberLists.get(type)
    if (known !== undefined) return known
    const list = objects.types.flatMap((own, entity) => domain.types.isA(own, type) ? [entity] : [])
    memberLists.set(type, list)
    return list
  }
  return {
    budget,
    members,
    mask: (type) => {
      if (type === 0) return undefined
      const known = masks.get(type)
      if (known !== undefined) return known
      const mask = new Uint8Array(objects.ids.length)
      for (const entity of members(type)) mask[entity] = 1
      masks.set(type, mask)
      return mask
    },
    factCount: (predicate) => facts[predicate]!.all.length,
    distinctCount: (predicate, position) => {
      const known = distinct.get(predicate)
      if (known !== undefined) return known[position]!
      const counts = facts[predicate]!.index.map((column) => column.filter((list) => list.length > 0).length)
      distinct.set(predicate, counts)
      return counts[position]!
    }
  }
}
