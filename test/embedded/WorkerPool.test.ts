import { assert, describe, it } from "@effect/vitest"
import { compiledKernels } from "../../src/embedded/CompiledKernels.js"
import type { Job, WorkerAnswer, WorkerStart } from "../../src/embedded/Job.js"
import { makeMemory } from "../../src/embedded/Kernels.js"
import { planMemory } from "../../src/embedded/MemoryPlan.js"
import type { SampleAnswer } from "../../src/embedded/SampleQueue.js"
import { SampleQueue } from "../../src/embedded/SampleQueue.js"
import { WorkerPool } from "../../src/embedded/WorkerPool.js"
import { smallShape } from "./machine.js"

const start = (change: Partial<WorkerStart> = {}): WorkerStart => {
  const plan = planMemory({ shape: smallShape, rank: 0, training: "none", workers: 1, slots: 0 })
  return { module: compiledKernels(), memory: makeMemory(plan.bytes), plan, workspace: 0, ...change }
}

const job: Job = { kind: "score", ids: [1, 2, 3] }
const answerTo = (pool: WorkerPool): Promise<WorkerAnswer> => new Promise((done) => pool.submit(job, done))

const reasonOf = (answer: WorkerAnswer): string => (answer._tag === "Failed" ? answer.reason : "it was done")

describe("WorkerPool", () => {
  it("does more jobs than it has workers", async () => {
    const pool = new WorkerPool([start(), start()])
    const answers = await Promise.all(Array.from({ length: 9 }, () => answerTo(pool)))
    assert.isTrue(answers.every((answer) => answer._tag === "Done"))
    assert.strictEqual(pool.idleCount, 2)
    await pool.terminate()
  })

  it("answers a job that throws, and goes on", async () => {
    // There is no workspace of this number, so every job fails on it.
    const pool = new WorkerPool([start({ workspace: 7 })])
    assert.include(reasonOf(await answerTo(pool)), "undefined")
    assert.include(reasonOf(await answerTo(pool)), "undefined")
    await pool.terminate()
  })

  it("fails all jobs, waiting and later ones, when a thread dies", async () => {
    const pool = new WorkerPool([start({ module: {} })])
    const answers = await Promise.all([answerTo(pool), answerTo(pool), answerTo(pool)])
    for (const answer of answers) assert.include(reasonOf(answer), "a worker thread failed")
    assert.include(reasonOf(await answerTo(pool)), "a worker thread failed")
    await pool.terminate()
  })

  it.each([1, 2])("leaves no sample order unanswered when its threads die (%i of them)", async (workers) => {
    const dying = start({ module: {} })
    const pool = new WorkerPool(workers === 1 ? [dying] : [dying, dying])
    const queue = new SampleQueue(pool, 16)
    const order = { prompt: [1, 2, 3], temperature: 1, topP: 1, maxTokens: 2, stopTokens: [], seed: 0 }
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => new Promise<SampleAnswer>((done) => queue.submit(order, done)))
    )
    for (const answer of answers) {
      assert.include(answer._tag === "Failed" ? answer.reason : "it was drawn", "a worker thread failed")
    }
    await pool.terminate()
  })

  it("fails what is not done when it is closed", async () => {
    const pool = new WorkerPool([start()])
    const pending = [answerTo(pool), answerTo(pool), answerTo(pool)]
    await pool.terminate()
    for (const answer of await Promise.all(pending)) assert.include(reasonOf(answer), "closed")
  })
})
