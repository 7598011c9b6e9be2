// The worker thread: does one job after another. `bin/build-kernels.mjs` bundles it into `workerSource.ts`.

import { parentPort, workerData } from "node:worker_threads"
import type { Job, WorkerAnswer, WorkerStart } from "./Job.js"
import { runJob } from "./Job.js"
import { makeMachine } from "./Machine.js"

const start: WorkerStart = workerData
const machine = makeMachine(start.module, start.memory, start.plan, start.workspace)

const answer = (job: Job): WorkerAnswer => {
  try {
    return { _tag: "Done", result: runJob(machine, job) }
  } catch (error) {
    return { _tag: "Failed", reason: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on("message", (job: Job) => parentPort?.postMessage(answer(job)))
