import { assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const project = mkdtempSync(join(tmpdir(), "agentopsd-pack-"))
const entries = ["", "/alfworld", "/household", "/embedded", "/files", "/testing"].map((path) => `agentopsd${path}`)

const execute = promisify(execFile)

const sh = async (command: string, args: ReadonlyArray<string>, cwd = project): Promise<string> =>
  (await execute(command, args, { cwd })).stdout

/** What the compiler says about a file of the project, under strict settings. */
const compile = (file: string): Promise<string> => {
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node"]
  const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "NodeNext", "--target", "ES2022"]
  return sh(process.execPath, [compiler, ...flags, ...types, file])
    .catch((error: { readonly stdout: string }) => error.stdout)
}

beforeAll(async () => {
  const packed = await sh("npm", ["pack", "--silent", "--pack-destination", project], root)
  const tarball = packed.trim().split("\n").at(-1) ?? ""
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }))
  await sh("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", join(project, tarball)])
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe("the packed package in an empty project", () => {
  it("holds what it needs and nothing else", () => {
    const installed = join(project, "node_modules/agentopsd")
    assert.sameMembers(
      readdirSync(installed).filter((name) => name !== "README.md"),
      ["LICENSE", "bin", "datasets", "dist", "package.json"]
    )
    assert.deepStrictEqual(readdirSync(join(installed, "bin")), ["agentopsd.js"])
    assert.isFalse(existsSync(join(installed, "src")))
  })

  it("brings its peers along and no other package of ours", () => {
    const manifest = JSON.parse(readFileSync(join(project, "node_modules/agentopsd/package.json"), "utf8"))
    assert.isUndefined(manifest.dependencies)
    for (const peer of Object.keys(manifest.peerDependencies)) {
      assert.isTrue(existsSync(join(project, "node_modules", peer)), peer)
    }
    assert.isFalse(existsSync(join(project, "node_modules/@effect/cli")))
  })

  it("runs its command", async () => {
    assert.include(await sh("npx", ["--no-install", "agentopsd", "--help"]), "agentopsd <command> [flags]")
    assert.include(await sh("npx", ["--no-install", "agentopsd", "train", "--help"]), "--reshape-lambda")
    assert.include(await sh("npx", ["--no-install", "agentopsd", "games"]), "valid_unseen")
  })

  it("evaluates the built-in policy", async () => {
    const args = ["eval", "--limit-per-split", "2", "--max-turns", "5", "--output", "records.jsonl"]
    assert.include(await sh("npx", ["--no-install", "agentopsd", ...args]), "valid_seen")
    assert.include(readFileSync(join(project, "records.jsonl"), "utf8"), `"type":"summary"`)
  })

  it.each(entries)("%s can be imported", async (entry) => {
    const script = `const names = Object.keys(await import("${entry}")); if (names.length < 3) throw new Error(names)`
    await sh(process.execPath, ["--input-type=module", "-e", script])
  })

  it("has types that a strict consumer compiles against", async () => {
    writeFileSync(
      join(project, "consumer.ts"),
      `import { Environment, train, Rollout, type TrainSettings } from "agentopsd"
import { layerAlfworld } from "agentopsd/alfworld"
import { layerHousehold } from "agentopsd/household"
import { layerEmbeddedPolicy } from "agentopsd/embedded"
import { layerRunFolder } from "agentopsd/files"
import * as testing from "agentopsd/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layers = Layer.mergeAll(
  layerHousehold(),
  layerEmbeddedPolicy({ directory: "runs" }),
  layerRunFolder
)
export const other = layerAlfworld({ dataRoot: "games" })
export const start = (settings: TrainSettings) => Effect.provide(train(settings, { resume: false }), layers)
export const opened = Effect.flatMap(Environment, ({ open }) => open({ id: "a", split: "train", taskType: "b" }))
export const stage: typeof Rollout = Rollout
export const names: ReadonlyArray<string> = Object.keys(testing)
`
    )
    assert.strictEqual(await compile("consumer.ts"), "")
  })

  it("has every name that README imports", async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const imports = readme.match(/^import [^"]* from "agentopsd[^"]*"$/gm) ?? []
    assert.isAbove(imports.length, 0)
    writeFileSync(join(project, "readme.ts"), imports.join("\n"))
    assert.strictEqual(await compile("readme.ts"), "")
  })
})
