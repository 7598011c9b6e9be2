import { Worker } from "node:worker_threads"
import type { Job, WorkerAnswer, WorkerStart } from "./Job.js"
import { workerSource } from "./workerSource.js"

/** Called once with a job's end. */
export type JobCallback = (answer: WorkerAnswer) => void

interface QueuedJob {
  readonly job: Job
  readonly done: JobCallback
}

interface Member {
  readonly worker: Worker
  running: QueuedJob | undefined
}

/** Worker threads that take jobs from one queue. The main thread only passes messages. */
export class WorkerPool {
  private readonly members: ReadonlyArray<Member>
  private readonly queue: Array<QueuedJob> = []
  private breakReason: string | undefined
  private idleListener: () => void = () => {}

  constructor(starts: ReadonlyArray<WorkerStart>) {
    this.members = starts.map((workerData) => {
      // Loaders that the main thread was started with (tsx, a test runner) are of no use to the bundled script.
      const worker = new Worker(workerSource, { eval: true, workerData, execArgv: [] })
      const member: Member = { worker, running: undefined }
      worker.on("message", (answer: WorkerAnswer) => this.finish(member, answer))
      worker.on("error", (error) => this.breakDown(`a worker thread failed: ${String(error)}`))
      worker.on("exit", (code) => this.breakDown(`a worker thread ended with code ${code}`))
      return member
    })
  }

  /** Why the pool does no more jobs, once a thread has died or it was closed. */
  get broken(): string | undefined {
    return this.breakReason
  }

  /** Workers with nothing to do that can be given something. */
  get idleCount(): number {
    if (this.breakReason !== undefined) return 0
    return this.queue.length > 0 ? 0 : this.members.filter((member) => member.running === undefined).length
  }

  /** Called whenever a worker has become idle, and when the pool has broken down. */
  onIdle(listener: () => void): void {
    this.idleListener = listener
  }

  submit(job: Job, done: JobCallback): void {
    if (this.breakReason !== undefined) {
      done({ _tag: "Failed", reason: this.breakReason })
      return
    }
    this.queue.push({ job, done })
    this.dispatch()
  }

  /** Ends the threads; jobs that are not done fail. */
  async terminate(): Promise<void> {
    this.breakDown("the engine was closed")
    await Promise.all(this.members.map((member) => member.worker.terminate()))
  }

  private dispatch(): void {
    for (const member of this.members) {
      if (member.running !== undefined) continue
      const next = this.queue.shift()
      if (next === undefined) return
      member.running = next
      member.worker.postMessage(next.job)
    }
  }

  private finish(member: Member, answer: WorkerAnswer): void {
    // A thread that outlives the breakdown may still answer a job that has failed already.
    if (this.breakReason !== undefined) return
    const running = member.running
    member.running = undefined
    this.dispatch()
    running?.done(answer)
    if (this.idleCount > 0) this.idleListener()
  }

  private breakDown(reason: string): void {
    if (this.breakReason !== undefined) return
    this.breakReason = reason
    const lost = [...this.members.flatMap((member) => member.running ?? []), ...this.queue.splice(0)]
    for (const member of this.members) member.running = undefined
    for (const { done } of lost) done({ _tag: "Failed", reason })
    this.idleListener()
  }
}
