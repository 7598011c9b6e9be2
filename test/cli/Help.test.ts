import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { embeddedEvalDefaults, embeddedTrainDefaults } from "../../src/domain/Defaults.js"
import { evalExtraFlags, evalFlags, flagName, trainExtraFlags, trainFlags } from "../../src/cli/Flags.js"
import { commandSummaries, helpFor } from "../../src/cli/Help.js"
import { ansi, plain, stripAnsi } from "../../src/cli/Style.js"

const help = (...args: ReadonlyArray<string>) => helpFor(args, "1.2.3", plain)

describe("helpFor", () => {
  it("gives the overview without a command", () => {
    for (const args of [[], ["--help"], ["-h"], ["unknown", "--help"]]) {
      const text = help(...args) ?? ""
      assert.include(text, "agentopsd 1.2.3")
      for (const { name, summary } of commandSummaries) assert.match(text, new RegExp(`  ${name} +${summary}`))
    }
  })

  it("is silent where nobody asks", () => {
    assert.isUndefined(help("train"))
    assert.isUndefined(help("eval", "--split", "all"))
  })

  it("gives a command's help wherever --help stands", () => {
    assert.strictEqual(help("--help", "train"), help("train", "--help"))
    assert.strictEqual(help("train", "--seed", "3", "-h"), help("train", "--help"))
  })

  it("lists every flag once, with its default", () => {
    const cases = [
      { text: help("train", "--help") ?? "", flags: { ...trainFlags, ...trainExtraFlags }, defaults: embeddedTrainDefaults },
      { text: help("eval", "--help") ?? "", flags: { ...evalFlags, ...evalExtraFlags }, defaults: embeddedEvalDefaults }
    ]
    for (const { defaults, flags, text } of cases) {
      const listing = text.slice(0, text.indexOf("\nSettings\n"))
      for (const key of Object.keys(flags)) {
        const lines = listing.split("\n").filter((line) => line.startsWith(`  --${flagName(key)}`))
        assert.isTrue(lines.some((line) => line.slice(4).startsWith(flagName(key))), key)
      }
      for (const value of Object.values(defaults)) {
        if (value !== null && typeof value !== "boolean") assert.include(text, `[${value}`)
      }
    }
  })

  it("has plain text in plain style, and the same words with colours", () => {
    for (const command of ["train", "eval", "games", "none"]) {
      const text = help(command, "--help") ?? ""
      assert.strictEqual(stripAnsi(text), text)
      const coloured = helpFor([command, "--help"], "1.2.3", ansi) ?? ""
      assert.notStrictEqual(coloured, text)
      assert.strictEqual(stripAnsi(coloured), text)
    }
  })

  it("is what docs/commands.md shows", () => {
    const page = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8")
    for (const args of [[], ["train"], ["eval"], ["games"]]) {
      const text = helpFor([...args, "--help"], "VERSION", plain) ?? ""
      assert.include(page, `## \`${["agentopsd", ...args, "--help"].join(" ")}\`\n\n\`\`\`text\n${text}\n\`\`\`\n`)
    }
  })

  it("keeps lines within 140 columns", () => {
    for (const command of ["train", "eval", "games", "none"]) {
      for (const line of (help(command, "--help") ?? "").split("\n")) assert.isAtMost(line.length, 140, line)
    }
  })
})
