import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeFramed, encodeFramed, sha256 } from "./FramedFile.js"
import type { ModelShape, Tensor } from "./ModelShape.js"
import { adapterTensors, countParameters } from "./ModelShape.js"
import type { TensorValues } from "./Parameters.js"

/** A trained adapter, with the optimiser's memory where training is to go on. All numbers are exact float32. */
export interface AdapterState {
  /** Name of the base model it belongs to, and that model's checksum (see `BaseModel`). */
  readonly baseModel: string
  readonly baseChecksum: string
  readonly rank: number
  readonly parameters: TensorValues
  readonly optimizer: OptimizerState | undefined
}

/** Adam's moments, by tensor, and the number of steps made. */
export interface OptimizerState {
  readonly steps: number
  readonly firstMoments: TensorValues
  readonly secondMoments: TensorValues
}

/** A file of an adapter cannot be used. */
export class AdapterFileError extends Schema.TaggedError<AdapterFileError>("agentopsd/EmbeddedAdapterFileError")(
  "AdapterFileError",
  { file: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `Checkpoint ${this.file}: ${this.reason}`
  }
}

/**
 * Header of a checkpoint (see FramedFile). The numbers are little-endian float32: the adapter's tensors in the order of
 * `adapterTensors`, and where `steps` is not null, the first and the second moments in the same order. `sha256` is that of
 * their bytes.
 */
const Header = Schema.parseJson(Schema.Struct({
  format: Schema.Literal("agentopsd-adapter"),
  version: Schema.Literal(1),
  baseModel: Schema.String,
  baseChecksum: Schema.String,
  rank: Schema.Int.pipe(Schema.positive()),
  steps: Schema.NullOr(Schema.NonNegativeInt),
  sha256: Schema.String
}))

const kind = "AOPSDADP"

const encodeTensors = (tensors: ReadonlyArray<Tensor>, values: TensorValues): Uint8Array => {
  const bytes = Buffer.alloc(4 * countParameters(tensors))
  let offset = 0
  for (const tensor of tensors) {
    for (const value of values.get(tensor.name) ?? []) offset = bytes.writeFloatLE(value, offset)
  }
  return bytes
}

const decodeTensors = (tensors: ReadonlyArray<Tensor>, data: Uint8Array, start: number): TensorValues => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let offset = start
  return new Map(tensors.map((tensor) => {
    const values = new Float32Array(tensor.rows * tensor.columns)
    for (let i = 0; i < values.length; i++) {
      values[i] = view.getFloat32(offset, true)
      offset += 4
    }
    return [tensor.name, values]
  }))
}

/** The SHA-256 (hex) of parameters, in their order. */
export const checksumOf = (values: TensorValues): string =>
  sha256(...Array.from(values.values(), ({ buffer, byteLength, byteOffset }) =>
    new Uint8Array(buffer, byteOffset, byteLength)))

/** The bytes of a checkpoint. */
export const encodeAdapter = (shape: ModelShape, state: AdapterState): Uint8Array => {
  const { baseChecksum, baseModel, optimizer, parameters, rank } = state
  const tensors = adapterTensors(shape, rank)
  const parts = optimizer === undefined
    ? [parameters]
    : [parameters, optimizer.firstMoments, optimizer.secondMoments]
  const data = Buffer.concat(parts.map((values) => encodeTensors(tensors, values)))
  const header = Schema.encodeSync(Header)({
    format: "agentopsd-adapter",
    version: 1,
    baseModel,
    baseChecksum,
    rank,
    steps: optimizer === undefined ? null : optimizer.steps,
    sha256: sha256(data)
  })
  return encodeFramed(kind, { header, data })
}

type Decoded<A> = Either.Either<A, AdapterFileError>

interface Parts {
  readonly header: typeof Header.Type
  readonly data: Uint8Array
}

/** The parts of a checkpoint; the numbers are checked against their checksum. */
const readParts = (bytes: Uint8Array, file: string): Decoded<Parts> => {
  const fail = (reason: string) => Either.left(new AdapterFileError({ file, reason }))
  const framed = decodeFramed(kind, bytes)
  if (Either.isLeft(framed)) return fail(`it ${framed.left}`)
  const { data } = framed.right
  const decoded = Schema.decodeUnknownEither(Header)(framed.right.header)
  if (Either.isLeft(decoded)) return fail("its header is damaged, or of a newer version of agentopsd")
  if (sha256(data) !== decoded.right.sha256) return fail("its numbers do not match their checksum")
  return Either.right({ header: decoded.right, data })
}

/** The name of the base model that a checkpoint belongs to. */
export const adapterBaseModel = (bytes: Uint8Array, file: string): Decoded<string> =>
  Either.map(readParts(bytes, file), ({ header }) => header.baseModel)

/** Reads a checkpoint for a base model of this shape; `file` names it in errors. */
export const decodeAdapter = (shape: ModelShape, bytes: Uint8Array, file: string): Decoded<AdapterState> =>
  Either.flatMap(readParts(bytes, file), ({ data, header }): Decoded<AdapterState> => {
    const { baseChecksum, baseModel, rank, steps } = header
    const tensors = adapterTensors(shape, rank)
    const partBytes = 4 * countParameters(tensors)
    const expected = partBytes * (steps === null ? 1 : 3)
    if (data.length !== expected) {
      const reason = `it has ${data.length} bytes of numbers, not ${expected}`
      return Either.left(new AdapterFileError({ file, reason }))
    }
    const optimizer = steps === null ? undefined : {
      steps,
      firstMoments: decodeTensors(tensors, data, partBytes),
      secondMoments: decodeTensors(tensors, data, 2 * partBytes)
    }
    return Either.right({ baseModel, baseChecksum, rank, parameters: decodeTensors(tensors, data, 0), optimizer })
  })
