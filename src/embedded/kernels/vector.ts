// Building blocks on four float32 lanes (AssemblyScript, compiled by bin/build-kernels.mjs).
//
// Only plain WebAssembly SIMD is used, never relaxed SIMD: every operation is exact IEEE-754, so results are the same
// on every machine and every version of Node.

/** c + a·b, rounded after each of the two operations. */
export function multiplyAdd(c: v128, a: v128, b: v128): v128 {
  return f32x4.add(c, f32x4.mul(a, b))
}

/** The sum of the four lanes, in a fixed order. */
export function sumOfLanes(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
}

/** The largest of the four lanes. */
export function maxOfLanes(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3))
  )
}

/**
 * exp of four numbers, relative error about 1e-7, arguments limited to [-87, 88].
 *
 * x = n·ln 2 + r with an integer n: adding 1.5·2²³ rounds x / ln 2 to an integer, which then stands in the low bits
 * of the sum; ln 2 is subtracted in two parts (Cody and Waite), exp(r) is its Taylor polynomial, and 2ⁿ is made by
 * shifting n into the exponent. `pmin` and `pmax` are one machine instruction each, unlike `min` and `max`.
 */
export function exponential(a: v128): v128 {
  const rounder = f32x4.splat(12582912)
  const x = f32x4.pmin(f32x4.pmax(a, f32x4.splat(-87)), f32x4.splat(88))
  const shifted = f32x4.add(f32x4.mul(x, f32x4.splat(1.4426950408889634)), rounder)
  const n = f32x4.sub(shifted, rounder)
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)))
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440e-4)))
  let p = f32x4.splat(1.0 / 5040.0)
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 720.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 120.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 24.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 6.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0))
  return f32x4.mul(p, i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23))
}
