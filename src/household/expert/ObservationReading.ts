/**
 * What an observation says, read from its text alone. Knows the wordings of ALFWorld's data releases 2.1.1 and 2.1.3
 * and that of the built-in household games; things are named `<noun> <number>` in all of them.
 */
export type Reading =
  /** The listing of a room's receptacles, in its order. */
  | { readonly _tag: "Room"; readonly receptacles: ReadonlyArray<string> }
  /** What lies on or in a receptacle. */
  | {
    readonly _tag: "Contents"
    readonly receptacle: string
    readonly relation: "on" | "in"
    readonly objects: ReadonlyArray<string>
  }
  /** A receptacle that must be opened before its contents show. */
  | { readonly _tag: "Closed"; readonly receptacle: string }
  /** An action had its effect (taking, putting, closing, cleaning, heating, cooling, slicing, switching on). */
  | { readonly _tag: "Done" }
  | { readonly _tag: "Carrying"; readonly objects: ReadonlyArray<string> }
  /** The receptacles where the player stands. */
  | { readonly _tag: "Facing"; readonly receptacles: ReadonlyArray<string> }
  /** The state of the object in hand: `hot`, `clean`, `cool`, `cold`, `sliced`; empty for an ordinary one. */
  | { readonly _tag: "Properties"; readonly properties: ReadonlyArray<string> }
  /** The command had no effect. */
  | { readonly _tag: "NothingHappens" }
  /** The list of commands. */
  | { readonly _tag: "Help" }
  /** A text of none of these kinds. */
  | { readonly _tag: "Unknown" }

/** The `<noun> <number>` names of a text, in order. */
export const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\b([a-z]+) (\d+)\b/g), (match) => `${match[1]} ${match[2]}`)

/** The noun of a name: `cabinet` of `cabinet 3`. */
export const nounOf = (name: string): string => name.split(" ", 1)[0]

/** The number of a name: 3 of `cabinet 3`. */
export const numberOf = (name: string): number => Number(name.slice(name.indexOf(" ") + 1))

interface Rule {
  readonly pattern: RegExp
  readonly read: (match: RegExpExecArray) => Reading
}

const contents = (relation: "on" | "in") => (match: RegExpExecArray): Reading => ({
  _tag: "Contents",
  receptacle: match[1],
  relation,
  objects: namesIn(match[2])
})

const always = (reading: Reading) => (): Reading => reading

/** Rules in the order they are tried; the first that fits decides. */
const alfworldRules: ReadonlyArray<Rule> = [
  { pattern: /^Nothing happens\b/, read: always({ _tag: "NothingHappens" }) },
  {
    pattern: /You are in the middle of a room\. Looking quickly around you, you see ([^\n]*?)\.(?:\n|$)/,
    read: (match) => ({ _tag: "Room", receptacles: namesIn(match[1]) })
  },
  { pattern: /(?:^|\. )On the ([a-z]+ \d+), you see (.*)\.$/, read: contents("on") },
  { pattern: /(?:^|\. )The ([a-z]+ \d+) is open\. In it, you see (.*)\.$/, read: contents("in") },
  {
    pattern: /(?:^|\. )The ([a-z]+ \d+) is closed\.$/,
    read: (match) => ({ _tag: "Closed", receptacle: match[1] })
  },
  { pattern: /^You (?:pick up|put|move|close|clean|heat|cool|sliced?|turn on) /, read: always({ _tag: "Done" }) },
  {
    pattern: /^You are (?:not )?carrying(?:: (.*)| anything)\.$/,
    read: (match) => ({ _tag: "Carrying", objects: namesIn(match[1] ?? "") })
  },
  {
    pattern: /^You are facing the (.*?)\. Next to it, you see .*\.$/,
    read: (match) => ({ _tag: "Facing", receptacles: namesIn(match[1]) })
  },
  {
    pattern: /^This is a ([a-z ]*?)[a-z]+ \d+\./,
    read: (match) => ({
      _tag: "Properties",
      properties: match[1].match(/\b(?:hot|clean|cool|cold|sliced)\b/g) ?? []
    })
  },
  { pattern: /^There's nothing special about [a-z]+ \d+\.$/, read: always({ _tag: "Properties", properties: [] }) },
  { pattern: /^Available commands:/, read: always({ _tag: "Help" }) }
]

/** The wording of the built-in household games. */
const householdRules: ReadonlyArray<Rule> = [
  {
    pattern: /You stand in the middle of the room\. Around you: ([^\n]*?)\.(?:\n|$)/,
    read: (match) => ({ _tag: "Room", receptacles: namesIn(match[1]) })
  },
  { pattern: /(?:^|\. )On the ([a-z]+ \d+): (.*)\.$/, read: contents("on") },
  { pattern: /(?:^|\. )In the open ([a-z]+ \d+): (.*)\.$/, read: contents("in") },
  { pattern: /^You (?:take|switch on) /, read: always({ _tag: "Done" }) },
  { pattern: /^Carrying: (.*)\.$/, read: (match) => ({ _tag: "Carrying", objects: namesIn(match[1]) }) },
  {
    pattern: /^You face the (.*?)\. Beside you: .*\.$/,
    read: (match) => ({ _tag: "Facing", receptacles: namesIn(match[1]) })
  },
  {
    pattern: /^The [a-z]+ \d+ is ((?:(?:normal|hot|clean|cool|cold|sliced)(?: and )?)+)\./,
    read: (match) => ({ _tag: "Properties", properties: match[1].split(" and ").filter((word) => word !== "normal") })
  },
  { pattern: /^You can say:/, read: always({ _tag: "Help" }) }
]

const rules = [...alfworldRules, ...householdRules]

/** Reads an observation; never fails. */
export const readObservation = (text: string): Reading => {
  const trimmed = text.trim()
  for (const rule of rules) {
    const match = rule.pattern.exec(trimmed)
    if (match !== null) return rule.read(match)
  }
  return { _tag: "Unknown" }
}
