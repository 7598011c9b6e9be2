import { assert, describe, it } from "@effect/vitest"
import { generator } from "../../src/domain/Randomness.js"
import { computeLogits, embedTokens, forward, normalizeRow } from "../../src/embedded/Forward.js"
import { assignShards, batchesOf } from "../../src/embedded/Gradient.js"
import type { Machine } from "../../src/embedded/Machine.js"
import { slotCache } from "../../src/embedded/MemoryPlan.js"
import { standardShape } from "../../src/embedded/ModelShape.js"
import { scoreBatch } from "../../src/embedded/Scoring.js"
import { randomIds, testMachine } from "./machine.js"

/** Lengths on both sides of all block sizes. */
const lengths = [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 30]

/** Log-probabilities of one sequence fed piece by piece into a slot. */
const scoreInPieces = (machine: Machine, ids: ReadonlyArray<number>, pieceLength: number): Array<number> => {
  const values: Array<number> = []
  for (let from = 0; from < ids.length; from += pieceLength) {
    const to = Math.min(ids.length, from + pieceLength)
    embedTokens(machine, ids, from, to, 0)
    const segment = { row: 0, rows: to - from, position: from, cache: slotCache(machine.plan, 1) }
    const hidden = forward(machine, to - from, [segment], false)
    computeLogits(machine, hidden, Array.from({ length: to - from }, (_, row) => row))
    for (let t = from; t < to && t + 1 < ids.length; t++) {
      values.push(normalizeRow(machine, t - from).logprob(ids[t + 1]))
    }
  }
  return values
}

describe("scoreBatch", () => {
  it.each([["inference", "none"], ["training", "adapter"]] as const)(
    "gives a sequence the same bits alone and among others (%s)",
    (_, training) => {
      const machine = testMachine({ rank: 8, training })
      const random = generator(1)
      const sequences = lengths.map((length) => randomIds(random, length))
      const together = [...scoreBatch(machine, sequences, training === "adapter").logprobs]
      const alone = sequences.flatMap((ids) => [...scoreBatch(machine, [ids], training === "adapter").logprobs])
      const backwards = [...sequences].reverse()
      const reversed = backwards.map((ids) => [...scoreBatch(machine, [ids], false).logprobs]).reverse().flat()
      assert.deepStrictEqual(alone, together)
      assert.deepStrictEqual(reversed, together)
    }
  )

  it("gives the same bits when a sequence is fed in pieces of any length", () => {
    const machine = testMachine({ shape: { ...standardShape(50), layers: 1, contextLength: 304 } })
    const ids = randomIds(generator(2), 300, 50)
    const whole = [...scoreBatch(machine, [ids], false).logprobs]
    for (const pieceLength of [1, 5, 8, 100]) {
      assert.deepStrictEqual(scoreInPieces(machine, ids, pieceLength), whole)
    }
  })

  it("gives probabilities: over the vocabulary they sum to 1", () => {
    const machine = testMachine()
    scoreBatch(machine, [[3, 4, 5]], false)
    const { logprob } = normalizeRow(machine, 0)
    // The row already holds probabilities here, whose softmax sums to 1 as well.
    const sum = Array.from({ length: 21 }, (_, token) => Math.exp(logprob(token))).reduce((x, y) => x + y, 0)
    assert.closeTo(sum, 1, 1e-6)
  })
})

describe("grouping", () => {
  it("assignShards spreads tokens evenly, by length alone", () => {
    assert.deepStrictEqual(assignShards([5, 100, 5, 100, 100, 100, 7]), [[1, 6], [3, 0], [4, 2], [5]])
    assert.deepStrictEqual(assignShards([]), [[], [], [], []])
  })

  it("batchesOf keeps order and capacity", () => {
    const rows = (n: number): number => n
    assert.deepStrictEqual(batchesOf([3, 4, 5, 9, 1], rows, 9), [[3, 4], [5], [9], [1]])
    assert.deepStrictEqual(batchesOf([], rows, 9), [])
  })
})
