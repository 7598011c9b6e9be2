import { suggestion } from "./Spelling.js"

/** A flag as the command line parser knows it. */
export interface KnownFlag {
  /** With its dashes; the first is the name, the others are aliases. */
  readonly names: ReadonlyArray<string>
  readonly takesValue: boolean
}

/**
 * What is wrong with a command's arguments, in words that name the flag: an unknown flag, a flag without its value, a
 * flag given twice, a stray word. `undefined` where nothing of that kind is found.
 */
export const mistakeIn = (args: ReadonlyArray<string>, flags: ReadonlyArray<KnownFlag>): string | undefined => {
  const byName = new Map(flags.flatMap((flag) => flag.names.map((name) => [name, flag] as const)))
  const seen = new Map<KnownFlag, string>()
  for (let i = 0; i < args.length; i++) {
    const [name, value] = args[i].includes("=") ? [args[i].slice(0, args[i].indexOf("=")), args[i]] : [args[i], undefined]
    if (!name.startsWith("-")) return `${args[i]}: unexpected word; every setting is given as --name VALUE`
    const flag = byName.get(name)
    if (flag === undefined) return `${name}: unknown flag${suggestion(name, [...byName.keys()])}`
    const before = seen.get(flag)
    if (before !== undefined) {
      return before === name ? `${name}: given twice` : `${before} and ${name}: only one of them can be given`
    }
    seen.set(flag, name)
    if (!flag.takesValue) {
      if (value !== undefined) return `${name}: takes no value; use ${name} or --no-${name.replace(/^--(no-)?/, "")}`
      continue
    }
    if (value !== undefined) continue
    const next = args[i + 1]
    if (next === undefined || byName.has(next)) return `${name}: expected a value, but none follows`
    i++
  }
  return undefined
}
