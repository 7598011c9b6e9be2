import { assert, describe, it } from "@effect/vitest"
import { advance, drawnLine, initialView, type ProgressView } from "../../src/cli/ProgressView.js"
import type { ProgressEvent } from "../../src/services/Progress.js"

/** Plays events, one a second; gives the last view and the lines that stay. */
const play = (events: ReadonlyArray<ProgressEvent>): { readonly view: ProgressView; readonly lines: ReadonlyArray<string> } => {
  let view = initialView
  const lines: Array<string> = []
  events.forEach((event, second) => {
    const next = advance(view, event, second * 1000)
    view = next.view
    if (next.line !== undefined) lines.push(next.line)
  })
  return { view, lines }
}

const finished = (won: boolean): ProgressEvent => ({ _tag: "TrajectoryFinished", gameId: "g", won, turns: 3 })

const training: ReadonlyArray<ProgressEvent> = [
  { _tag: "RunOpened", place: "runs/a", step: 0, maxSteps: 2, games: 9 },
  { _tag: "UpdateStarted", step: 1, trajectories: 4 },
  finished(true),
  finished(false),
  { _tag: "GroupScored", gameId: "g", constant: false },
  { _tag: "UpdateFinished", step: 1, metrics: { "train/success_rate": 0.25 }, skipped: false },
  { _tag: "Saved", checkpoint: { step: 1, statePath: "s", samplerPath: "w" } },
  { _tag: "UpdateStarted", step: 2, trajectories: 4 },
  finished(true)
]

describe("training", () => {
  it("leaves one line an update, and one a save", () => {
    assert.deepStrictEqual(play(training).lines, [
      "run folder runs/a: 2 updates on 9 games",
      "update 1/2: success 25.0 %, 4.0 s",
      "saved update 1"
    ])
  })

  it("says where a resumed run goes on", () => {
    const { lines } = play([{ _tag: "RunOpened", place: "runs/a", step: 5, maxSteps: 9, games: 1 }])
    assert.deepStrictEqual(lines, ["run folder runs/a: 9 updates on 1 game, going on after update 5"])
  })

  it("says why an update was skipped", () => {
    const { lines } = play([{ _tag: "UpdateFinished", step: 1, metrics: { "train/success_rate": 0 }, skipped: true }])
    assert.include(lines[0], "update skipped: the rewards of every group are equal")
  })

  it("draws the update in progress", () => {
    const { view } = play(training)
    const line = drawnLine(view, 9000, 200)
    assert.strictEqual(line, "update 2/2 █████░░░░░░░░░░░░░░░ 1/4, won 1, 2.0 s, last update 25.0 %")
  })

  it("never draws more than the terminal is wide", () => {
    const { view } = play(training)
    for (let columns = 0; columns < 100; columns++) {
      assert.isBelow(drawnLine(view, 9000, columns).length, Math.max(1, columns))
    }
    assert.strictEqual(drawnLine(initialView, 0, 80), "")
  })
})

describe("evaluation", () => {
  it("leaves a line for each tenth of the games", () => {
    const games = Array.from({ length: 40 }, (_, i) => finished(i % 4 === 0))
    const { lines } = play([{ _tag: "EvaluationOpened", place: "e.jsonl", games: 40, finished: 0 }, ...games])
    assert.lengthOf(lines, 11)
    assert.strictEqual(lines[0], "records e.jsonl: 40 games")
    assert.strictEqual(lines[1], "4/40 games, won 1 so far, 4.0 s")
    assert.strictEqual(lines[10], "40/40 games, won 10 so far, 40.0 s")
  })

  it("ends with the last game, however many there are", () => {
    for (let games = 1; games <= 60; games++) {
      const events = Array.from({ length: games }, () => finished(true))
      const { lines } = play([{ _tag: "EvaluationOpened", place: "e.jsonl", games, finished: 0 }, ...events])
      assert.isAtMost(lines.length, 11)
      assert.isTrue(lines.at(-1)?.startsWith(`${games}/${games} games`))
    }
  })

  it("counts the games that are left", () => {
    const { lines, view } = play([{ _tag: "EvaluationOpened", place: "e.jsonl", games: 40, finished: 30 }, finished(true)])
    assert.strictEqual(lines[0], "records e.jsonl: 40 games, 30 of them finished before")
    assert.strictEqual(lines[1], "1/10 games, won 1 so far, 1.0 s")
    assert.isTrue(drawnLine(view, 2000, 200).includes("1/10, won 1"))
  })
})
