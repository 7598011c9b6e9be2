import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { contains, emptyColumn, insert, makeRelation, type Relation, remove } from "../../src/alfworld/Relation.js"

const entities = 4
const fact = FastCheck.tuple(FastCheck.nat({ max: entities - 1 }), FastCheck.nat({ max: entities - 1 }))

const listed = (relation: Relation): ReadonlyArray<string> => relation.all.map((each) => each.join(" "))

/** Everything a relation answers agrees with a plain set of facts. */
const expectSame = (relation: Relation, facts: ReadonlySet<string>): void => {
  const sorted = [...facts].sort()
  expect(listed(relation)).toEqual(sorted)
  relation.index.forEach((column, position) => {
    column.forEach((list, entity) => {
      expect(list.map((each) => each.join(" "))).toEqual(
        sorted.filter((each) => each.split(" ")[position] === String(entity))
      )
    })
  })
}

describe("Relation", () => {
  it("keeps facts sorted and indexed through any insertions and removals, without changing older relations", () => {
    const changes = FastCheck.array(FastCheck.tuple(FastCheck.boolean(), fact), { maxLength: 30 })
    FastCheck.assert(FastCheck.property(FastCheck.array(fact), changes, (initial, steps) => {
      const first = makeRelation(2, emptyColumn(entities), initial)
      const before = new Set(initial.map((each) => each.join(" ")))
      const facts = new Set(before)
      let relation = first
      for (const [added, each] of steps) {
        const known = facts.has(each.join(" "))
        expect(contains(relation, each)).toBe(known)
        const next = added ? insert(relation, each) : remove(relation, each)
        if (known === added) expect(next).toBe(relation)
        if (added) facts.add(each.join(" "))
        else facts.delete(each.join(" "))
        relation = next
        expectSame(relation, facts)
      }
      expectSame(first, before)
    }))
  })

  it("holds one fact at most when the predicate has no arguments", () => {
    const none = makeRelation(0, emptyColumn(entities), [])
    expect(contains(none, [])).toBe(false)
    const one = insert(none, [])
    expect(contains(one, [])).toBe(true)
    expect(insert(one, [])).toBe(one)
    expect(contains(remove(one, []), [])).toBe(false)
  })
})
