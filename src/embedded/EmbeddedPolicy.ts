import { availableParallelism } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Capabilities, SamplerSource, TrainerSource } from "../services/Policy.js"
import { Policy, PolicyError } from "../services/Policy.js"
import type { AdapterFileError, AdapterState } from "./AdapterFile.js"
import { adapterBaseModel, checksumOf, decodeAdapter } from "./AdapterFile.js"
import type { BaseModel, ModelFiles } from "./BaseModels.js"
import { loadBaseModel, packagedModels } from "./BaseModels.js"
import { makeCheckpoints } from "./Checkpoints.js"
import { makeSampler } from "./EmbeddedSampler.js"
import { makeTrainer } from "./EmbeddedTrainer.js"
import { largestRank, standardContext } from "./ModelShape.js"
import type { Engine } from "./Engine.js"
import { makeEngine } from "./Engine.js"
import type { PlacedTensor } from "./MemoryPlan.js"
import { initializeAdapter, packParameters, writeTensors } from "./Parameters.js"
import { backend, engineFailed, refused } from "./PolicyFailure.js"
import { largestBatch, SampleQueue } from "./SampleQueue.js"

/** Where and how the embedded policy works. */
export interface EmbeddedPolicyOptions {
  /** The folder that holds run folders: `embedded://RUN/state/NAME` is `<directory>/RUN/state/NAME.bin`. */
  readonly directory: string
  /** Worker threads; the number of cores, at most 4, where absent. Changes no result. */
  readonly workers?: number
  /**
   * Sequences whose keys and values are kept between turns, about 3 MB each when full; 64 where absent. With more
   * trajectories in flight than this, histories are computed again every turn. Changes no result.
   */
  readonly cachedSequences?: number
  /** Base models by name; those of the package where absent. */
  readonly models?: ModelFiles
}

const capabilities: Capabilities = { maxSequenceTokens: standardContext, lossReduction: "sum", deterministic: true }

const damaged = (error: AdapterFileError): PolicyError =>
  new PolicyError({
    backend,
    operation: "open",
    reason: error.message,
    fix: "Use another checkpoint of the run",
    kind: "corrupt",
    cause: error
  })

const writeBase = (engine: Engine, base: BaseModel): void => {
  writeTensors(engine.machine, engine.machine.plan.model.base.tensors, base.weights.tensors)
}

/** Puts a state's parameters, and where it has them, the optimiser's moments, into memory. */
const writeAdapter = (engine: Engine, state: AdapterState): void => {
  const { machine } = engine
  const { firstMoments, model: { adapter }, secondMoments } = machine.plan
  writeTensors(machine, adapter.tensors, state.parameters)
  if (state.optimizer === undefined) return
  const moved = (start: number): ReadonlyArray<PlacedTensor> =>
    adapter.tensors.map((tensor) => ({ ...tensor, address: start + tensor.address - adapter.start }))
  writeTensors(machine, moved(firstMoments), state.optimizer.firstMoments)
  writeTensors(machine, moved(secondMoments), state.optimizer.secondMoments)
}

