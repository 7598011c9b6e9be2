import * as ParseResult from "effect/ParseResult"

/** What a Schema found wrong, in one line: each place with what was expected there. */
export const describeParseError = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`)
    .join("; ")
