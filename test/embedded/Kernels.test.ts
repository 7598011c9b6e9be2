import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { kernelsModule, workerModule } from "../../bin/build-kernels.mjs"

const committed = (name: string): Promise<string> =>
  readFile(new URL(`../../src/embedded/${name}`, import.meta.url), "utf8")

describe("generated modules", () => {
  it("kernelsWasm.ts is what the kernels compile to", async () => {
    assert.isTrue(await kernelsModule() === await committed("kernelsWasm.ts"), "run `node bin/build-kernels.mjs`")
  })

  it("workerSource.ts is what the worker bundles to", async () => {
    assert.isTrue(await workerModule() === await committed("workerSource.ts"), "run `node bin/build-kernels.mjs`")
  })
})
