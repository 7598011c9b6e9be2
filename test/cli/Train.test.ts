import { assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { stripAnsi } from "../../src/cli/Style.js"
import { agentopsd, bin, buildCommand, start, startAgentopsd, withFolder } from "./command.js"

beforeAll(() => buildCommand())

const tiny = ["--tasks-per-update", "1", "--group-size", "2", "--max-turns", "2", "--ppo-minibatches", "1"]

const endless = ["train", ...tiny, "--max-steps", "100000", "--run-name", "long"]

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? ""

describe("train", () => {
  it("reports on stderr, and leaves results on stdout that lead to eval", () =>
    withFolder(async (folder) => {
      const trained = await agentopsd(["train", ...tiny, "--max-steps", "2", "--save-every", "1"], { cwd: folder })
      assert.strictEqual(trained.code, 0, trained.stderr)
      assert.match(
        trained.stderr,
        /^run folder runs\/agentopsd-household: 2 updates on 3000 games\nupdate 1\/2: .*\nsaved update 1\nupdate 2\/2: .*\nsaved update 2\n$/
      )
      assert.match(trained.stdout, /^updates: 2 in \d+ s, 2 in the run\nsuccess: /)
      assert.match(trained.stdout, /\nSaved state: embedded:\/\/agentopsd-household\/state\/step-000002\n/)
      assert.match(trained.stdout, /\nSaved sampler weights: embedded:\/\/agentopsd-household\/weights\/step-000002\n/)
      assert.strictEqual(stripAnsi(trained.stdout + trained.stderr), trained.stdout + trained.stderr)

      const [npx, name, ...args] = lastLine(trained.stdout).trim().split(" ")
      assert.deepStrictEqual([npx, name], ["npx", "agentopsd"])
      const small = ["--limit-per-split", "2", "--max-turns", "2"]
      const evaluated = await agentopsd([...args, ...small], { cwd: folder })
      assert.strictEqual(evaluated.code, 0, evaluated.stderr)
      assert.match(evaluated.stdout, /^split +task type +won +games +success % +95 % interval\n/)
      assert.match(evaluated.stdout, /\nall +all +\d +4 +\d+\.\d +\d+\.\d–\d+\.\d\n/)

      const again = await agentopsd([...args, ...small], { cwd: folder })
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, "--overwrite-output")
      const other = await agentopsd([...args, ...small, "--overwrite-output", "--seed", "1"], { cwd: folder })
      assert.strictEqual(other.code, 0, other.stderr)
    }))

  it("says that an update was skipped, and keeps its metrics", () =>
    withFolder(async (folder) => {
      const args = ["train", ...tiny, "--max-steps", "1", "--seed", "3", "--run-name", "smoke"]
      const { code, stderr, stdout } = await agentopsd(args, { cwd: folder })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "update skipped: the rewards of every group are equal")
      assert.include(stdout, "skipped: 1 of 1 updates")
      assert.include(readFileSync(join(folder, "runs/smoke/metrics.jsonl"), "utf8"), `"update/skipped":1`)
    }))

  it("takes the next free default name, and refuses a name that was asked for", () =>
    withFolder(async (folder) => {
      const args = ["train", ...tiny, "--max-steps", "1"]
      for (const name of ["agentopsd-household", "agentopsd-household-2"]) {
        const { stdout } = await agentopsd(args, { cwd: folder })
        assert.include(stdout, `run folder: runs/${name}\n`)
      }
      const refused = await agentopsd([...args, "--run-name", "agentopsd-household"], { cwd: folder })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "--resume")
      assert.sameMembers(readdirSync(join(folder, "runs")), ["agentopsd-household", "agentopsd-household-2"])
    }))

  it("goes on with a run under its own settings, for more updates where asked", () =>
    withFolder(async (folder) => {
      const run = await agentopsd(["train", ...tiny, "--max-steps", "1", "--run-name", "a"], { cwd: folder })
      assert.strictEqual(run.code, 0, run.stderr)
      const done = await agentopsd(["train", "--resume", "a"], { cwd: folder })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(done.stdout, "the run already has its 1 updates; a larger --max-steps goes on")
      const refused = await agentopsd(["train", "--resume", "a", "--seed", "7", "--gamma", "0.5"], { cwd: folder })
      assert.strictEqual(refused.code, 2)
      assert.strictEqual(
        refused.stderr,
        "error: --gamma: the run was made with 0.95; leave it out with --resume\n" +
          "--seed: the run was made with 42; leave it out with --resume\n"
      )
      const more = await agentopsd(["train", "--resume", "runs/a", "--max-steps", "2"], { cwd: folder })
      assert.strictEqual(more.code, 0, more.stderr)
      assert.include(more.stderr, "going on after update 1")
      assert.include(more.stdout, "2 in the run")
    }))
})

