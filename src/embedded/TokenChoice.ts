/** The index of the largest value; the first of equals. */
export const mostProbable = (values: ArrayLike<number>): number => {
  let best = 0
  for (let i = 1; i < values.length; i++) {
    if (values[i] > values[best]) best = i
  }
  return best
}

/** The smallest set of most probable tokens whose probability reaches `topP`, most probable first. */
export const nucleus = (probabilities: ArrayLike<number>, topP: number): ReadonlyArray<number> => {
  const order = Array.from({ length: probabilities.length }, (_, token) => token)
  if (topP >= 1) return order
  order.sort((x, y) => probabilities[y] - probabilities[x] || x - y)
  let reached = 0
  let size = 0
  while (size < order.length && reached < topP) {
    reached += probabilities[order[size]]
    size++
  }
  return order.slice(0, Math.max(1, size))
}

/** Draws a token of the nucleus with a uniform number u of [0, 1). */
export const drawToken = (probabilities: ArrayLike<number>, topP: number, u: number): number => {
  const candidates = nucleus(probabilities, topP)
  let total = 0
  for (const token of candidates) total += probabilities[token]
  let left = u * total
  let last = candidates[0]
  for (const token of candidates) {
    if (probabilities[token] <= 0) continue
    last = token
    left -= probabilities[token]
    if (left < 0) return token
  }
  // Only rounding leads here.
  return last
}
