import type { Segment } from "./Forward.js"
import { computeLogits, embedTokens, forward, normalizeRow } from "./Forward.js"
import type { Machine } from "./Machine.js"
import type { KeyValueCache } from "./MemoryPlan.js"

/** Sequences that went through the network together, as the backward pass needs them. */
export interface ScoredBatch {
  readonly sequences: ReadonlyArray<ArrayLike<number>>
  readonly segments: ReadonlyArray<Segment>
  /** Rows of the batch in all. */
  readonly rows: number
  /** One entry per predicted token, sequence by sequence: its row in the batch, and its id. */
  readonly predictingRows: ReadonlyArray<number>
  readonly targets: ReadonlyArray<number>
  /** Log-probability (nats) of each predicted token. */
  readonly logprobs: Float64Array
}

/** The workspace's own cache. Layers and sequences take turns in it, since each is done before the next begins. */
const ownCache = (machine: Machine): KeyValueCache => ({
  capacity: machine.workspace.maxRows,
  keys: () => machine.workspace.keys,
  values: () => machine.workspace.values
})

/**
 * Scores whole sequences, each token after the first. Together they must fit the workspace. With `keep`, the
 * probabilities stay in `workspace.logits` and the activations where the backward pass finds them.
 */
export const scoreBatch = (
  machine: Machine,
  sequences: ReadonlyArray<ArrayLike<number>>,
  keep: boolean
): ScoredBatch => {
  const cache = ownCache(machine)
  const segments: Array<Segment> = []
  const predictingRows: Array<number> = []
  const targets: Array<number> = []
  let rows = 0
  for (const ids of sequences) {
    embedTokens(machine, ids, 0, ids.length, rows)
    segments.push({ row: rows, rows: ids.length, position: 0, cache })
    for (let t = 1; t < ids.length; t++) {
      predictingRows.push(rows + t - 1)
      targets.push(ids[t])
    }
    rows += ids.length
  }
  const hidden = forward(machine, rows, segments, keep)
  computeLogits(machine, hidden, predictingRows)
  const logprobs = new Float64Array(targets.length)
  for (let k = 0; k < targets.length; k++) logprobs[k] = normalizeRow(machine, k).logprob(targets[k])
  return { sequences, segments, rows, predictingRows, targets, logprobs }
}
