// Rotary positions (Su et al. 2021) on heads of 32 dimensions, halves layout: dimension i turns with dimension i + 16.

/**
 * Turns `heads` consecutive heads of each row in place. `positions` are int32, `cosines` and `sines` are tables
 * [position][16]; `sign` −1 turns backwards, which is the gradient.
 */
export function rotate(
  x: usize, stride: usize, rows: i32, heads: i32, positions: usize, cosines: usize, sines: usize, sign: f32
): void {
  const signLanes = f32x4.splat(sign)
  for (let row = 0; row < rows; row++) {
    const offset = <usize>load<i32>(positions) * 64
    for (let head = 0; head < heads; head++) {
      for (let i: usize = 0; i < 64; i += 16) {
        const p = x + <usize>head * 128 + i
        const a = v128.load(p)
        const b = v128.load(p, 64)
        const c = v128.load(cosines + offset + i)
        const s = f32x4.mul(v128.load(sines + offset + i), signLanes)
        v128.store(p, f32x4.sub(f32x4.mul(a, c), f32x4.mul(b, s)))
        v128.store(p, f32x4.add(f32x4.mul(a, s), f32x4.mul(b, c)), 64)
      }
    }
    x += stride
    positions += 4
  }
}
