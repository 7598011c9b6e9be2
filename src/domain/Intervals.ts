/**
 * Wilson's score interval for a proportion at 95 %: [low, high] in [0, 1]; [0, 1] for no observations.
 * Source: E. B. Wilson, JASA 22 (1927).
 */
export const wilson = (wins: number, games: number): readonly [number, number] => {
  if (games === 0) return [0, 1]
  const z = 1.959963984540054
  const p = wins / games
  const scale = 1 + z * z / games
  const centre = (p + z * z / (2 * games)) / scale
  const half = z * Math.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / scale
  return [wins === 0 ? 0 : centre - half, wins === games ? 1 : centre + half]
}
