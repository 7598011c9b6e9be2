import { exponential, maxOfLanes, sumOfLanes } from "./vector"

/**
 * Softmax of `scale` times a row, in place. Entries from `count` to `padded` (a multiple of 4) become exactly 0. Writes
 * the scaled maximum m and the sum of exp(scale·x − m) at `maxAndSum`: log-softmax is scale·x − m − log(sum).
 */
export function softmax(row: usize, count: i32, padded: i32, scale: f32, maxAndSum: usize): void {
  for (let j = count; j < padded; j++) {
    store<f32>(row + (<usize>j << 2), -Infinity)
  }
  const scaleLanes = f32x4.splat(scale)
  const end = row + (<usize>padded << 2)
  let maxLanes = f32x4.splat(-Infinity)
  for (let p = row; p < end; p += 16) {
    maxLanes = f32x4.pmax(maxLanes, f32x4.mul(v128.load(p), scaleLanes))
  }
  const maximum = maxOfLanes(maxLanes)
  maxLanes = f32x4.splat(maximum)
  let sumLanes = f32x4.splat(0)
  for (let p = row; p < end; p += 16) {
    const x = f32x4.sub(f32x4.mul(v128.load(p), scaleLanes), maxLanes)
    const e = v128.and(exponential(x), f32x4.gt(x, f32x4.splat(-86)))
    sumLanes = f32x4.add(sumLanes, e)
    v128.store(p, e)
  }
  const sum = sumOfLanes(sumLanes)
  const inverse = f32x4.splat(1 / sum)
  for (let p = row; p < end; p += 16) {
    v128.store(p, f32x4.mul(v128.load(p), inverse))
  }
  store<f32>(maxAndSum, maximum)
  store<f32>(maxAndSum, sum, 4)
}
