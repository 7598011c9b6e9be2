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
  /** Evaluation: how many tenths of the games have had their line. */
  readonly tenths: number
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
  tenths: 0
}

const percent = (part: number, whole: number): string => whole === 0 ? "–" : `${(100 * part / whole).toFixed(1)} %`

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

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
        line: `run folder ${event.place}: ${count(event.maxSteps, "update")} on ${count(event.games, "game")}${from}`
      }
    }
    case "UpdateStarted":
      return {
        view: { ...view, step: event.step, expected: event.trajectories, finished: 0, won: 0, startedAt: now },
        line: undefined
      }
    case "TrajectoryFinished": {
      const finished = view.finished + 1
      const tenths = Math.floor(10 * finished / view.expected)
      const next = { ...view, finished, tenths, won: view.won + (event.won ? 1 : 0) }
      if (view.program !== "eval" || tenths === view.tenths) return { view: next, line: undefined }
      // No rate yet: games that are won end sooner, so it would begin far too high.
      const line = `${finished}/${view.expected} games, won ${next.won} so far, ${seconds(now - view.startedAt)}`
      return { view: next, line }
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
        view: { ...view, program: "eval", expected: remaining, startedAt: now },
        line: `records ${event.place}: ${count(event.games, "game")}${before}`
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
  const state = `${view.finished}/${view.expected}, won ${view.won}`
  const last = view.lastSuccess === undefined ? "" : `, last update ${percent(view.lastSuccess, 1)}`
  const what = view.program === "train" ? `update ${view.step}/${view.maxSteps} ` : ""
  return `${what}${bar} ${state}, ${seconds(now - view.startedAt)}${last}`.slice(0, Math.max(0, columns - 1))
}
