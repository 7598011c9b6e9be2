/**
 * Conversions between float32 and IEEE-754 binary16, written out because Node 20 has no `Float16Array`. Rounding is to
 * nearest, ties to even; values too large become ±Infinity; NaN becomes the quiet NaN.
 */

const float32 = new Float32Array(1)
const bits32 = new Uint32Array(float32.buffer)

/** The bits of the nearest float16. */
export const toFloat16Bits = (value: number): number => {
  float32[0] = value
  const bits = bits32[0]
  const sign = (bits >>> 16) & 0x8000
  const exponent = (bits >>> 23) & 0xff
  const mantissa = bits & 0x7fffff
  if (exponent === 0xff) return sign | (mantissa === 0 ? 0x7c00 : 0x7e00)
  const unbiased = exponent - 127
  if (unbiased > 15) return sign | 0x7c00
  // Normal numbers keep 10 bits of the mantissa; below 2⁻¹⁴ one bit fewer for every halving.
  const dropped = unbiased >= -14 ? 13 : 13 + (-14 - unbiased)
  if (dropped > 24) return sign
  const significand = mantissa | 0x800000
  const kept = significand >>> dropped
  const rest = significand & ((1 << dropped) - 1)
  const half = 1 << (dropped - 1)
  const rounded = rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept
  // `rounded` holds the implicit bit where the number is normal; a carry moves into the exponent by itself.
  return sign | (unbiased >= -14 ? rounded + ((unbiased + 14) << 10) : rounded)
}

/** The value of a float16. */
export const fromFloat16Bits = (bits: number): number => {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const exponent = (bits >>> 10) & 0x1f
  const mantissa = bits & 0x3ff
  if (exponent === 0x1f) return mantissa === 0 ? sign * Infinity : NaN
  if (exponent === 0) return sign * mantissa * 2 ** -24
  return sign * (1024 + mantissa) * 2 ** (exponent - 25)
}

/** Values as little-endian float16. */
export const encodeFloat16 = (values: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(values.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < values.length; i++) view.setUint16(2 * i, toFloat16Bits(values[i]), true)
  return bytes
}

/** `count` little-endian float16 values from an offset on. */
export const decodeFloat16 = (bytes: Uint8Array, offset: number, count: number): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = new Float32Array(count)
  for (let i = 0; i < count; i++) values[i] = fromFloat16Bits(view.getUint16(offset + 2 * i, true))
  return values
}
