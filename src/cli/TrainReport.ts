import { mean, type Metrics } from "../domain/Metrics.js"
import type { TrainSettings } from "../domain/Settings.js"
import type { TrainSummary } from "../programs/Train.js"
import { embeddedEvalDefaults } from "../domain/Defaults.js"
import { shellCommand } from "./ShellCommand.js"

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** `4 min 12 s`. */
export const duration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The command that evaluates what a run saved; flags that are eval's defaults are left out. */
export const evalCommandFor = (settings: TrainSettings, steps: number, samplerPath: string): string =>
  shellCommand([
    ...["npx", "agentopsd", "eval", "--model-path", samplerPath],
    ...(settings.baseModel === embeddedEvalDefaults.baseModel ? [] : ["--base-model", settings.baseModel]),
    ...(settings.runDir === embeddedEvalDefaults.runDir ? [] : ["--run-dir", settings.runDir]),
    ...(settings.dataRoot === null ? [] : ["--data-root", settings.dataRoot]),
    ...(settings.includeAdmissibleActions ? ["--include-admissible-actions"] : []),
    // A file of its own, so that earlier evaluations stay and both can be compared.
    ...["--output", `eval_results/${settings.runName}-step-${steps}.jsonl`]
  ])

/** The command that goes on with a run. */
export const resumeCommandFor = (settings: TrainSettings): string =>
  shellCommand([
    ...["npx", "agentopsd", "train", "--resume", settings.runName],
    ...(settings.runDir === embeddedEvalDefaults.runDir ? [] : ["--run-dir", settings.runDir])
  ])

const successLine = (metrics: ReadonlyArray<Metrics>): string | undefined => {
  const rates = metrics.flatMap((each) => each["train/success_rate"] ?? [])
  // One update's rate is noisy; averages of a few at both ends are compared instead where there are enough.
  const few = Math.max(1, Math.min(5, Math.floor(rates.length / 2)))
  const first = mean(rates.slice(0, few))
  const last = mean(rates.slice(-few))
  if (first === undefined || last === undefined) return undefined
  if (rates.length === 1) return `success: ${percent(first)}`
  const span = few === 1 ? "update" : `${few} updates`
  return `success: first ${span} ${percent(first)}, last ${span} ${percent(last)}`
}

const skippedLine = (metrics: ReadonlyArray<Metrics>): string | undefined => {
  const skipped = metrics.filter((each) => each["update/skipped"] === 1).length
  if (skipped === 0) return undefined
  return `skipped: ${skipped} of ${metrics.length} updates (every group's rewards were equal, so there was nothing to learn)`
}

/** What `train` leaves on stdout. */
export const trainReport = (settings: TrainSettings, summary: TrainSummary, milliseconds: number): string => {
  const saved = summary.checkpoint
  const lines = [
    summary.metrics.length === 0
      ? `the run already has its ${summary.steps} updates; a larger --max-steps goes on`
      : `updates: ${summary.metrics.length} in ${duration(milliseconds)}, ${summary.steps} in the run`,
    successLine(summary.metrics),
    skippedLine(summary.metrics),
    `run folder: ${summary.place}`,
    ...(saved === undefined ? [] : [
      `Saved state: ${saved.statePath}`,
      `Saved sampler weights: ${saved.samplerPath}`,
      "",
      "evaluate what was learnt:",
      `  ${evalCommandFor(settings, summary.steps, saved.samplerPath)}`
    ])
  ]
  return lines.filter((line) => line !== undefined).join("\n")
}
