import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Token ids of a policy's vocabulary. */
export type TokenIds = ReadonlyArray<number>

/** What a trajectory opens with. */
export interface Opening {
  /** The task in words. */
  readonly task: string
  /** The first observation's text. */
  readonly observation: string
  /** Commands to list in the prompt; empty where the configuration does not show them. */
  readonly admissibleCommands: ReadonlyArray<string>
}

/** What the policy is told after one of its actions. */
export interface ToolResult {
  readonly text: string
  /** Commands to list with the result; empty where the configuration does not show them. */
  readonly admissibleCommands: ReadonlyArray<string>
}

/** An action as read from sampled tokens: a command for the environment, or why there is none. */
export type ParsedAction =
  | { readonly _tag: "Command"; readonly command: string }
  | { readonly _tag: "Invalid"; readonly reason: string }

/** A text cannot be put into the policy's tokens. */
export class ChatFormatError extends Schema.TaggedError<ChatFormatError>("agentopsd/ChatFormatError")(
  "ChatFormatError",
  { reason: Schema.String, text: Schema.String }
) {
  override get message(): string {
    return `Chat format: ${this.reason}: ${JSON.stringify(this.text.slice(0, 200))}`
  }
}

/**
 * How a model family writes a conversation in tokens. History is never rendered again: a trajectory is
 * `start ++ action₁ ++ extend₁ ++ action₂ ++ …`, where actions are the sampled ids themselves.
 */
export class ChatFormat extends Context.Tag("agentopsd/ChatFormat")<ChatFormat, {
  /** Sampling of an action ends with the first of these (it belongs to the action). */
  readonly stopTokens: TokenIds
  /** Ids of the opening, up to the point where the policy's first action begins. */
  readonly start: (opening: Opening) => Effect.Effect<TokenIds, ChatFormatError>
  /** The same opening with a skill text in front; it ends with the same ids as `start` gives from the task on. */
  readonly startWithSkill: (opening: Opening, skill: string) => Effect.Effect<TokenIds, ChatFormatError>
  /**
   * Only the new ids that lead from a sampled action to the next one: what closes the action (where sampling was cut
   * off), the result, and what opens the next action.
   */
  readonly extend: (action: TokenIds, result: ToolResult) => Effect.Effect<TokenIds, ChatFormatError>
  readonly parse: (action: TokenIds) => ParsedAction
  /** Readable text of ids, for records. */
  readonly decode: (ids: TokenIds) => string
}>() {}
