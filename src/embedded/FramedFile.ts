import { createHash } from "node:crypto"
import * as Either from "effect/Either"

/**
 * The frame of the embedded policy's binary files: 8 letters that name the kind of file, the header's length as
 * little-endian uint32, the header (JSON in UTF-8), and numbers to the end.
 */
export interface Framed {
  readonly header: string
  readonly data: Uint8Array
}

const kindBytes = 8
const fixedBytes = kindBytes + 4

/** The bytes of a file of this kind (8 ASCII letters). */
export const encodeFramed = (kind: string, { data, header }: Framed): Uint8Array => {
  const headerBytes = Buffer.from(header)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(headerBytes.length)
  return Buffer.concat([Buffer.from(kind), length, headerBytes, data])
}

/** The parts of a file of this kind, or what is wrong with it (to be read after "it"). */
export const decodeFramed = (kind: string, bytes: Uint8Array): Either.Either<Framed, string> => {
  const expected = Buffer.from(kind)
  if (bytes.length < fixedBytes || !expected.equals(bytes.subarray(0, kindBytes))) {
    return Either.left("does not begin like a file of this kind")
  }
  const start = fixedBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(kindBytes, true)
  if (bytes.length < start) return Either.left("ends inside its header")
  const header = new TextDecoder().decode(bytes.subarray(fixedBytes, start))
  return Either.right({ header, data: bytes.subarray(start) })
}

/** SHA-256 in hex. */
export const sha256 = (...parts: ReadonlyArray<Uint8Array>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}
