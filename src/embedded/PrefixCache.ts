/**
 * Which tokens the key-value slots hold. Only bookkeeping: the keys and values themselves lie in the engine's memory.
 * Whatever is decided here changes how much is computed again, never a result.
 */

/** A slot lent to one continuation. */
export interface Lease {
  readonly slot: number
  /** How many of the prompt's first tokens the slot holds already. */
  readonly cached: number
  /** How often the cache had been cleared when the slot was lent. */
  readonly generation: number
}

interface Slot {
  tokens: ReadonlyArray<number>
  busy: boolean
  /** When it was last returned; 0 if never. */
  lastUsed: number
}

/** How many of the first elements are equal. */
export const commonPrefixLength = (x: ReadonlyArray<number>, y: ReadonlyArray<number>): number => {
  const limit = Math.min(x.length, y.length)
  let length = 0
  while (length < limit && x[length] === y[length]) length++
  return length
}

export class PrefixCache {
  private readonly slots: Array<Slot>
  private clock = 0
  private generation = 0

  constructor(count: number) {
    this.slots = Array.from({ length: count }, () => ({ tokens: [], busy: false, lastUsed: 0 }))
  }

  /**
   * Lends a slot for a prompt: the one with the longest content that the prompt continues, else the one that was unused
   * for longest. At least one token of the prompt is left to compute. `undefined` while all are lent.
   */
  acquire(prompt: ReadonlyArray<number>): Lease | undefined {
    let continued: { readonly index: number; readonly length: number } | undefined
    let oldest: number | undefined
    this.slots.forEach((slot, index) => {
      if (slot.busy) return
      const length = slot.tokens.length
      if (length > (continued?.length ?? 0) && commonPrefixLength(slot.tokens, prompt) === length) {
        continued = { index, length }
      }
      if (oldest === undefined || slot.lastUsed < this.slots[oldest].lastUsed) oldest = index
    })
    const chosen = continued?.index ?? oldest
    if (chosen === undefined) return undefined
    const slot = this.slots[chosen]
    slot.busy = true
    const cached = Math.min(commonPrefixLength(slot.tokens, prompt), prompt.length - 1)
    return { slot: chosen, cached, generation: this.generation }
  }

  /** Takes a slot back with the tokens it now holds, which count for nothing if the cache was cleared meanwhile. */
  release(lease: Lease, tokens: ReadonlyArray<number>): void {
    this.clock += 1
    this.slots[lease.slot] = {
      tokens: lease.generation === this.generation ? tokens : [],
      busy: false,
      lastUsed: this.clock
    }
  }

  /**
   * Forgets all tokens: the weights have changed. Slots that are lent stay so until they are returned, since an
   * abandoned continuation may still be writing to them.
   */
  clear(): void {
    this.generation += 1
    for (const slot of this.slots) slot.tokens = []
  }
}
