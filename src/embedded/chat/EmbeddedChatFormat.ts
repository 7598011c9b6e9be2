import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Opening, ParsedAction, TokenIds } from "../../services/ChatFormat.js"
import { ChatFormat, ChatFormatError } from "../../services/ChatFormat.js"
import { observationWords, taskWords } from "./Compaction.js"
import { decodeIds, encodeWords, isKnown, isMarker, marker, words } from "./Vocabulary.js"

/**
 * The ids of the opening, up to and with `<act>`. A conversation of the embedded policy reads
 *
 * `<bos> [<hint> … </hint>] <task> put a hot cup in cabinet <obs> room cabinet 6 drawer 3 … <act> go to fridge 1
 * <end> fridge 1 closed <act> …`
 *
 * Commands stand as the environment spells them, observations are shortened (see Compaction). Lists of admissible
 * commands are left out: the policy was cloned without them. In games of data release 2.1.1 objects are put down with
 * `put … in/on …`; the policy knows only `move … to …`, so it cannot finish tasks there that end with placing.
 */
export const openingIds = (opening: Opening): TokenIds => [
  marker.start,
  marker.task,
  ...encodeWords(taskWords(opening.task)),
  marker.observation,
  ...encodeWords(observationWords(opening.observation)),
  marker.action
]

/** The ids of a skill text between its markers, or the words that the vocabulary lacks. */
export const hintIds = (skill: string): { readonly ids: TokenIds; readonly unknown: ReadonlyArray<string> } => {
  const list = skill.toLowerCase().match(/[a-z]+|\d+|:/g) ?? []
  return {
    ids: [marker.hint, ...encodeWords(list), marker.hintEnd],
    unknown: list.filter((word) => !isKnown(word))
  }
}

/** The opening's ids with a skill text right after `<bos>`. */
export const withHint = (opening: TokenIds, hint: TokenIds): TokenIds => [marker.start, ...hint, ...opening.slice(1)]

/** The ids of a command as the policy would have written it, with its `<end>`. */
export const actionIds = (command: string): TokenIds => [...encodeWords(command.split(" ")), marker.end]

/** The ids between an action and the next: the shortened observation and `<act>`. */
export const observationIds = (text: string): TokenIds => [...encodeWords(observationWords(text)), marker.action]

/** The policy reads a reason as an observation, and should find in it what follows any useless command. */
const invalid = (reason: string): ParsedAction => ({ _tag: "Invalid", reason: `Nothing happens: ${reason}` })

/** The command that an action's ids spell. */
export const parseAction = (action: TokenIds): ParsedAction => {
  if (action.at(-1) !== marker.end) return invalid("the action was cut off before its end")
  const body = action.slice(0, -1)
  if (body.length === 0) return invalid("the action is empty")
  const stray = body.find((id) => isMarker(id) || words[id] === undefined)
  return stray === undefined
    ? { _tag: "Command", command: decodeIds(body) }
    : invalid(`the action holds ${decodeIds([stray])}, which no command has`)
}

const unreadable = (skill: string, unknown: ReadonlyArray<string>): ChatFormatError =>
  new ChatFormatError({
    reason: `the embedded policy's vocabulary lacks ${unknown.length} words of the skill text ` +
      `(${unknown.slice(0, 5).join(", ")} …); it reads only its own short hints`,
    text: skill
  })

/** The chat format of the embedded policy. */
export const layer: Layer.Layer<ChatFormat> = Layer.succeed(ChatFormat, {
  stopTokens: [marker.end],
  start: Effect.fn("EmbeddedChatFormat.start")(function*(opening: Opening) {
    return openingIds(opening)
  }),
  startWithSkill: Effect.fn("EmbeddedChatFormat.startWithSkill")(function*(opening: Opening, skill: string) {
    const hint = hintIds(skill)
    if (hint.unknown.length > 0) return yield* unreadable(skill, hint.unknown)
    return withHint(openingIds(opening), hint.ids)
  }),
  extend: Effect.fn("EmbeddedChatFormat.extend")(function*(action: TokenIds, result) {
    const closing = action.at(-1) === marker.end ? [] : [marker.end]
    return [...closing, ...observationIds(result.text)]
  }),
  parse: parseAction,
  decode: decodeIds
})
