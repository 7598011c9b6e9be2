import { assert, describe, it } from "@effect/vitest"
import { embeddedTrainDefaults } from "../../src/domain/Defaults.js"
import { evalReport } from "../../src/cli/EvalReport.js"
import { shellCommand } from "../../src/cli/ShellCommand.js"
import { duration, evalCommandFor, resumeCommandFor, trainReport } from "../../src/cli/TrainReport.js"

const saved = { step: 30, statePath: "embedded://a/state/30", samplerPath: "embedded://a/weights/30" }

const metricsOf = (rates: ReadonlyArray<number>) => rates.map((rate) => ({ "train/success_rate": rate, "update/skipped": 0 }))

describe("trainReport", () => {
  it("compares the first and the last updates and names what was saved", () => {
    const rates = [0.1, 0.2, 0.3, 0.2, 0.2, 0.5, 0.6, 0.6, 0.6, 0.7, 0.5]
    const summary = { place: "runs/a", steps: 30, checkpoint: saved, metrics: metricsOf(rates) }
    assert.deepStrictEqual(trainReport({ ...embeddedTrainDefaults, runName: "a" }, summary, 83_400).split("\n"), [
      "updates: 11 in 1 min 23 s, 30 in the run",
      "success: first 5 updates 20.0 %, last 5 updates 60.0 %",
      "run folder: runs/a",
      "Saved state: embedded://a/state/30",
      "Saved sampler weights: embedded://a/weights/30",
      "",
      "evaluate what was learnt:",
      "  npx agentopsd eval --model-path embedded://a/weights/30 --output eval_results/a-step-30.jsonl"
    ])
  })

  it("counts skipped updates", () => {
    const metrics = [{ "train/success_rate": 0, "update/skipped": 1 }]
    const text = trainReport(embeddedTrainDefaults, { place: "runs/a", steps: 1, checkpoint: saved, metrics }, 900)
    assert.include(text, "success: 0.0 %\n")
    assert.include(text, "skipped: 1 of 1 updates (every group's rewards were equal")
  })

  it("says when there was nothing left to do", () => {
    const text = trainReport(embeddedTrainDefaults, { place: "runs/a", steps: 30, checkpoint: saved, metrics: [] }, 900)
    assert.include(text, "the run already has its 30 updates; a larger --max-steps goes on")
    assert.notInclude(text, "success")
  })
})

describe("printed commands", () => {
  it("carry every flag that is no default", () => {
    const settings = {
      ...embeddedTrainDefaults,
      baseModel: "strong",
      runDir: "my runs",
      dataRoot: "/data/it's",
      includeAdmissibleActions: true
    }
    assert.strictEqual(
      evalCommandFor(settings, 7, "embedded://x/weights/7"),
      "npx agentopsd eval --model-path embedded://x/weights/7 --base-model strong --run-dir 'my runs' " +
        `--data-root '/data/it'\\''s' --include-admissible-actions --output ` +
        "eval_results/agentopsd-household-step-7.jsonl"
    )
    assert.strictEqual(
      resumeCommandFor(settings),
      "npx agentopsd train --resume agentopsd-household --run-dir 'my runs'"
    )
    assert.strictEqual(resumeCommandFor(embeddedTrainDefaults), "npx agentopsd train --resume agentopsd-household")
  })

  it("quote words for a shell", () => {
    assert.strictEqual(shellCommand(["a", "", "b c", "$x", "e=f"]), "a '' 'b c' '$x' e=f")
  })
})

describe("duration", () => {
  it.each([[0, "0 s"], [59_400, "59 s"], [59_600, "1 min 0 s"], [252_000, "4 min 12 s"]] as const)("%d ms", (ms, text) => {
    assert.strictEqual(duration(ms), text)
  })
})

describe("evalReport", () => {
  it("is a table with intervals", () => {
    const text = evalReport({
      place: "e.jsonl",
      metrics: {},
      rows: [
        { split: "valid_seen", taskType: "look_at_obj_in_light", wins: 1, games: 4, interval: [0.0456, 0.6994] },
        { split: "valid_seen", taskType: "all", wins: 101, games: 140, interval: [0.6421, 0.7892] }
      ]
    })
    assert.deepStrictEqual(text.split("\n"), [
      "split       task type             won  games  success %  95 % interval",
      "valid_seen  look_at_obj_in_light    1      4       25.0       4.6–69.9",
      "valid_seen  all                   101    140       72.1      64.2–78.9",
      "",
      "intervals: Wilson",
      "records: e.jsonl"
    ])
  })
})
