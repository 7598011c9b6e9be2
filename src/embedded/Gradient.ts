import { backward } from "./Backward.js"
import type { Address } from "./Kernels.js"
import type { Loss, LossDatum } from "./Loss.js"
import { tokenLoss } from "./Loss.js"
import type { Machine } from "./Machine.js"
import { shardCount } from "./MemoryPlan.js"
import { scoreBatch } from "./Scoring.js"

/**
 * Divides data among the shards by length: the longest first, each to the shard with the fewest tokens so far. The
 * result depends on the lengths alone.
 */
export const assignShards = (lengths: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> => {
  const shards = Array.from({ length: shardCount }, () => ({ members: new Array<number>(), tokens: 0 }))
  const order = lengths.map((_, index) => index).sort((x, y) => lengths[y] - lengths[x] || x - y)
  for (const index of order) {
    const lightest = shards.reduce((best, shard) => (shard.tokens < best.tokens ? shard : best))
    lightest.members.push(index)
    lightest.tokens += lengths[index]
  }
  return shards.map((shard) => shard.members)
}

/** Groups consecutive items into batches of at most `capacity` rows. */
export const batchesOf = <A>(
  items: ReadonlyArray<A>,
  rowsOf: (item: A) => number,
  capacity: number
): ReadonlyArray<ReadonlyArray<A>> => {
  const batches: Array<Array<A>> = []
  let rows = capacity
  for (const item of items) {
    const added = rowsOf(item)
    if (rows + added > capacity) {
      batches.push([])
      rows = 0
    }
    batches[batches.length - 1].push(item)
    rows += added
  }
  return batches
}

/** The loss of a shard and the log-probabilities it was made of. */
export interface ShardResult {
  readonly loss: number
  /** Per datum, one value per token after the first. */
  readonly logprobs: ReadonlyArray<Float64Array>
}

/** Adds the gradient of the data's loss to a shard, datum by datum in order. */
export const addShardGradient = (
  machine: Machine,
  data: ReadonlyArray<LossDatum>,
  loss: Loss,
  gradient: Address
): ShardResult => {
  let total = 0
  const logprobs: Array<Float64Array> = []
  for (const batch of batchesOf(data, (datum) => datum.ids.length, machine.workspace.maxRows)) {
    const scored = scoreBatch(machine, batch.map((datum) => datum.ids), true)
    const coefficients = new Float64Array(scored.logprobs.length)
    let first = 0
    for (const datum of batch) {
      const count = datum.ids.length - 1
      const own = scored.logprobs.slice(first, first + count)
      for (let t = 1; t <= count; t++) {
        const token = tokenLoss(loss, own[t - 1], datum.oldLogprobs[t], datum.weights[t])
        total += token.value
        coefficients[first + t - 1] = token.derivative
      }
      logprobs.push(own)
      first += count
    }
    backward(machine, scored, coefficients, gradient)
  }
  return { loss: total, logprobs }
}
