import { assert, describe, it } from "@effect/vitest"
import { evalFlags, flagEntries } from "../../src/cli/Flags.js"
import { mistakeIn } from "../../src/cli/Mistakes.js"
import { knownFlagsOf } from "../../src/cli/Options.js"

const mistake = (...args: ReadonlyArray<string>) => mistakeIn(args, knownFlagsOf(flagEntries(evalFlags)))

describe("mistakeIn", () => {
  it.each<readonly [ReadonlyArray<string>, string]>([
    [["--sede", "3"], "--sede: unknown flag; did you mean --seed?"],
    [["--zzz"], "--zzz: unknown flag"],
    [["--seed"], "--seed: expected a value, but none follows"],
    [["--seed", "--split", "all"], "--seed: expected a value, but none follows"],
    [["--seed", "1", "--seed", "2"], "--seed: given twice"],
    [["--seed=1", "--seed=2"], "--seed: given twice"],
    [["--max-turns", "1", "--max-episode-turns", "2"], "--max-turns and --max-episode-turns: only one of them"],
    [["all"], "all: unexpected word"],
    [["--overwrite-output=yes"], "--overwrite-output: takes no value; use --overwrite-output or --no-overwrite-output"],
    [["--no-overwrite-output=yes"], "--no-overwrite-output: takes no value; use --no-overwrite-output or"]
  ])("%j", (args, beginning) => {
    assert.isTrue(mistake(...args)?.startsWith(beginning), mistake(...args))
  })

  it.each([
    [[]],
    [["--seed", "-3"]],
    [["--seed=-3", "--overwrite-output", "--split", "all"]],
    [["--output", ""]],
    [["--output", "a=b"]]
  ])("finds nothing in %j", (args) => {
    assert.isUndefined(mistake(...args))
  })
})
