import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChatFormat, ChatFormatError } from "../services/ChatFormat.js"

/** Markers of the word format, with the ids 0 to 5. `<invalid>` answers an action that held no command. */
export const markers = ["<bos>", "<skill>", "</skill>", "<act>", "<end>", "<invalid>"] as const

/** The whole vocabulary of `layerWords(words)`, by id. */
export const vocabularyOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => [...markers, ...words]

/**
 * A chat format with one token a word: `<bos> [<skill> … </skill>] task observation <act> action <end> result <act> …`
 * Words outside the given ones are an error.
 */
export const layerWords = (words: ReadonlyArray<string>): Layer.Layer<ChatFormat> => {
  const vocabulary = vocabularyOf(words)
  const idOf = new Map(vocabulary.map((word, id) => [word, id]))
  const encode = (text: string) =>
    Effect.forEach(text.split(/\s+/).filter((word) => word !== ""), (word) => {
      const id = idOf.get(word)
      return id === undefined
        ? Effect.fail(new ChatFormatError({ reason: `the word ${word} is not in the vocabulary`, text }))
        : Effect.succeed(id)
    })
  const end = markers.indexOf("<end>")
  const commandsOf = (commands: ReadonlyArray<string>) => commands.length === 0 ? "" : ` ${commands.join(" ")}`
  return Layer.succeed(ChatFormat, {
    stopTokens: [end],
    start: (opening) =>
      encode(`<bos> ${opening.task} ${opening.observation}${commandsOf(opening.admissibleCommands)} <act>`),
    startWithSkill: (opening, skill) =>
      encode(
        `<bos> <skill> ${skill} </skill> ${opening.task} ${opening.observation}` +
          `${commandsOf(opening.admissibleCommands)} <act>`
      ),
    extend: (action, result) =>
      encode(
        `${action[action.length - 1] === end ? "" : "<end> "}${result.text}${commandsOf(result.admissibleCommands)} <act>`
      ),
    parse: (action) => {
      const text = action.map((id) => vocabulary[id] ?? "")
      return text[text.length - 1] === "<end>" && text.length > 1
        ? { _tag: "Command", command: text.slice(0, -1).join(" ") }
        : { _tag: "Invalid", reason: "<invalid>" }
    },
    decode: (ids) => ids.map((id) => vocabulary[id] ?? "?").join(" ")
  })
}
