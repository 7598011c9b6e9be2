// Matrix product. The right operand is stored in panels of 8 columns: row k of a panel is 8 consecutive floats.
//
// Every output element is accumulated over k in ascending order with one accumulator, whatever block it is computed in.
// A row's result therefore never depends on how many other rows are computed with it: batching changes no bit.

import { multiplyAdd } from "./vector"

/** 4 rows × 8 columns. */
function block4x8(
  a: usize, aStride: usize, inner: i32, panel: usize, c: usize, cStride: usize, accumulate: bool
): void {
  let c00 = f32x4.splat(0)
  let c01 = c00
  let c10 = c00
  let c11 = c00
  let c20 = c00
  let c21 = c00
  let c30 = c00
  let c31 = c00
  if (accumulate) {
    c00 = v128.load(c)
    c01 = v128.load(c, 16)
    c10 = v128.load(c + cStride)
    c11 = v128.load(c + cStride, 16)
    c20 = v128.load(c + 2 * cStride)
    c21 = v128.load(c + 2 * cStride, 16)
    c30 = v128.load(c + 3 * cStride)
    c31 = v128.load(c + 3 * cStride, 16)
  }
  let a0 = a
  let a1 = a0 + aStride
  let a2 = a1 + aStride
  let a3 = a2 + aStride
  let b = panel
  for (let k = inner; k > 0; k--) {
    const b0 = v128.load(b)
    const b1 = v128.load(b, 16)
    let x = v128.load_splat<f32>(a0)
    c00 = multiplyAdd(c00, x, b0)
    c01 = multiplyAdd(c01, x, b1)
    x = v128.load_splat<f32>(a1)
    c10 = multiplyAdd(c10, x, b0)
    c11 = multiplyAdd(c11, x, b1)
    x = v128.load_splat<f32>(a2)
    c20 = multiplyAdd(c20, x, b0)
    c21 = multiplyAdd(c21, x, b1)
    x = v128.load_splat<f32>(a3)
    c30 = multiplyAdd(c30, x, b0)
    c31 = multiplyAdd(c31, x, b1)
    a0 += 4
    a1 += 4
    a2 += 4
    a3 += 4
    b += 32
  }
  v128.store(c, c00)
  v128.store(c, c01, 16)
  v128.store(c + cStride, c10)
  v128.store(c + cStride, c11, 16)
  v128.store(c + 2 * cStride, c20)
  v128.store(c + 2 * cStride, c21, 16)
  v128.store(c + 3 * cStride, c30)
  v128.store(c + 3 * cStride, c31, 16)
}

/** 1 row × 32 columns (four panels): rows left over by the blocks above, and decoding of a single sequence. */
function block1x32(a: usize, inner: i32, panels: usize, panelStride: usize, c: usize, accumulate: bool): void {
  let c0 = f32x4.splat(0)
  let c1 = c0
  let c2 = c0
  let c3 = c0
  let c4 = c0
  let c5 = c0
  let c6 = c0
  let c7 = c0
  if (accumulate) {
    c0 = v128.load(c)
    c1 = v128.load(c, 16)
    c2 = v128.load(c, 32)
    c3 = v128.load(c, 48)
    c4 = v128.load(c, 64)
    c5 = v128.load(c, 80)
    c6 = v128.load(c, 96)
    c7 = v128.load(c, 112)
  }
  let ak = a
  let p0 = panels
  let p1 = p0 + panelStride
  let p2 = p1 + panelStride
  let p3 = p2 + panelStride
  for (let k = inner; k > 0; k--) {
    const x = v128.load_splat<f32>(ak)
    c0 = multiplyAdd(c0, x, v128.load(p0))
    c1 = multiplyAdd(c1, x, v128.load(p0, 16))
    c2 = multiplyAdd(c2, x, v128.load(p1))
    c3 = multiplyAdd(c3, x, v128.load(p1, 16))
    c4 = multiplyAdd(c4, x, v128.load(p2))
    c5 = multiplyAdd(c5, x, v128.load(p2, 16))
    c6 = multiplyAdd(c6, x, v128.load(p3))
    c7 = multiplyAdd(c7, x, v128.load(p3, 16))
    ak += 4
    p0 += 32
    p1 += 32
    p2 += 32
    p3 += 32
  }
  v128.store(c, c0)
  v128.store(c, c1, 16)
  v128.store(c, c2, 32)
  v128.store(c, c3, 48)
  v128.store(c, c4, 64)
  v128.store(c, c5, 80)
  v128.store(c, c6, 96)
  v128.store(c, c7, 112)
}

/** 1 row × 8 columns. */
function block1x8(a: usize, inner: i32, panel: usize, c: usize, accumulate: bool): void {
  let c0 = f32x4.splat(0)
  let c1 = c0
  if (accumulate) {
    c0 = v128.load(c)
    c1 = v128.load(c, 16)
  }
  let ak = a
  let b = panel
  for (let k = inner; k > 0; k--) {
    const x = v128.load_splat<f32>(ak)
    c0 = multiplyAdd(c0, x, v128.load(b))
    c1 = multiplyAdd(c1, x, v128.load(b, 16))
    ak += 4
    b += 32
  }
  v128.store(c, c0)
  v128.store(c, c1, 16)
}

/**
 * C[rows, columns] = A[rows, inner] · B, or C += … when `accumulate`. Panel j of B begins at `panels + j·panelStride`.
 * `columns` is a multiple of 8; strides are in bytes.
 */
export function matmul(
  a: usize, aStride: usize, rows: i32, inner: i32,
  panels: usize, panelStride: usize, columns: i32,
  c: usize, cStride: usize, accumulate: bool
): void {
  // A block of 64 rows stays in the cache while the panels stream over it.
  for (let first = 0; first < rows; first += 64) {
    const end = min(first + 64, rows)
    const endOfFours = first + ((end - first) & ~3)
    if (endOfFours > first) {
      for (let column = 0; column < columns; column += 8) {
        const panel = panels + <usize>(column >> 3) * panelStride
        for (let row = first; row < endOfFours; row += 4) {
          const target = c + <usize>row * cStride + (<usize>column << 2)
          block4x8(a + <usize>row * aStride, aStride, inner, panel, target, cStride, accumulate)
        }
      }
    }
    for (let row = endOfFours; row < end; row++) {
      const source = a + <usize>row * aStride
      const target = c + <usize>row * cStride
      let column = 0
      for (; column + 32 <= columns; column += 32) {
        const panel = panels + <usize>(column >> 3) * panelStride
        block1x32(source, inner, panel, panelStride, target + (<usize>column << 2), accumulate)
      }
      for (; column < columns; column += 8) {
        const panel = panels + <usize>(column >> 3) * panelStride
        block1x8(source, inner, panel, target + (<usize>column << 2), accumulate)
      }
    }
  }
}
