import type { SampleOutcome, SampleTask } from "./Generation.js"
import { generate } from "./Generation.js"
import type { ShardResult } from "./Gradient.js"
import { addShardGradient } from "./Gradient.js"
import type { Address, EngineMemory, KernelsModule } from "./Kernels.js"
import type { Loss, LossDatum } from "./Loss.js"
import type { Machine } from "./Machine.js"
import type { MemoryPlan } from "./MemoryPlan.js"
import { scoreBatch } from "./Scoring.js"

/** What a worker is asked to do. Everything large lies in shared memory; a job carries token ids and small numbers. */
export type Job =
  | { readonly kind: "sample"; readonly tasks: ReadonlyArray<SampleTask> }
  | { readonly kind: "score"; readonly ids: ReadonlyArray<number> }
  | {
    readonly kind: "gradient"
    readonly data: ReadonlyArray<LossDatum>
    readonly loss: Loss
    readonly gradient: Address
  }

export type JobResult =
  | { readonly kind: "sample"; readonly outcomes: ReadonlyArray<SampleOutcome> }
  | { readonly kind: "score"; readonly logprobs: Float64Array }
  | { readonly kind: "gradient"; readonly result: ShardResult }

/** Does a job. */
export const runJob = (machine: Machine, job: Job): JobResult => {
  switch (job.kind) {
    case "sample":
      return { kind: "sample", outcomes: generate(machine, job.tasks) }
    case "score":
      return { kind: "score", logprobs: scoreBatch(machine, [job.ids], false).logprobs }
    case "gradient":
      return { kind: "gradient", result: addShardGradient(machine, job.data, job.loss, job.gradient) }
  }
}

/** What a worker is started with. */
export interface WorkerStart {
  readonly module: KernelsModule
  readonly memory: EngineMemory
  readonly plan: MemoryPlan
  /** The number of its workspace. */
  readonly workspace: number
}

/** A worker's answer to one job; workers answer in order. */
export type WorkerAnswer =
  | { readonly _tag: "Done"; readonly result: JobResult }
  | { readonly _tag: "Failed"; readonly reason: string }