const make = Effect.fn("EmbeddedPolicy.make")(function*(options: EmbeddedPolicyOptions) {
  const fs = yield* FileSystem.FileSystem
  const checkpoints = yield* makeCheckpoints(options.directory)
  const files = options.models ?? packagedModels
  const workers = options.workers ?? Math.min(4, availableParallelism())
  const slots = Math.max(options.cachedSequences ?? 64, largestBatch * workers)

  const load = (name: string): Effect.Effect<BaseModel, PolicyError> =>
    Effect.provideService(loadBaseModel(files, name), FileSystem.FileSystem, fs)

  const startEngine = (base: BaseModel, rank: number, training: "none" | "adapter") =>
    makeEngine({ shape: base.weights.shape, rank, training, workers, slots }).pipe(
      Effect.mapError(engineFailed("open", "refused"))
    )

  /** A checkpoint with its base model, which must be the one that it was trained on. */
  const restore = Effect.fn("EmbeddedPolicy.restore")(function*(
    path: string,
    kind: "state" | "weights",
    expectedBase: string | undefined
  ) {
    const { bytes, file } = yield* checkpoints.read(path, kind)
    const name = yield* Effect.mapError(adapterBaseModel(bytes, file), damaged)
    if (expectedBase !== undefined && expectedBase !== name) {
      const fix = `Give ${name} as the base model`
      return yield* refused("open", `${path} was trained on the base model ${name}, not on ${expectedBase}`, fix)
    }
    const base = yield* load(name)
    const state = yield* Effect.mapError(decodeAdapter(base.weights.shape, bytes, file), damaged)
    if (state.baseChecksum !== base.checksum) {
      const fix = "Use the version of agentopsd that it was trained with"
      return yield* refused("open", `${path} was trained on another version of the base model ${name}`, fix)
    }
    return { base, state }
  })

  const openFresh = Effect.fn("EmbeddedPolicy.openFresh")(function*(source: TrainerSource & { _tag: "Fresh" }) {
    const { baseModel, loraRank, runName, seed, trainUnembed } = source
    if (trainUnembed) {
      const fix = "Leave trainUnembed off: the embedded policy trains its linear maps only"
      return yield* refused("open", "its output embedding is its input embedding too and cannot be trained", fix)
    }
    if (!Number.isInteger(loraRank) || loraRank < 1 || loraRank > largestRank) {
      const fix = `Choose an integer from 1 to ${largestRank}`
      return yield* refused("open", `the rank of the adapter is ${loraRank}`, fix)
    }
    const base = yield* load(baseModel)
    const engine = yield* startEngine(base, loraRank, "adapter")
    writeBase(engine, base)
    initializeAdapter(engine.machine, loraRank, seed)
    packParameters(engine.machine)
    const queue = new SampleQueue(engine.pool, slots)
    return yield* makeTrainer({ engine, queue, checkpoints, base, rank: loraRank, runName, steps: 0 })
  })

  const openCheckpoint = Effect.fn("EmbeddedPolicy.openCheckpoint")(function*(path: string, runName: string) {
    const { base, state } = yield* restore(path, "state", undefined)
    const engine = yield* startEngine(base, state.rank, "adapter")
    writeBase(engine, base)
    writeAdapter(engine, state)
    packParameters(engine.machine)
    const queue = new SampleQueue(engine.pool, slots)
    const steps = state.optimizer?.steps ?? 0
    return yield* makeTrainer({ engine, queue, checkpoints, base, rank: state.rank, runName, steps })
  })

  const openSampler = Effect.fn("EmbeddedPolicy.openSampler")(function*(source: SamplerSource) {
    const { base, state } = source._tag === "BaseModel"
      ? { base: yield* load(source.baseModel), state: undefined }
      : yield* restore(source.path, "weights", source.baseModel)
    const engine = yield* startEngine(base, state?.rank ?? 0, "none")
    writeBase(engine, base)
    if (state !== undefined) writeAdapter(engine, state)
    packParameters(engine.machine)
    const { name } = base.weights
    return makeSampler({
      snapshotId: state === undefined
        ? `${backend}:${name}@${base.checksum.slice(0, 16)}`
        : `${backend}:${name}+${checksumOf(state.parameters).slice(0, 16)}`,
      engine,
      queue: new SampleQueue(engine.pool, slots),
      guarded: (use) => use
    })
  })

  return Policy.of({
    backend,
    capabilities,
    openTrainer: (source) =>
      source._tag === "Fresh" ? openFresh(source) : openCheckpoint(source.path, source.runName),
    openSampler
  })
})

/**
 * The embedded policy: a small transformer that is sampled and trained in this process, on worker threads.
 *
 * Every number it gives depends on its inputs alone, not on concurrency, batching, caches, the number of workers, the
 * version of Node or the machine. A trainer's and a sampler's threads and memory end with its scope.
 */
export const layerEmbeddedPolicy = (
  options: EmbeddedPolicyOptions
): Layer.Layer<Policy, never, FileSystem.FileSystem | Path.Path> => Layer.effect(Policy, make(options))
