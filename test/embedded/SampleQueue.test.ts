import { beforeEach, describe, expect, it, vi } from "vitest"
import { compiledKernels } from "../../src/embedded/CompiledKernels.js"
import type { SampleOutcome } from "../../src/embedded/Generation.js"
import type { Job, WorkerAnswer, WorkerStart } from "../../src/embedded/Job.js"
import { makeMemory } from "../../src/embedded/Kernels.js"
import { planMemory } from "../../src/embedded/MemoryPlan.js"
import type { SampleAnswer, SampleOrder } from "../../src/embedded/SampleQueue.js"
import { largestBatch, SampleQueue } from "../../src/embedded/SampleQueue.js"
import { WorkerPool } from "../../src/embedded/WorkerPool.js"
import { smallShape } from "./machine.js"

/** A thread that the test lets answer and die when it wants. */
interface FakeThread {
  readonly jobs: ReadonlyArray<Job>
  readonly answer: (answer: WorkerAnswer) => void
  readonly fail: (error: Error) => void
}

const threads = vi.hoisted((): Array<FakeThread> => [])

vi.mock("node:worker_threads", async () => {
  const { EventEmitter: Emitter } = await import("node:events")
  return {
    Worker: class extends Emitter {
      readonly jobs: Array<Job> = []
      constructor() {
        super()
        threads.push({
          jobs: this.jobs,
          answer: (answer) => this.emit("message", answer),
          fail: (error) => {
            this.emit("error", error)
            this.emit("exit", 1)
          }
        })
      }
      postMessage(job: Job): void {
        this.jobs.push(job)
      }
      terminate(): Promise<number> {
        this.emit("exit", 1)
        return Promise.resolve(1)
      }
    }
  }
})

const plan = planMemory({ shape: smallShape, rank: 0, training: "none", workers: 1, slots: 0 })
const start: WorkerStart = { module: compiledKernels(), memory: makeMemory(plan.bytes), plan, workspace: 0 }

const order: SampleOrder = { prompt: [1, 2, 3], temperature: 1, topP: 1, maxTokens: 2, stopTokens: [], seed: 0 }
const outcome: SampleOutcome = { ids: [4, 5], logprobs: [-1, -1], stopReason: "length" }

const outcomesOf = (job: Job): WorkerAnswer => ({
  _tag: "Done",
  result: { kind: "sample", outcomes: job.kind === "sample" ? job.tasks.map(() => outcome) : [] }
})

/** Orders are given to threads in the next turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done))

/** A queue on fake threads, with the answers to each of its orders. */
const queueOn = (workers: number) => {
  const pool = new WorkerPool(Array.from({ length: workers }, () => start))
  const queue = new SampleQueue(pool, workers * largestBatch)
  const answers: Array<Array<SampleAnswer>> = []
  const submit = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const own: Array<SampleAnswer> = []
      answers.push(own)
      queue.submit(order, (answer) => own.push(answer))
    }
  }
  return { pool, answers, submit }
}

beforeEach(() => {
  threads.length = 0
})

describe("SampleQueue", () => {
  it("gives a worker at most eight orders at once and answers every one", async () => {
    const { answers, submit } = queueOn(1)
    submit(20)
    await nextTurn()
    for (let done = 0; done < 3; done++) {
      threads[0].answer(outcomesOf(threads[0].jobs[done]))
      await nextTurn()
    }
    expect(threads[0].jobs.map((job) => job.kind === "sample" && job.tasks.length)).toEqual([8, 8, 4])
    expect(answers.map((own) => own.map(({ _tag }) => _tag))).toEqual(Array.from({ length: 20 }, () => ["Drawn"]))
  })

  it.each([1, 2])("answers every order once when one of %i threads dies, and refuses later ones", async (workers) => {
    const { answers, submit } = queueOn(workers)
    submit(40)
    await nextTurn()
    threads[0].fail(new Error("killed"))
    // The other thread lives on and ends what it was doing.
    for (const thread of threads.slice(1)) thread.answer(outcomesOf(thread.jobs[0]))
    await nextTurn()
    submit(3)
    await nextTurn()
    expect(answers).toHaveLength(43)
    for (const own of answers) {
      expect(own).toEqual([{ _tag: "Failed", reason: expect.stringContaining("killed") }])
    }
    expect(threads.map(({ jobs }) => jobs.length)).toEqual(new Array(workers).fill(1))
  })

  it.each([1, 2])("answers every order once when %i threads are closed", async (workers) => {
    const { answers, pool, submit } = queueOn(workers)
    submit(40)
    await nextTurn()
    await pool.terminate()
    await nextTurn()
    submit(1)
    await nextTurn()
    for (const own of answers) {
      expect(own).toEqual([{ _tag: "Failed", reason: "the engine was closed" }])
    }
  })
})
