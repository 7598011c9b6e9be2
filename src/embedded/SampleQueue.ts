import type { SampleOutcome, SampleTask } from "./Generation.js"
import type { Lease } from "./PrefixCache.js"
import { PrefixCache } from "./PrefixCache.js"
import type { WorkerPool } from "./WorkerPool.js"

/** Most continuations drawn together by one worker: more of them no longer fit its cache and are slower. */
export const largestBatch = 8

/** A continuation before it has a slot. */
export type SampleOrder = Omit<SampleTask, "slot" | "cached">

/** How an order ended. */
export type SampleAnswer =
  | { readonly _tag: "Drawn"; readonly outcome: SampleOutcome; readonly cached: number }
  | { readonly _tag: "Failed"; readonly reason: string }

interface Waiting {
  readonly order: SampleOrder
  readonly done: (answer: SampleAnswer) => void
}

interface Started extends Waiting {
  readonly lease: Lease
}

/**
 * Collects orders and gives each idle worker up to eight of them at once. Orders that arrive in one turn of the event
 * loop are seen together.
 */
export class SampleQueue {
  private readonly waiting: Array<Waiting> = []
  private readonly cache: PrefixCache
  private scheduled = false

  constructor(private readonly pool: WorkerPool, slots: number) {
    this.cache = new PrefixCache(slots)
    pool.onIdle(() => this.schedule())
  }

  /** Takes an order, which fails where the pool has broken down; the result cancels it, if it has not begun. */
  submit(order: SampleOrder, done: (answer: SampleAnswer) => void): () => void {
    const waiting: Waiting = { order, done }
    this.waiting.push(waiting)
    this.schedule()
    return () => {
      const index = this.waiting.indexOf(waiting)
      if (index >= 0) this.waiting.splice(index, 1)
    }
  }

  /** Forgets what the slots hold, because the weights change. */
  forget(): void {
    this.cache.clear()
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.dispatch()
    })
  }

  private dispatch(): void {
    const { broken } = this.pool
    if (broken !== undefined) {
      for (const { done } of this.waiting.splice(0)) done({ _tag: "Failed", reason: broken })
      return
    }
    for (let idle = this.pool.idleCount; idle > 0 && this.waiting.length > 0; idle--) {
      const size = Math.min(largestBatch, Math.ceil(this.waiting.length / idle))
      const batch = this.waiting.splice(0, size).flatMap((waiting) => this.begin(waiting) ?? [])
      if (batch.length === 0) return
      this.run(batch)
    }
  }

  /** Gives an order a slot, or puts it back where none is free. */
  private begin(waiting: Waiting): Started | undefined {
    const lease = this.cache.acquire(waiting.order.prompt)
    if (lease === undefined) {
      this.waiting.push(waiting)
      return undefined
    }
    return { ...waiting, lease }
  }

  private run(batch: ReadonlyArray<Started>): void {
    const tasks = batch.map(({ lease, order }) => ({ ...order, slot: lease.slot, cached: lease.cached }))
    this.pool.submit({ kind: "sample", tasks }, (answer) => {
      const outcomes = answer._tag === "Done" && answer.result.kind === "sample" ? answer.result.outcomes : []
      const reason = answer._tag === "Failed" ? answer.reason : "the worker gave another result"
      batch.forEach(({ done, lease, order }, index) => {
        const outcome = outcomes[index]
        if (outcome === undefined) {
          this.cache.release(lease, [])
          done({ _tag: "Failed", reason })
        } else {
          this.cache.release(lease, [...order.prompt, ...outcome.ids.slice(0, -1)])
          done({ _tag: "Drawn", outcome, cached: lease.cached })
        }
      })
      this.schedule()
    })
  }
}
