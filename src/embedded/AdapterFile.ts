import { createHash } from "node:crypto"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { ModelShape, Tensor } from "./ModelShape.js"
import { adapterTensors, countParameters } from "./ModelShape.js"
import type { TensorValues } from "./Parameters.js"

/** A trained adapter, with the optimiser's memory where training is to go on. All numbers are exact float32. */
export interface AdapterState {
  /** Name of the base model it belongs to, and the checksum of that model's weights. */
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
 * Format of a checkpoint: the 8 bytes `AOPSDADP`, the header's length as little-endian uint32, the header as JSON in
 * UTF-8, then little-endian float32: the adapter's tensors in the order of `adapterTensors`, and where `steps` is not
 * null, the first and the second moments in the same order. `sha256` is that of the numbers' bytes.
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

const magic = new TextEncoder().encode("AOPSDADP")
const fixedBytes = magic.length + 4

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const encodeTensors = (tensors: ReadonlyArray<Tensor>, values: TensorValues): Uint8Array => {
  const bytes = Buffer.alloc(4 * countParameters(tensors))
  let offset = 0
  for (const tensor of tensors) {
    for (const value of values.get(tensor.name) ?? []) offset = bytes.writeFloatLE(value, offset)
  }
  return bytes
}

const decodeTensors = (tensors: ReadonlyArray<Tensor>, bytes: Uint8Array, start: number): TensorValues => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
export const checksumOf = (values: TensorValues): string => {
  const hash = createHash("sha256")
  for (const value of values.values()) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  return hash.digest("hex")
}

/** The bytes of a checkpoint. */
export const encodeAdapter = (shape: ModelShape, state: AdapterState): Uint8Array => {
  const { baseChecksum, baseModel, optimizer, parameters, rank } = state
  const tensors = adapterTensors(shape, rank)
  const parts = optimizer === undefined
    ? [parameters]
    : [parameters, optimizer.firstMoments, optimizer.secondMoments]
  const data = Buffer.concat(parts.map((values) => encodeTensors(tensors, values)))
  const header = Buffer.from(Schema.encodeSync(Header)({
    format: "agentopsd-adapter",
    version: 1,
    baseModel,
    baseChecksum,
    rank,
    steps: optimizer === undefined ? null : optimizer.steps,
    sha256: sha256(data)
  }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return Buffer.concat([magic, length, header, data])
}

type Decoded<A> = Either.Either<A, AdapterFileError>

/** The header of a checkpoint and where its numbers begin; the numbers are checked against their checksum. */
const readHeader = (
  bytes: Uint8Array,
  file: string
): Decoded<{ readonly header: typeof Header.Type; readonly start: number }> => {
  const fail = (reason: string) => Either.left(new AdapterFileError({ file, reason }))
  if (bytes.length < fixedBytes || !magic.every((byte, i) => bytes[i] === byte)) {
    return fail("it is not a checkpoint of the embedded policy")
  }
  const start = fixedBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic.length, true)
  if (bytes.length < start) return fail("it ends inside its header")
  const decoded = Schema.decodeUnknownEither(Header)(new TextDecoder().decode(bytes.subarray(fixedBytes, start)))
  if (Either.isLeft(decoded)) return fail("its header is damaged, or of a newer version of agentopsd")
  if (sha256(bytes.subarray(start)) !== decoded.right.sha256) return fail("its numbers do not match their checksum")
  return Either.right({ header: decoded.right, start })
}

/** The name of the base model that a checkpoint belongs to. */
export const adapterBaseModel = (bytes: Uint8Array, file: string): Decoded<string> =>
  Either.map(readHeader(bytes, file), ({ header }) => header.baseModel)

/** Reads a checkpoint for a base model of this shape; `file` names it in errors. */
export const decodeAdapter = (shape: ModelShape, bytes: Uint8Array, file: string): Decoded<AdapterState> =>
  Either.flatMap(readHeader(bytes, file), ({ header, start }): Decoded<AdapterState> => {
    const { baseChecksum, baseModel, rank, steps } = header
    const tensors = adapterTensors(shape, rank)
    const partBytes = 4 * countParameters(tensors)
    const expected = partBytes * (steps === null ? 1 : 3)
    if (bytes.length - start !== expected) {
      const reason = `it has ${bytes.length - start} bytes of numbers, not ${expected}`
      return Either.left(new AdapterFileError({ file, reason }))
    }
    return Either.right({
      baseModel,
      baseChecksum,
      rank,
      parameters: decodeTensors(tensors, bytes, start),
      optimizer: steps === null ? undefined : {
        steps,
        firstMoments: decodeTensors(tensors, bytes, start + partBytes),
        secondMoments: decodeTensors(tensors, bytes, start + 2 * partBytes)
      }
    })
  })
