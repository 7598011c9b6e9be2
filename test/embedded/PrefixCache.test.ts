import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Lease } from "../../src/embedded/PrefixCache.js"
import { commonPrefixLength, PrefixCache } from "../../src/embedded/PrefixCache.js"

const acquire = (cache: PrefixCache, prompt: ReadonlyArray<number>): Lease => {
  const lease = cache.acquire(prompt)
  if (lease === undefined) throw new Error("no slot is free")
  return lease
}

describe("PrefixCache", () => {
  it("lends the slot with the longest content that the prompt continues", () => {
    const cache = new PrefixCache(3)
    const [a, b] = [acquire(cache, [1, 2]), acquire(cache, [1, 2, 3])]
    cache.release(a, [1, 2])
    cache.release(b, [1, 2, 3])
    const lease = acquire(cache, [1, 2, 3, 4])
    assert.strictEqual(lease.slot, b.slot)
    assert.strictEqual(lease.cached, 3)
  })

  it("takes an unused slot rather than one whose content only begins like the prompt", () => {
    const cache = new PrefixCache(2)
    const first = acquire(cache, [1, 2, 3])
    cache.release(first, [1, 2, 3])
    const other = acquire(cache, [1, 9])
    assert.notStrictEqual(other.slot, first.slot)
    assert.strictEqual(other.cached, 0)
  })

  it("evicts the slot that was unused for longest, and keeps what fits of it", () => {
    const cache = new PrefixCache(2)
    const [a, b] = [acquire(cache, [1, 2, 3]), acquire(cache, [7, 8])]
    cache.release(b, [7, 8])
    cache.release(a, [1, 2, 3])
    const lease = acquire(cache, [7, 9, 9])
    assert.strictEqual(lease.slot, b.slot)
    assert.strictEqual(lease.cached, 1)
  })

  it("leaves the last token of the prompt to compute", () => {
    const cache = new PrefixCache(1)
    cache.release(acquire(cache, [1, 2]), [1, 2, 3])
    assert.strictEqual(acquire(cache, [1, 2, 3]).cached, 2)
  })

  it("never lends a slot twice", () => {
    const cache = new PrefixCache(2)
    assert.notStrictEqual(acquire(cache, [1]).slot, acquire(cache, [1]).slot)
    assert.isUndefined(cache.acquire([1]))
  })

  it("forgets everything when cleared, also what is returned afterwards", () => {
    const cache = new PrefixCache(2)
    const [kept, late] = [acquire(cache, [1, 2]), acquire(cache, [3, 4])]
    cache.release(kept, [1, 2])
    cache.clear()
    assert.strictEqual(acquire(cache, [1, 2, 5]).cached, 0)
    assert.isUndefined(cache.acquire([9]), "a slot that is still lent is not lent again")
    cache.release(late, [3, 4])
    assert.strictEqual(acquire(cache, [3, 4, 5]).cached, 0)
  })

  it("only ever claims tokens that the slot was left with", () => {
    const ids = FastCheck.array(FastCheck.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 6 })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(ids, ids), { maxLength: 40 }), (uses) => {
        const cache = new PrefixCache(3)
        const contents = new Map<number, ReadonlyArray<number>>()
        for (const [prompt, drawn] of uses) {
          const lease = acquire(cache, prompt)
          assert.isAtMost(lease.cached, commonPrefixLength(contents.get(lease.slot) ?? [], prompt))
          assert.isBelow(lease.cached, prompt.length)
          const tokens = [...prompt, ...drawn.slice(0, -1)]
          contents.set(lease.slot, tokens)
          cache.release(lease, tokens)
        }
      }),
      { seed: 4, numRuns: 200 }
    )
  })
})
