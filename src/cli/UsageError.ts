import * as Schema from "effect/Schema"

/** The command line, the environment or the configuration file asks for something that cannot be done. Exit code 2. */
export class UsageError extends Schema.TaggedError<UsageError>("agentopsd/UsageError")("UsageError", {
  /** One sentence each, naming the flag. */
  problems: Schema.NonEmptyArray(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}
