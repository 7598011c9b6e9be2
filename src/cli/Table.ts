/** A table as text: the first `left` columns are words, the others numbers, set flush right. */
export const textTable = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  left: number
): string => {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  const line = (cells: ReadonlyArray<string>): string =>
    cells.map((cell, column) => column < left ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))
      .join("  ")
      .trimEnd()
  return [header, ...rows].map((cells) => line(cells)).join("\n")
}
