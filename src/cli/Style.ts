/** How text is dressed for a terminal. */
export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly dim: (text: string) => string
}

const escape = String.fromCharCode(27)

const sgr = (open: number, close: number) => (text: string): string =>
  `${escape}[${open}m${text}${escape}[${close}m`

/** Text as it is, for pipes, files and NO_COLOR. */
export const plain: Style = { bold: (text) => text, red: (text) => text, dim: (text) => text }

/** Text with ANSI colours. */
export const ansi: Style = { bold: sgr(1, 22), red: sgr(31, 39), dim: sgr(2, 22) }

const codes = new RegExp(`${escape}\\[[0-9;?]*[A-Za-z]`, "g")

/** The text without its ANSI codes. */
export const stripAnsi = (text: string): string => text.replace(codes, "")
