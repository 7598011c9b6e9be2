import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { packagedModels } from "../../src/embedded/BaseModels.js"
import { words } from "../../src/embedded/chat/Vocabulary.js"
import { standardShape } from "../../src/embedded/ModelShape.js"
import { decodeWeights } from "../../src/embedded/WeightFile.js"

const folder = dirname(packagedModels.start)
const files = readdirSync(folder).filter((file) => file.endsWith(".model"))

describe("the models of the package", () => {
  it("are small, and known by their names", () => {
    const known = Object.values(packagedModels)
    assert.include(files, "start.model")
    for (const file of files) assert.include(known, join(folder, file))
    const bytes = files.reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0)
    assert.isBelow(bytes, 4_000_000)
  })

  it.each(files)("%s can be read and speaks the chat format's words", (file) => {
    const weights = Either.getOrThrow(decodeWeights(readFileSync(join(folder, file)), file))
    assert.strictEqual(`${weights.name}.model`, file)
    assert.deepStrictEqual(weights.vocabulary, words)
    assert.deepStrictEqual(weights.shape, standardShape(words.length))
    for (const [name, values] of weights.tensors) assert.isTrue(values.every(Number.isFinite), name)
  })
})
