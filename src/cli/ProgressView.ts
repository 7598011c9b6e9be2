import type { ProgressEvent } from "../services/Progress.js"

/** What the progress line is drawn from. Times are milliseconds since the epoch. */
export interface ProgressView {
  readonly program: "none" | "train" | "eval"
  /** The update now in progress, from 1. */
  readonly step: number
  readonly maxSteps: number
  /** Trajectories of the update, or games of the evaluation. */
  readonly expected: number
  readonly finished: number
  readonly won: number
  readonly startedAt: number
  /** Success of the last update. */
  readonly lastSuccess: number | undefined
  /** Evaluation: finished games after which the next plain line is due. */
  readonly nextMark: number
}

/** Nothing has begun. */
export const initialView: ProgressView = {
  program: "none",
  step: 0,
  maxSteps: 0,
  expected: 0,
  finished: 0,
  won: 0,
  startedAt: 0,
  lastSuccess: undefined,
  nextMark: 0
}

const percent = (part: number, whole: number): string => whole === 0 ? "–" : `${(100 * part / whole).toFixed(1)} %`

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const marksPerEvaluation = 10

/** The view after an event, and a line to leave behind for good, where the event deserves one. */
export const advance = (
  view: ProgressView,
  event: ProgressEvent,
  now: number
): { readonly view: ProgressView; readonly line: string | undefined } => {
  switch (event._tag) {
    case "RunOpened": {
      const from = event.step === 0 ? "" : `, going on after update ${event.step}`
      return {
        view: { ...view, program: "train", step: event.step, maxSteps: event.maxSteps, startedAt: now },
        line: `run folder ${event.place}: ${event.maxSteps} updates on ${event.games} games${from}`
      }
    }
    case "UpdateStarted":
      return {
        view: { ...view, step: event.step, expected: event.trajectories, finished: 0, won: 0, startedAt: now },
        line: undefined
      }
    case "TrajectoryFinished": {
      const next = { ...view, finished: view.finished + 1, won: view.won + (event.won ? 1 : 0) }
      if (view.program !== "eval" || next.finished < view.nextMark) return { view: next, line: undefined }
      return {
        view: { ...next, nextMark: next.nextMark + view.expected / marksPerEvaluation },
        line: `${next.finished}/${next.expected} games: success ${percent(next.won, next.finished)}, ` +
          seconds(now - view.startedAt)
      }
    }
    case "GroupScored":
      return { view, line: undefined }
    case "UpdateFinished": {
      const success = event.metrics["train/success_rate"]
      const reason = event.skipped ? "; update skipped: the rewards of every group are equal, nothing to learn" : ""
      return {
        view: { ...view, lastSuccess: success },
        line: `update ${event.step}/${view.maxSteps}: success ${percent(success ?? 0, success === undefined ? 0 : 1)}, ` +
          `${seconds(now - view.startedAt)}${reason}`
      }
    }
    case "Saved":
      return { view, line: `saved update ${event.checkpoint.step}` }
    case "EvaluationOpened": {
      const remaining = event.games - event.finished
      const before = event.finished === 0 ? "" : `, ${event.finished} of them finished before`
      return {
        view: {
          ...view,
          program: "eval",
          expected: remaining,
          startedAt: now,
          nextMark: remaining / marksPerEvaluation
        },
        line: `records ${event.place}: ${event.games} games${before}`
      }
    }
    case "Notice":
      return { view, line: event.text }
  }
}

/** The line that is drawn again and again on a terminal, cut to its width; empty where nothing is in progress. */
export const drawnLine = (view: ProgressView, now: number, columns: number): string => {
  if (view.expected === 0) return ""
  const cells = 20
  const full = Math.round(cells * Math.min(1, view.finished / view.expected))
  const bar = "█".repeat(full) + "░".repeat(cells - full)
  const count = `${view.finished}/${view.expected}, won ${view.won}`
  const last = view.lastSuccess === undefined ? "" : `, last update ${percent(view.lastSuccess, 1)}`
  const what = view.program === "train" ? `update ${view.step}/${view.maxSteps} ` : ""
  return `${what}${bar} ${count}, ${seconds(now - view.startedAt)}${last}`.slice(0, Math.max(0, columns - 1))
}
