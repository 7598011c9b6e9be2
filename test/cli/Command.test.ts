import { assert, beforeAll, describe, it } from "@effect/vitest"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { stripAnsi } from "../../src/cli/Style.js"
import { agentopsd, bin, buildCommand, start, withFolder } from "./command.js"

beforeAll(() => buildCommand())

/** Runs a command line on a terminal of its own, made by util-linux's `script`. */
const onTerminal = (line: string, env: Readonly<Record<string, string>> = {}) =>
  start("script", ["-qfec", line, "/dev/null"], { env: { TERM: "xterm", ...env } }).finished

const hasScript = (process.env.PATH ?? "").split(":").some((folder) =>
  statSync(join(folder, "script"), { throwIfNoEntry: false }) !== undefined
)
if (!hasScript) console.warn("skipped: tests on a terminal need the program `script` (util-linux)")

describe("help", () => {
  it.each([[["--help"]], [["train", "--help"]], [["eval", "-h"]], [["games", "--help"]], [[]]])(
    "%j is plain text on stdout",
    async (args) => {
      const { code, stderr, stdout } = await agentopsd(args)
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      assert.include(stdout, "Usage\n  agentopsd ")
      assert.strictEqual(stripAnsi(stdout), stdout)
    }
  )

  it("loads little code, so that it is there at once", () => {
    const folder = join(dirname(bin), "../dist/cli")
    const main = readFileSync(join(folder, "agentopsd.js"), "utf8")
    const loaded = ["agentopsd.js", ...readdirSync(folder).filter((name) => main.includes(`from"./${name}"`))]
    const bytes = loaded.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    assert.isBelow(bytes, 500_000)
  })

  it.skipIf(!hasScript)("is dressed on a terminal, unless NO_COLOR is set or the terminal cannot", async () => {
    const line = `'${process.execPath}' '${bin}' train --help`
    const dressed = await onTerminal(line)
    assert.notStrictEqual(stripAnsi(dressed.stdout), dressed.stdout)
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const { stdout } = await onTerminal(line, env)
      assert.strictEqual(stripAnsi(stdout), stdout)
      assert.strictEqual(stdout, stripAnsi(dressed.stdout))
    }
  })

  it("may lose its reader", async () => {
    const line = `set -o pipefail; '${process.execPath}' '${bin}' train --help | head -c 1`
    assert.strictEqual((await start("bash", ["-c", line]).finished).code, 0)
  })
})

describe("version and completions", () => {
  it("are results on stdout", async () => {
    const manifest = JSON.parse(readFileSync(join(dirname(bin), "../package.json"), "utf8"))
    const version = await agentopsd(["--version"])
    assert.deepStrictEqual([version.code, version.stdout.trim(), version.stderr], [0, manifest.version, ""])
    const completions = await agentopsd(["--completions", "bash"])
    assert.strictEqual(completions.code, 0)
    assert.include(completions.stdout, "--reshape-lambda")
  })
})

describe("a usage mistake", () => {
  it.each<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>, string]>([
    [["trian"], {}, "error: trian: unknown command; did you mean train?"],
    [["--seed", "3"], {}, "error: --seed: unknown command"],
    [["train", "--sede", "3"], {}, "error: --sede: unknown flag; did you mean --seed?"],
    [["train", "--seed"], {}, "error: --seed: expected a value, but none follows"],
    [["train", "--learning-rate", "-3"], {}, "error: --learning-rate: expected a positive number, actual -3"],
    [["train", "--train-unembed", "--no-train-unembed"], {}, "error: --train-unembed and --no-train-unembed: only one"],
    [["eval", "--split", "test"], {}, `error: --split: expected "valid_seen" or "valid_unseen" or "all", actual "test"`],
    [["games", "--seed", "x"], {}, `error: --seed: expected a number, actual "x"`],
    [["train"], { AGENTOPSD_SEED: "x", npm_node_execpath: "/node" }, `error: --seed (from AGENTOPSD_SEED): expected a number, actual "x"`],
    [["eval"], { AGENTOPSD_SEDE: "1" }, "error: environment variable AGENTOPSD_SEDE is no setting of agentopsd; did"],
    [["train", "--config", "/nowhere.json"], {}, "error: --config /nowhere.json: cannot be read"],
    [["train", "--swanlab-mode", "online"], {}, "error: --swanlab-mode online: the SwanLab Layer is not part of"],
    [["train", "--base-model", "Qwen/Qwen3.5-4B"], {}, "error: --base-model Qwen/Qwen3.5-4B: large models run on the"]
  ])("%j %j exits with 2 and one message on stderr", async (args, env, beginning) => {
    const { code, stderr, stdout } = await agentopsd(args, { env })
    assert.isTrue(stderr.startsWith(beginning), stderr)
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.strictEqual(stripAnsi(stderr), stderr)
    assert.strictEqual(stderr.match(/error:/g)?.length, 1)
    assert.notMatch(stderr, /\n {4}at /)
  })

  it("names every wrong key of a configuration file", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "train.json"), `{"seed": 1, "max-step": 3, "gamma": 5}`)
      const unknown = await agentopsd(["train", "--config", "train.json"], { cwd: folder })
      assert.strictEqual(unknown.stderr, `error: --config train.json: unknown setting "max-step"; did you mean max-steps?\n`)
      writeFileSync(join(folder, "train.json"), `{"seed": "1", "gamma": 5}`)
      const wrong = await agentopsd(["train", "--config", "train.json"], { cwd: folder })
      assert.strictEqual(
        wrong.stderr,
        "error: --gamma (from train.json): expected a number between 0 and 1, actual 5\n" +
          `--seed (from train.json): expected a number, actual "1"\n`
      )
      assert.deepStrictEqual(readdirSync(folder), ["train.json"])
    }))
})

describe("a run that fails", () => {
  it.each<readonly [ReadonlyArray<string>, string]>([
    [["train", "--resume", "nothing"], "nothing"],
    [["train", "--data-root", "nowhere"], "nowhere"],
    [["eval", "--data-root", "nowhere"], "nowhere"],
    [["eval", "--model-path", "embedded://nothing/weights/1"], "nothing"],
    [["train", "--skills-dir", "nowhere"], "nowhere"],
    [["train", "--train-split", "test"], "test"]
  ])("%j exits with 1, says why on stderr and leaves nothing behind", (args, named) =>
    withFolder(async (folder) => {
      const { code, stderr, stdout } = await agentopsd(args, { cwd: folder })
      assert.match(stderr, /^error: /)
      assert.include(stderr, named)
      assert.notMatch(stderr, /\n {4}at /)
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "")
      assert.deepStrictEqual(readdirSync(folder), [])
    }))
})

describe("games", () => {
  it("counts the built-in games on stdout", async () => {
    const { code, stderr, stdout } = await agentopsd(["games"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^task type +train +valid_seen +valid_unseen\n/)
    assert.match(stdout, /\nall +3000 +140 +134\n$/)
  })
})

describe("a checkout that was not built", () => {
  it("says how to build it", () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, "bin"))
      writeFileSync(join(folder, "package.json"), `{"type": "module"}`)
      copyFileSync(bin, join(folder, "bin/agentopsd.js"))
      const { code, stderr } = await start(process.execPath, [join(folder, "bin/agentopsd.js")]).finished
      assert.strictEqual(code, 1)
      assert.include(stderr, `run "npm run build" in ${folder}`)
    }))
})