describe("Ctrl-C", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s stops a run that can go on", (signal) =>
    withFolder(async (folder) => {
      const run = startAgentopsd(endless, { cwd: folder })
      await run.stderrHas("update 2/")
      run.child.kill(signal)
      const { code, stderr, stdout } = await run.finished
      assert.strictEqual(code, 130)
      assert.strictEqual(lastLine(stderr), "stopped; go on with: npx agentopsd train --resume long")
      assert.strictEqual(stdout, "")
      assert.isFalse(existsSync(join(folder, "runs/long/run.lock")))

      const resumed = startAgentopsd(["train", "--resume", "long"], { cwd: folder })
      await resumed.stderrHas("update 3/")
      resumed.child.kill("SIGINT")
      assert.strictEqual((await resumed.finished).code, 130)
    }))

  it("twice ends the process at once", () =>
    withFolder(async (folder) => {
      const run = startAgentopsd(endless, { cwd: folder })
      await run.stderrHas("update 2/")
      run.child.kill("SIGINT")
      run.child.kill("SIGINT")
      assert.strictEqual((await run.finished).code, 130)
    }))

  it("stops an evaluation that goes on where it was", () =>
    withFolder(async (folder) => {
      const args = ["eval", "--games-per-batch", "1", "--max-turns", "3", "--limit-per-split", "40", "--output", "e.jsonl"]
      const run = startAgentopsd(args, { cwd: folder })
      await run.stderrHas("8/80 games, won")
      run.child.kill("SIGINT")
      const { code, stderr, stdout } = await run.finished
      assert.strictEqual(code, 130)
      assert.include(stderr, "stopped; the same command goes on where it was")
      assert.strictEqual(stdout, "")
      const resumed = await agentopsd(args, { cwd: folder })
      assert.strictEqual(resumed.code, 0, resumed.stderr)
      assert.match(resumed.stderr, /records e\.jsonl: 80 games, \d+ of them finished before/)
    }))
})

describe("on a terminal", () => {
  const hasScript = (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "script")))

  it.skipIf(!hasScript)("the update in progress is drawn on one line that is cleared at the end", () =>
    withFolder(async (folder) => {
      const clear = `\r${String.fromCharCode(27)}[2K`
      const args = ["train", "--tasks-per-update", "4", "--group-size", "4", "--max-steps", "1"]
      const line = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(" ")
      const { stdout } = await start("script", ["-qfec", `stty cols 60; ${line}`, "/dev/null"], {
        cwd: folder,
        env: { TERM: "xterm" }
      }).finished
      assert.match(stdout, /update 1\/1 [█░]{20} \d+\/16, won \d+/)
      const drawn = stdout.split(clear).filter((piece) => /^update 1\/1 [█░]/.test(piece))
      assert.isAbove(drawn.length, 0)
      for (const piece of drawn) {
        assert.notInclude(piece, "\n")
        assert.isBelow(piece.length, 60)
      }
      assert.match(stdout.slice(stdout.lastIndexOf(clear)), /^\r.{4}updates: 1 in/s)
    }))
})
