import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeFloat16, encodeFloat16 } from "./Float16.js"
import { decodeFramed, encodeFramed, sha256 } from "./FramedFile.js"
import type { ModelShape } from "./ModelShape.js"
import { baseTensors, countParameters, shapeProblem } from "./ModelShape.js"
import type { TensorValues } from "./Parameters.js"

/** A base model: everything needed to run it. */
export interface ModelWeights {
  readonly name: string
  /** The word of every token id. */
  readonly vocabulary: ReadonlyArray<string>
  readonly shape: ModelShape
  readonly tensors: TensorValues
}

/** A file of weights cannot be used. */
export class WeightFileError extends Schema.TaggedError<WeightFileError>("agentopsd/EmbeddedWeightFileError")(
  "WeightFileError",
  { file: Schema.String, reason: Schema.String, fix: Schema.String }
) {
  override get message(): string {
    return `Model file ${this.file}: ${this.reason}. ${this.fix}`
  }
}

/**
 * Header of a model file (see FramedFile). The numbers are all tensors in the order of `baseTensors` as little-endian
 * float16; `sha256` is theirs.
 */
const Header = Schema.parseJson(Schema.Struct({
  format: Schema.Literal("agentopsd-model"),
  version: Schema.Literal(1),
  name: Schema.String,
  vocabulary: Schema.Array(Schema.String),
  shape: Schema.Struct({
    layers: Schema.Int,
    heads: Schema.Int,
    feedForward: Schema.Int,
    vocabularySize: Schema.Int,
    contextLength: Schema.Int
  }),
  sha256: Schema.String
}))

const kind = "AOPSDMOD"

/** The bytes of a model file. Weights are rounded to float16. */
export const encodeWeights = (weights: ModelWeights): Uint8Array => {
  const { name, shape, tensors, vocabulary } = weights
  const data = Buffer.concat(
    baseTensors(shape).map((tensor) => encodeFloat16(tensors.get(tensor.name) ?? new Float32Array(0)))
  )
  const header = Schema.encodeSync(Header)({
    format: "agentopsd-model",
    version: 1,
    name,
    vocabulary,
    shape,
    sha256: sha256(data)
  })
  return encodeFramed(kind, { header, data })
}

/** Reads a model file; `file` names it in errors. Every bit of the tensors is checked. */
export const decodeWeights = (bytes: Uint8Array, file: string): Either.Either<ModelWeights, WeightFileError> => {
  const fail = (reason: string) =>
    Either.left(
      new WeightFileError({ file, reason, fix: "Install the package again, or make the model again" })
    )
  const framed = decodeFramed(kind, bytes)
  if (Either.isLeft(framed)) return fail(`it ${framed.left}`)
  const { data, header } = framed.right
  const decoded = Schema.decodeUnknownEither(Header)(header)
  if (Either.isLeft(decoded)) return fail("its header is damaged, or of a newer version of agentopsd")
  const { name, sha256: expected, shape, vocabulary } = decoded.right
  const problem = shapeProblem(shape)
  if (problem !== undefined) return fail(`its header is damaged: ${problem}`)
  if (vocabulary.length !== shape.vocabularySize) return fail("its vocabulary does not match its size")
  const all = baseTensors(shape)
  const dataBytes = 2 * countParameters(all)
  if (data.length !== dataBytes) return fail(`it has ${data.length} bytes of weights, not ${dataBytes}`)
  if (sha256(data) !== expected) return fail("its weights do not match their checksum")
  const tensors = new Map<string, Float32Array>()
  let offset = 0
  for (const tensor of all) {
    const count = tensor.rows * tensor.columns
    tensors.set(tensor.name, decodeFloat16(data, offset, count))
    offset += 2 * count
  }
  return Either.right({ name, vocabulary, shape, tensors })
}
