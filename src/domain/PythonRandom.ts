/**
 * CPython's `random.Random(seed)`: the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with Python's seeding
 * by an integer and Python's `shuffle`, for orders that agree with those of a Python program.
 */

const size = 624
const shift = 397
const upperBit = 0x80000000
const lowerBits = 0x7fffffff
const twist = 0x9908b0df

/** A generator of 32-bit numbers, seeded as `random.Random(seed)`. It changes with every draw. */
export class PythonRandom {
  private readonly state = new Uint32Array(size)
  private index = size

  /** @param seed an integer; as in Python its sign is ignored */
  constructor(seed: number | bigint) {
    this.initialize(seedKey(seed))
  }

  /** The reference implementation's `init_by_array`. */
  private initialize(key: ReadonlyArray<number>): void {
    const state = this.state
    state[0] = 19650218
    for (let at = 1; at < size; at++) state[at] = Math.imul(1812433253, mixed(state, at)) + at
    let at = 1
    let keyAt = 0
    const advance = (): void => {
      at++
      if (at < size) return
      state[0] = state[size - 1]!
      at = 1
    }
    for (let count = Math.max(size, key.length); count > 0; count--) {
      state[at] = (state[at]! ^ Math.imul(mixed(state, at), 1664525)) + key[keyAt]! + keyAt
      advance()
      keyAt = (keyAt + 1) % key.length
    }
    for (let count = size - 1; count > 0; count--) {
      state[at] = (state[at]! ^ Math.imul(mixed(state, at), 1566083941)) - at
      advance()
    }
    state[0] = upperBit
  }

  private refill(): void {
    const state = this.state
    for (let at = 0; at < size; at++) {
      const joined = (state[at]! & upperBit) | (state[(at + 1) % size]! & lowerBits)
      state[at] = state[(at + shift) % size]! ^ (joined >>> 1) ^ ((joined & 1) === 1 ? twist : 0)
    }
    this.index = 0
  }

  /** The next 32 random bits, as an unsigned number. */
  uint32(): number {
    if (this.index === size) this.refill()
    let bits = this.state[this.index]!
    this.index++
    bits ^= bits >>> 11
    bits ^= (bits << 7) & 0x9d2c5680
    bits ^= (bits << 15) & 0xefc60000
    bits ^= bits >>> 18
    return bits >>> 0
  }

  /** A random integer `0 … count - 1`, for a `count` from 1 to 2³² - 1, as Python's `randrange(count)` draws it. */
  below(count: number): number {
    const unused = Math.clz32(count)
    for (;;) {
      const drawn = this.uint32() >>> unused
      if (drawn < count) return drawn
    }
  }
}

/** The state word before `at`, mixed with its own top bits. */
const mixed = (state: Uint32Array, at: number): number => state[at - 1]! ^ (state[at - 1]! >>> 30)

/** The 32-bit words of |seed|, least significant first; zero has one word. */
const seedKey = (seed: number | bigint): ReadonlyArray<number> => {
  const words: Array<number> = []
  let rest = BigInt(seed)
  if (rest < 0n) rest = -rest
  do {
    words.push(Number(rest & 0xffffffffn))
    rest >>= 32n
  } while (rest > 0n)
  return words
}

/**
 * The items in the order that Python's `random.Random(seed).shuffle` puts them in.
 *
 * @param seed an integer of any size
 */
export const shuffled = <A>(seed: number | bigint, items: ReadonlyArray<A>): ReadonlyArray<A> => {
  const random = new PythonRandom(seed)
  const result = items.slice()
  for (let at = result.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const moved = result[at]!
    result[at] = result[other]!
    result[other] = moved
  }
  return result
}
