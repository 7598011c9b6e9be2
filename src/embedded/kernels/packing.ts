// Rearranging matrices for `matmul`.

/** Row-major S[inner, columns] (stride in bytes) into panels of 8 columns; `columns` is a multiple of 8. */
export function packPanels(
  source: usize, sourceStride: usize, inner: i32, columns: i32, panels: usize, panelStride: usize
): void {
  for (let column = 0; column < columns; column += 8) {
    let s = source + (<usize>column << 2)
    let p = panels + <usize>(column >> 3) * panelStride
    for (let k = 0; k < inner; k++) {
      v128.store(p, v128.load(s))
      v128.store(p, v128.load(s, 16), 16)
      s += sourceStride
      p += 32
    }
  }
}

/** Row-major S[columns, inner], seen as its transpose, into panels; columns missing in the last panel become 0. */
export function packTransposedPanels(
  source: usize, sourceStride: usize, columns: i32, inner: i32, panels: usize, panelStride: usize
): void {
  for (let column = 0; column < columns; column++) {
    let s = source + <usize>column * sourceStride
    let p = panels + <usize>(column >> 3) * panelStride + ((<usize>column & 7) << 2)
    for (let k = 0; k < inner; k++) {
      store<f32>(p, load<f32>(s))
      s += 4
      p += 32
    }
  }
  for (let column = columns; (column & 7) != 0; column++) {
    let p = panels + <usize>(column >> 3) * panelStride + ((<usize>column & 7) << 2)
    for (let k = 0; k < inner; k++) {
      store<f32>(p, 0)
      p += 32
    }
  }
}

/** T[columns, rows] = S[rows, columns]ᵀ; strides in bytes, `columns` a multiple of 4. */
export function transpose(
  source: usize, sourceStride: usize, rows: i32, columns: i32, target: usize, targetStride: usize
): void {
  const endOfFours = rows & ~3
  for (let row = 0; row < endOfFours; row += 4) {
    let s = source + <usize>row * sourceStride
    let t = target + (<usize>row << 2)
    for (let column = 0; column < columns; column += 4) {
      const r0 = v128.load(s)
      const r1 = v128.load(s + sourceStride)
      const r2 = v128.load(s + 2 * sourceStride)
      const r3 = v128.load(s + 3 * sourceStride)
      const low01 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5)
      const high01 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7)
      const low23 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5)
      const high23 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7)
      v128.store(t, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5))
      v128.store(t + targetStride, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7))
      v128.store(t + 2 * targetStride, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5))
      v128.store(t + 3 * targetStride, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7))
      s += 16
      t += 4 * targetStride
    }
  }
  for (let row = endOfFours; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = load<f32>(source + <usize>row * sourceStride + (<usize>column << 2))
      store<f32>(target + <usize>column * targetStride + (<usize>row << 2), value)
    }
  }
}
