/**
 * Seeded randomness. Every random number of a run comes from a generator whose seed is a hash of what it is for
 * (run seed, game id, attempt, turn, …), never from a stream that several consumers share: so results do not depend
 * on the order in which work happens to finish.
 */

/** A random number generator: each call gives the next number of the interval [0, 1). */
export type Generator = () => number

const mix = (h: number): number => {
  let x = h ^ (h >>> 16)
  x = Math.imul(x, 0x85ebca6b)
  x ^= x >>> 13
  x = Math.imul(x, 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/**
 * A seed (an integer of 53 bits) from the parts that name a purpose. Equal parts give equal seeds; `["a", "b"]` and
 * `["ab"]` differ, and so do the number 1 and the text "1".
 */
export const seedOf = (...parts: ReadonlyArray<string | number>): number => {
  let high = 0x9e3779b9
  let low = 0x243f6a88
  const absorb = (code: number): void => {
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ (code + 0x5bd1e995), 0x5bd1e995)
    low ^= low >>> 15
  }
  for (const part of parts) {
    const text = typeof part === "number" ? `#${part}` : `$${part}`
    for (let i = 0; i < text.length; i++) absorb(text.charCodeAt(i))
    absorb(0xffff)
  }
  return (mix(high) & 0x1fffff) * 0x100000000 + mix(low ^ Math.imul(high, 0x27d4eb2f))
}

/** A generator (xoshiro128**, public domain algorithm of Blackman and Vigna) for a non-negative integer seed. */
export const generator = (seed: number): Generator => {
  let state = seed >>> 0
  const splitmix = (): number => {
    state = (state + 0x9e3779b9) | 0
    return mix(state)
  }
  let a = splitmix()
  let b = splitmix() ^ Math.floor(seed / 0x100000000)
  let c = splitmix()
  let d = splitmix() | 1
  const next = (): number => {
    const scrambled = Math.imul(b, 5)
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result / 0x100000000
  }
  for (let i = 0; i < 8; i++) next()
  return next
}

/** An integer in [0, n). */
export const below = (random: Generator, n: number): number => Math.floor(random() * n)

/** A new array in random order (Fisher–Yates). */
export const shuffledBy = <A>(random: Generator, items: ReadonlyArray<A>): Array<A> => {
  const out = items.slice()
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(random, i + 1)
    const held = out[i]
    out[i] = out[j]
    out[j] = held
  }
  return out
}
