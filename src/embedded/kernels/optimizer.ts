import { multiplyAdd } from "./vector"

/** y += a·x for `count` floats, a multiple of 4. */
export function addScaled(y: usize, x: usize, count: i32, a: f32): void {
  const lanes = f32x4.splat(a)
  for (let i: usize = 0; i < <usize>count * 4; i += 16) {
    v128.store(y + i, multiplyAdd(v128.load(y + i), lanes, v128.load(x + i)))
  }
}

/**
 * One step of Adam with decoupled weight decay (Loshchilov and Hutter 2019) on `count` floats, a multiple of 4.
 * `correction1` and `correction2` are 1/(1 − βᵗ); the gradient is multiplied by `gradientScale` first.
 */
export function adam(
  parameters: usize, gradients: usize, firstMoments: usize, secondMoments: usize, count: i32,
  learningRate: f32, beta1: f32, beta2: f32, correction1: f32, correction2: f32,
  epsilon: f32, gradientScale: f32, weightDecay: f32
): void {
  const decay = f32x4.splat(1 - learningRate * weightDecay)
  for (let i: usize = 0; i < <usize>count * 4; i += 16) {
    const g = f32x4.mul(v128.load(gradients + i), f32x4.splat(gradientScale))
    const oldM = f32x4.mul(v128.load(firstMoments + i), f32x4.splat(beta1))
    const oldV = f32x4.mul(v128.load(secondMoments + i), f32x4.splat(beta2))
    const m = f32x4.add(oldM, f32x4.mul(g, f32x4.splat(1 - beta1)))
    const v = f32x4.add(oldV, f32x4.mul(f32x4.mul(g, g), f32x4.splat(1 - beta2)))
    v128.store(firstMoments + i, m)
    v128.store(secondMoments + i, v)
    const root = f32x4.sqrt(f32x4.mul(v, f32x4.splat(correction2)))
    const step = f32x4.div(f32x4.mul(m, f32x4.splat(correction1)), f32x4.add(root, f32x4.splat(epsilon)))
    const kept = f32x4.mul(v128.load(parameters + i), decay)
    v128.store(parameters + i, f32x4.sub(kept, f32x4.mul(step, f32x4.splat(learningRate))))
  }
}
