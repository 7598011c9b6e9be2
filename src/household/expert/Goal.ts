/** What a household task asks for, as its sentence says it. */
export interface Goal {
  /**
   * `place`, `clean`, `heat`, `cool`: one object into a receptacle, after the treatment named. `two`: two objects into
   * one and the same receptacle. `light`: hold the object where a lamp is switched on.
   */
  readonly kind: "place" | "clean" | "heat" | "cool" | "two" | "light"
  /** Noun of what is wanted. */
  readonly object: string
  /** Noun of the receptacle, or of the lamp. */
  readonly target: string
}

const kindOfState: Readonly<Record<string, Goal["kind"]>> = { clean: "clean", hot: "heat", cool: "cool" }
const kindOfVerb: Readonly<Record<string, Goal["kind"]>> = { clean: "clean", heat: "heat", cool: "cool" }

interface Shape {
  readonly pattern: RegExp
  readonly read: (match: RegExpExecArray) => Goal
}

/** The twelve sentences of ALFWorld's task types. */
const shapes: ReadonlyArray<Shape> = [
  {
    pattern: /^(?:look at|examine the) ([a-z]+) (?:under|with) the ([a-z]+)$/,
    read: (match) => ({ kind: "light", object: match[1], target: match[2] })
  },
  {
    pattern: /^(?:put two|find two) ([a-z]+) (?:and put them )?in ([a-z]+)$/,
    read: (match) => ({ kind: "two", object: match[1], target: match[2] })
  },
  {
    pattern: /^put a (clean|hot|cool) ([a-z]+) in ([a-z]+)$/,
    read: (match) => ({ kind: kindOfState[match[1]], object: match[2], target: match[3] })
  },
  {
    pattern: /^(clean|heat|cool) some ([a-z]+) and put it in ([a-z]+)$/,
    read: (match) => ({ kind: kindOfVerb[match[1]], object: match[2], target: match[3] })
  },
  {
    pattern: /^put (?:a|some) ([a-z]+) (?:in|on) ([a-z]+)$/,
    read: (match) => ({ kind: "place", object: match[1], target: match[2] })
  }
]

/** Reads a task sentence; `undefined` where it has none of the known shapes. */
export const readGoal = (task: string): Goal | undefined => {
  const sentence = task.trim().toLowerCase().replace(/\.$/, "")
  for (const shape of shapes) {
    const match = shape.pattern.exec(sentence)
    if (match !== null) return shape.read(match)
  }
  return undefined
}
