import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { loadBaseModel, packagedModels } from "../../src/embedded/BaseModels.js"
import { words } from "../../src/embedded/chat/Vocabulary.js"
import { standardShape } from "../../src/embedded/ModelShape.js"
import type { ModelWeights } from "../../src/embedded/WeightFile.js"
import { decodeWeights, encodeWeights } from "../../src/embedded/WeightFile.js"
import { temporaryModels } from "./policy.js"

const models = Object.entries(packagedModels)

describe("the models of the package", () => {
  it("are two, and small", () => {
    assert.deepStrictEqual(models.map(([name]) => name), ["start", "strong"])
    const bytes = models.reduce((sum, [, file]) => sum + readFileSync(file).length, 0)
    assert.isBelow(bytes, 4_000_000)
  })

  it.each(models)("%s can be read and speaks the chat format's words", (name, file) => {
    const weights = Either.getOrThrow(decodeWeights(readFileSync(file), file))
    assert.strictEqual(basename(file), `${name}.model`)
    assert.strictEqual(weights.name, name)
    assert.deepStrictEqual(weights.vocabulary, words)
    assert.deepStrictEqual(weights.shape, standardShape(words.length))
    for (const [tensor, values] of weights.tensors) assert.isTrue(values.every(Number.isFinite), tensor)
  })
})

describe("a base model's checksum", () => {
  it.scoped("changes with its weights, its words and its shape, and with nothing else", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryModels
      const file = join(directory, "tiny.model")
      const original = Either.getOrThrow(decodeWeights(readFileSync(file), file))
      const checksumOf = (change: Partial<ModelWeights>) =>
        Effect.gen(function*() {
          writeFileSync(file, encodeWeights({ ...original, ...change }))
          return (yield* loadBaseModel({ tiny: file }, "tiny")).checksum
        })
      const checksum = yield* checksumOf({})
      assert.match(checksum, /^[0-9a-f]{64}$/)
      assert.strictEqual(yield* checksumOf({ name: "renamed" }), checksum)
      const [first, second, ...others] = original.vocabulary
      const tensors = new Map(original.tensors)
      const [tensor, values] = Array.from(tensors)[0]
      tensors.set(tensor, values.map((value, index) => (index === 0 ? value + 1 : value)))
      for (
        const change of [
          { vocabulary: [second, first, ...others] },
          { shape: { ...original.shape, contextLength: 2 * original.shape.contextLength } },
          { tensors }
        ]
      ) {
        assert.notStrictEqual(yield* checksumOf(change), checksum)
      }
    }).pipe(Effect.provide(NodeContext.layer)))
})
