import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EmbeddedPolicyOptions } from "../../src/embedded/EmbeddedPolicy.js"
import { layerEmbeddedPolicy } from "../../src/embedded/EmbeddedPolicy.js"
import type { ModelShape } from "../../src/embedded/ModelShape.js"
import { readTensors } from "../../src/embedded/Parameters.js"
import { encodeWeights } from "../../src/embedded/WeightFile.js"
import type { Policy, TrainerSource } from "../../src/services/Policy.js"
import { smallShape, testMachine } from "./machine.js"

/** The bytes of a small random model. */
export const randomModel = (name: string, shape: ModelShape = smallShape, seed = 1): Uint8Array => {
  const machine = testMachine({ shape }, seed)
  return encodeWeights({
    name,
    vocabulary: Array.from({ length: shape.vocabularySize }, (_, id) => `word${id}`),
    shape,
    tensors: readTensors(machine, machine.plan.model.base.tensors)
  })
}

/** A folder that is removed with the scope, holding the model `tiny`. */
export const temporaryModels = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "agentopsd-embedded-"))
    writeFileSync(join(directory, "tiny.model"), randomModel("tiny"))
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** The embedded policy on the files of a folder. */
export const policyLayer = (
  directory: string,
  options: Partial<EmbeddedPolicyOptions> = {}
): Layer.Layer<Policy> =>
  Layer.provide(
    layerEmbeddedPolicy({ directory, models: { tiny: join(directory, "tiny.model") }, workers: 1, ...options }),
    NodeContext.layer
  )

/** A fresh adapter on `tiny`. */
export const freshTiny: Extract<TrainerSource, { readonly _tag: "Fresh" }> = {
  _tag: "Fresh",
  baseModel: "tiny",
  runName: "run",
  loraRank: 8,
  trainUnembed: false,
  seed: 4
}
