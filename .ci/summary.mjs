// Adds up the reports of vitest and the steps that failed: "N passed, N failed, N skipped".
import { existsSync, readFileSync } from "node:fs"

const [reports] = process.argv.slice(2)
const failedSteps = readFileSync(`${reports}/failures`, "utf8").split("\n").filter((name) => name !== "")
const total = { passed: 0, failed: 0, skipped: 0 }
const blamed = new Set(failedSteps)
for (const name of ["test", "slow"]) {
  const file = `${reports}/${name}.json`
  if (!existsSync(file)) continue
  const report = JSON.parse(readFileSync(file, "utf8"))
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  if (report.numFailedTests > 0) blamed.delete(name)
}
// A step that failed without a failed test (lint, a file that does not load) counts as one failure.
total.failed += blamed.size
if (failedSteps.length > 0) console.log(`\nfailed steps: ${failedSteps.join(", ")}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 ? 1 : 0
