import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"
import { taskTypes } from "../../src/domain/Game.js"
import { layerDirectory } from "../../src/files/SkillDirectory.js"
import { SkillBank } from "../../src/services/SkillBank.js"

const shipped = fileURLToPath(new URL("../../datasets/skills", import.meta.url))

/** A folder with the texts given, by file name. */
const folderWith = (texts: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory = yield* fs.makeTempDirectoryScoped()
    for (const [name, text] of Object.entries(texts)) yield* fs.writeFileString(path.join(directory, name), text)
    return directory
  })

it.layer(NodeContext.layer)("SkillDirectory", (it) => {
  it.effect("has a text of substance for every task type in the shipped folder", () =>
    Effect.gen(function*() {
      const bank = yield* SkillBank
      for (const taskType of taskTypes) {
        const text = yield* bank.skillFor(taskType)
        expect(text.split(/\s+/).length).toBeGreaterThan(300)
      }
    }).pipe(Effect.provide(layerDirectory(shipped))))

  it.scoped("joins general advice and the type's own", () =>
    Effect.gen(function*() {
      const directory = yield* folderWith({ "general.md": "Be calm.\n", "chess.md": "Castle early.\n" })
      const bank = yield* Effect.provide(SkillBank, layerDirectory(directory, ["chess"]))
      expect(yield* bank.skillFor("chess")).toBe("Be calm.\n\nCastle early.")
      const error = yield* Effect.flip(bank.skillFor("go"))
      expect(error.place).toContain("go.md")
    }))

  it.scoped.each([
    ["chess.md", "does not exist", { "general.md": "Be calm." }],
    ["chess.md", "empty", { "general.md": "Be calm.", "chess.md": " \n" }],
    ["general.md", "does not exist", { "chess.md": "Castle early." }]
  ] as const)("names the file at fault: %s %s", ([file, reason, texts]) =>
    Effect.gen(function*() {
      const directory = yield* folderWith(texts)
      const error = yield* Effect.flip(Layer.build(layerDirectory(directory, ["chess"])))
      expect(error.place).toContain(file)
      expect(error.message).toContain(reason)
    }))

  it.scoped("does not leave its folder for a strange task type", () =>
    Effect.gen(function*() {
      const directory = yield* folderWith({ "general.md": "Be calm." })
      const error = yield* Effect.flip(Layer.build(layerDirectory(directory, ["../general"])))
      expect(error.reason).toContain("letters")
    }))
})
