// GELU in its tanh form (Hendrycks and Gimpel 2016): ½x(1 + tanh u), u = √(2/π)·(x + 0.044715x³).
// Since ½(1 + tanh u) = sigmoid(2u), it is x·sigmoid(2u).

import { exponential } from "./vector"

/** sigmoid(2u) of the formula above. */
function gate(x: v128): v128 {
  const inner = f32x4.add(f32x4.splat(1.5957691216), f32x4.mul(f32x4.splat(0.0713548162726), f32x4.mul(x, x)))
  const twiceU = f32x4.mul(x, inner)
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exponential(f32x4.neg(twiceU))))
}

/** y = gelu(x) for `count` floats, a multiple of 4. */
export function gelu(x: usize, count: i32, y: usize): void {
  for (let i: usize = 0; i < <usize>count * 4; i += 16) {
    const v = v128.load(x + i)
    v128.store(y + i, f32x4.mul(v, gate(v)))
  }
}

/** d ← d · gelu′(x). */
export function geluBackward(x: usize, count: i32, d: usize): void {
  const one = f32x4.splat(1)
  for (let i: usize = 0; i < <usize>count * 4; i += 16) {
    const v = v128.load(x + i)
    const s = gate(v)
    const slope = f32x4.add(f32x4.splat(1.5957691216), f32x4.mul(f32x4.splat(0.2140644488178), f32x4.mul(v, v)))
    const derivative = f32x4.add(s, f32x4.mul(f32x4.mul(v, slope), f32x4.mul(s, f32x4.sub(one, s))))
    v128.store(d + i, f32x4.mul(v128.load(d + i), derivative))
  }
}
