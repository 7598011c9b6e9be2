// Root-mean-square normalisation of rows: y = x · r · gain with r = 1 / √(mean(x²) + 1e-5).

import { multiplyAdd, sumOfLanes } from "./vector"

/** Writes y and, at `scales`, each row's r. `width` is a multiple of 4; rows follow one another. */
export function rmsNorm(x: usize, rows: i32, width: i32, gain: usize, y: usize, scales: usize): void {
  const bytes = <usize>width * 4
  for (let row = 0; row < rows; row++) {
    let squares = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) {
      const v = v128.load(x + i)
      squares = multiplyAdd(squares, v, v)
    }
    const scale: f32 = 1 / sqrt<f32>(sumOfLanes(squares) / <f32>width + 1e-5)
    store<f32>(scales, scale)
    const scaleLanes = f32x4.splat(scale)
    for (let i: usize = 0; i < bytes; i += 16) {
      v128.store(y + i, f32x4.mul(f32x4.mul(v128.load(x + i), scaleLanes), v128.load(gain + i)))
    }
    x += bytes
    y += bytes
    scales += 4
  }
}

/** Adds the gradient with respect to x to `dx`, and that of the gain to `dGain` unless `dGain` is 0. */
export function rmsNormBackward(
  x: usize, rows: i32, width: i32, gain: usize, scales: usize, dy: usize, dx: usize, dGain: usize
): void {
  const bytes = <usize>width * 4
  for (let row = 0; row < rows; row++) {
    const scale = load<f32>(scales)
    let product = f32x4.splat(0)
    for (let i: usize = 0; i < bytes; i += 16) {
      product = multiplyAdd(product, f32x4.mul(v128.load(dy + i), v128.load(gain + i)), v128.load(x + i))
    }
    const scaleLanes = f32x4.splat(scale)
    const correction = f32x4.splat(-scale * scale * scale * sumOfLanes(product) / <f32>width)
    for (let i: usize = 0; i < bytes; i += 16) {
      const d = v128.load(dy + i)
      const v = v128.load(x + i)
      const direct = f32x4.mul(f32x4.mul(d, v128.load(gain + i)), scaleLanes)
      v128.store(dx + i, f32x4.add(v128.load(dx + i), f32x4.add(direct, f32x4.mul(v, correction))))
      if (dGain) {
        v128.store(dGain + i, f32x4.add(v128.load(dGain + i), f32x4.mul(f32x4.mul(d, v), scaleLanes)))
      }
    }
    x += bytes
    dy += bytes
    dx += bytes
    scales += 4
  }
}
