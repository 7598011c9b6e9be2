import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { compiledKernels } from "./CompiledKernels.js"
import type { ShardResult } from "./Gradient.js"
import { assignShards } from "./Gradient.js"
import type { Job, JobResult } from "./Job.js"
import { makeMemory, maximumMemoryBytes } from "./Kernels.js"
import type { Loss, LossDatum } from "./Loss.js"
import type { Machine } from "./Machine.js"
import { makeMachine } from "./Machine.js"
import type { PlanRequest } from "./MemoryPlan.js"
import { planMemory } from "./MemoryPlan.js"
import { shapeProblem } from "./ModelShape.js"
import { writeRotaryTables } from "./Parameters.js"
import { WorkerPool } from "./WorkerPool.js"

/** The computation could not be carried out. */
export class EngineError extends Schema.TaggedError<EngineError>("agentopsd/EmbeddedEngineError")("EngineError", {
  operation: Schema.String,
  reason: Schema.String,
  fix: Schema.String
}) {
  override get message(): string {
    return `Embedded engine: ${this.operation} failed: ${this.reason}. ${this.fix}`
  }
}

/** A model in shared memory with the threads that compute on it. */
export interface Engine {
  /** The main thread's access to parameters, gradients and moments. It has no workspace of its own. */
  readonly machine: Machine
  readonly pool: WorkerPool
}

/** Allocates the memory and starts the workers; both end with the scope. */
export const makeEngine = Effect.fn("Engine.make")(function*(request: PlanRequest) {
  const problem = shapeProblem(request.shape)
  if (problem !== undefined) {
    return yield* new EngineError({ operation: "start", reason: problem, fix: "Choose another model shape" })
  }
  const plan = planMemory(request)
  if (plan.bytes > maximumMemoryBytes) {
    return yield* new EngineError({
      operation: "start",
      reason: `the model, ${request.workers} workers and ${request.slots} cached sequences need ${plan.bytes} bytes`,
      fix: `Use fewer workers or cached sequences: at most ${maximumMemoryBytes} bytes can be addressed`
    })
  }
  const module = compiledKernels()
  const memory = makeMemory(plan.bytes)
  const machine = makeMachine(module, memory, plan, 0)
  writeRotaryTables(machine)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new WorkerPool(plan.workspaces.map((_, workspace) => ({ module, memory, plan, workspace })))
    ),
    (started) => Effect.promise(() => started.terminate())
  )
  const engine: Engine = { machine, pool }
  return engine
}) satisfies (request: PlanRequest) => Effect.Effect<Engine, EngineError, Scope.Scope>

/** Does one job on whichever worker is free first. Interruption abandons the result, not the job. */
const run = <A extends JobResult>(
  engine: Engine,
  job: Job,
  isOwn: (result: JobResult) => result is A
): Effect.Effect<A, EngineError> =>
  Effect.async((resume) => {
    engine.pool.submit(job, (answer) => {
      if (answer._tag === "Failed") {
        const fix = "Start again; results do not depend on how often it was tried"
        resume(Effect.fail(new EngineError({ operation: job.kind, reason: answer.reason, fix })))
      } else if (isOwn(answer.result)) {
        resume(Effect.succeed(answer.result))
      } else {
        resume(Effect.dieMessage(`A ${job.kind} job was answered by a ${answer.result.kind} result`))
      }
    })
  })

/** Log-probabilities (nats) of every token after the first. */
export const scoreSequence = (engine: Engine, ids: ReadonlyArray<number>): Effect.Effect<Float64Array, EngineError> =>
  Effect.map(
    run(engine, { kind: "score", ids }, (result) => result.kind === "score"),
    (result) => result.logprobs
  )

/** The loss of all data, and per datum one log-probability per token after the first. */
export interface GradientResult {
  readonly loss: number
  readonly logprobs: ReadonlyArray<Float64Array>
}

/**
 * Adds the gradient of the data's loss to the shards. Uninterruptible: gradients are never left half gathered. A
 * failure of a worker or a loss that is not a number leaves them unusable; the caller clears them.
 */
export const addGradient = Effect.fn("Engine.addGradient")(function*(
  engine: Engine,
  data: ReadonlyArray<LossDatum>,
  loss: Loss
) {
  const { gradients } = engine.machine.plan
  const shards = assignShards(data.map((datum) => datum.ids.length))
  const results = yield* Effect.forEach(
    shards,
    (members, shard) =>
      members.length === 0
        ? Effect.succeed<ShardResult>({ loss: 0, logprobs: [] })
        : Effect.map(
          run(
            engine,
            { kind: "gradient", data: members.map((index) => data[index]), loss, gradient: gradients[shard] },
            (result) => result.kind === "gradient"
          ),
          (answer) => answer.result
        ),
    { concurrency: "unbounded" }
  )
  const logprobs = new Array<Float64Array>(data.length)
  let total = 0
  shards.forEach((members, shard) => {
    total += results[shard].loss
    members.forEach((index, position) => {
      logprobs[index] = results[shard].logprobs[position]
    })
  })
  if (!Number.isFinite(total)) {
    return yield* new EngineError({
      operation: "gradient",
      reason: `the loss is ${total}`,
      fix: "Look for log-probabilities or advantages that are not finite, or lower the learning rate"
    })
  }
  const result: GradientResult = { loss: total, logprobs }
  return result
}, Effect.uninterruptible)
