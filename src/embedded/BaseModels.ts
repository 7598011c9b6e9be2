import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { PolicyError } from "../services/Policy.js"
import { checksumOf } from "./AdapterFile.js"
import { sha256 } from "./FramedFile.js"
import { backend, refused } from "./PolicyFailure.js"
import type { ModelWeights } from "./WeightFile.js"
import { decodeWeights } from "./WeightFile.js"

/** Files of base models, by name. */
export type ModelFiles = Readonly<Record<string, string>>

// Sources, compiled modules and the bundled command line all lie two folders below the package's root.
const packaged = (name: string): string =>
  fileURLToPath(new URL(`../../datasets/models/${name}.model`, import.meta.url))

/** The models that come with the package. */
export const packagedModels: ModelFiles = { start: packaged("start"), strong: packaged("strong") }

/** A base model with the checksum that tells its versions apart: of its weights, vocabulary and shape. */
export interface BaseModel {
  readonly weights: ModelWeights
  readonly checksum: string
}

/** Equal weights mean something else with other words or heads, so those count too. */
const identityOf = ({ shape, tensors, vocabulary }: ModelWeights): string => {
  const { contextLength, feedForward, heads, layers, vocabularySize } = shape
  const dimensions = [layers, heads, feedForward, vocabularySize, contextLength]
  return sha256(Buffer.from(JSON.stringify([checksumOf(tensors), dimensions, vocabulary])))
}

/** Reads a base model by its name. */
export const loadBaseModel = Effect.fn("BaseModels.load")(function*(files: ModelFiles, name: string) {
  const fs = yield* FileSystem.FileSystem
  if (!Object.hasOwn(files, name)) {
    const fix = `Choose one of ${Object.keys(files).join(", ")}`
    return yield* refused("open", `there is no embedded model ${JSON.stringify(name)}`, fix)
  }
  const file = files[name]
  const bytes = yield* fs.readFile(file).pipe(
    Effect.mapError((cause) =>
      new PolicyError({
        backend,
        operation: "open",
        reason: `the model file ${file} cannot be read (${cause.message})`,
        fix: "Install the package again",
        kind: "refused",
        cause
      })
    )
  )
  const weights = yield* decodeWeights(bytes, file).pipe(
    Effect.mapError((error) =>
      new PolicyError({
        backend,
        operation: "open",
        reason: `the model file ${file} cannot be used: ${error.reason}`,
        fix: error.fix,
        kind: "corrupt",
        cause: error
      })
    )
  )
  const model: BaseModel = { weights, checksum: identityOf(weights) }
  return model
})
