import { assert, describe, it } from "@effect/vitest"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { trainFlags } from "../../src/cli/Flags.js"
import type { FlagValues } from "../../src/cli/Options.js"
import { environment, givenSettings } from "../../src/cli/SettingsSources.js"

const given = (
  flags: FlagValues,
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {}
) =>
  givenSettings(trainFlags, flags).pipe(
    Effect.map((found) => Object.fromEntries(Object.entries(found).map(([key, { value }]) => [key, value]))),
    Effect.withConfigProvider(environment(variables)),
    Effect.provide(FileSystem.layerNoop({
      readFileString: (path) =>
        path in files ? Effect.succeed(files[path]) : Effect.die(new Error(`${path} is not there`))
    })),
    Effect.either
  )

describe("givenSettings", () => {
  it.effect("finds variables among all that a process has, whatever they are called", () =>
    Effect.gen(function*() {
      const variables = {
        npm_node_execpath: "/usr/bin/node",
        _: "x",
        "a.b": "1",
        "BASH_FUNC_f%%": "() { :; }",
        EMPTY: "",
        LIST: "a,b;c:d",
        AGENTOPSD_DATA_ROOT: "/data, with commas, and.dots",
        AGENTOPSD_SEED: "7"
      }
      assert.deepStrictEqual(
        yield* given({}, variables),
        Either.right({ dataRoot: "/data, with commas, and.dots", seed: 7 })
      )
    }))

  it.effect("puts flags over variables over the file", () =>
    Effect.gen(function*() {
      const file = { "f.json": `{"seed": 1, "gamma": 0.5, "group-size": 4}` }
      const variables = { AGENTOPSD_SEED: "2", AGENTOPSD_GAMMA: "0.6" }
      assert.deepStrictEqual(
        yield* given({ config: "f.json", seed: "3" }, variables, file),
        Either.right({ groupSize: 4, gamma: 0.6, seed: 3 })
      )
    }))

  it.effect.each([
    [{ baseModel: "Qwen/Qwen3.5-4B" }, "--base-model Qwen/Qwen3.5-4B: large models run on the PyTRIO Layer"],
    [{ baseModel: "trio://run/weights/1" }, "--base-model trio://run/weights/1: large models run on the PyTRIO Layer"],
    [{ baseModel: "medium" }, "--base-model medium: the embedded policy has no base model of this name; use start or"],
    [{ backend: "pytrio" }, "--backend pytrio: large models run on the PyTRIO Layer"],
    [{ loraRank: "65" }, "--lora-rank: the embedded policy takes ranks up to 64"],
    [{ maxTrajectoryTokens: "2048" }, "--max-trajectory-tokens: the embedded policy's context is 1024 tokens"],
    [{ swanlabMode: "online" }, "--swanlab-mode online: the SwanLab Layer is not part of this version"],
    [{ trainUnembed: true }, "--train-unembed: the embedded policy's output embedding"]
  ] as const)("refuses what another version could do: %j", ([flags, beginning]) =>
    Effect.gen(function*() {
      const result = yield* given(flags, {})
      assert.isTrue(Either.isLeft(result) && result.left.message.startsWith(beginning), JSON.stringify(result))
    }))
})
