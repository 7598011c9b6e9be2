import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { taskTypes as householdTaskTypes } from "../domain/Game.js"
import { SkillBank, SkillMissingError } from "../services/SkillBank.js"

/** A task type that can be a file's name; others (with slashes, say) could leave the folder. */
const fileName = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/

const readText = Effect.fn("SkillDirectory.readText")(function*(taskType: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(file).pipe(
    Effect.mapError((cause) =>
      new SkillMissingError({
        taskType,
        place: file,
        reason: cause._tag === "SystemError" && cause.reason === "NotFound"
          ? "the file does not exist; write it, or give another skills folder"
          : `the file cannot be read (${cause.message})`
      })
    )
  )
  const trimmed = text.trim()
  if (trimmed === "") {
    return yield* new SkillMissingError({
      taskType,
      place: file,
      reason: "the file is empty; write the skill text into it"
    })
  }
  return trimmed
})

/**
 * Skill texts from a folder: `general.md` (advice for every task) and `<task type>.md`, which are given as one text
 * with an empty line between. All of `taskTypes` (the household ones unless given) are read when the layer is built,
 * so that a missing or empty file stops a run before it starts; the error names the file.
 */
export const layerDirectory = (
  directory: string,
  taskTypes: ReadonlyArray<string> = householdTaskTypes
): Layer.Layer<SkillBank, SkillMissingError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    SkillBank,
    Effect.gen(function*() {
      const path = yield* Path.Path
      const general = yield* readText("general", path.join(directory, "general.md"))
      const texts = new Map<string, string>()
      for (const taskType of taskTypes) {
        const file = path.join(directory, `${taskType}.md`)
        if (!fileName.test(taskType)) {
          return yield* new SkillMissingError({
            taskType,
            place: file,
            reason: "the task type cannot be a file's name; use letters, digits, dots, dashes and underscores"
          })
        }
        texts.set(taskType, `${general}\n\n${yield* readText(taskType, file)}`)
      }
      return {
        skillFor: Effect.fn("SkillDirectory.skillFor")(function*(taskType: string) {
          const text = texts.get(taskType)
          if (text !== undefined) return text
          return yield* new SkillMissingError({
            taskType,
            place: path.join(directory, `${taskType}.md`),
            reason: `only ${taskTypes.join(", ")} were read from the folder`
          })
        })
      }
    })
  )
