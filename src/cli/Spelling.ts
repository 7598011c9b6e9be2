/** Number of insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
export const editDistance = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
        ? beforeLast[j - 2] + 1
        : Infinity
      row.push(Math.min(last[j] + 1, row[j - 1] + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[to.length]
}

/** The known word that was probably meant: the nearest one, at most a third of its length away. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(word, candidate)
    const close = distance <= Math.max(1, Math.floor(candidate.length / 3))
    if (close && (best === undefined || distance < best.distance)) best = { word: candidate, distance }
  }
  return best?.word
}

/** `; did you mean --seed?`, or nothing. */
export const suggestion = (word: string, known: ReadonlyArray<string>): string => {
  const meant = nearest(word, known)
  return meant === undefined ? "" : `; did you mean ${meant}?`
}
