const safe = /^[A-Za-z0-9_@%+=:,./-]+$/

/** A word as a POSIX shell reads it back. */
export const shellWord = (word: string): string => safe.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** A command line that a person can copy into a shell. */
export const shellCommand = (words: ReadonlyArray<string>): string => words.map((word) => shellWord(word)).join(" ")
