import type { EvaluationReport } from "../programs/Evaluate.js"
import { textTable } from "./Table.js"

const percent = (share: number): string => (100 * share).toFixed(1)

/** What `eval` leaves on stdout: success by split and task type. */
export const evalReport = (report: EvaluationReport): string =>
  [
    textTable(
      ["split", "task type", "won", "games", "success %", "95 % interval"],
      report.rows.map(({ games, interval: [low, high], split, taskType, wins }) => [
        split,
        taskType,
        String(wins),
        String(games),
        percent(wins / games),
        `${percent(low)}–${percent(high)}`
      ]),
      2
    ),
    "",
    "intervals: Wilson",
    `records: ${report.place}`
  ].join("\n")
