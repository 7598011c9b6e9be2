/**
 * Compares two evaluation files game by game: success of each, the games that only one of them won, and the exact
 * two-sided McNemar test on those.
 *
 *     npx tsx bench/paired.ts before.jsonl after.jsonl
 */
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { EvaluationRecord } from "../src/domain/EvaluationRecords.js"
import { wilson } from "../src/domain/Intervals.js"

const [before, after] = process.argv.slice(2)
if (before === undefined || after === undefined) {
  console.error("usage: paired.ts BEFORE.jsonl AFTER.jsonl")
  process.exit(2)
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(EvaluationRecord))

/** Game id to success. */
const wins = (file: string): ReadonlyMap<string, boolean> =>
  new Map(readFileSync(file, "utf8").trimEnd().split("\n").flatMap((line) =>
    Either.match(decode(line), { onLeft: () => [], onRight: ({ game_id, won }) => [[game_id, won] as const] })))

/** P(at most `k` heads or at least `n − k`) of a fair coin thrown n times, k ≤ n/2. */
const exactTwoSided = (k: number, n: number): number => {
  let term = 0.5 ** n
  let tail = 0
  for (let i = 0; i <= k; i++) {
    tail += term
    term = term * (n - i) / (i + 1)
  }
  return Math.min(1, 2 * tail)
}

const first = wins(before)
const second = wins(after)
const common = [...first.keys()].filter((id) => second.has(id))
const only = (a: ReadonlyMap<string, boolean>, b: ReadonlyMap<string, boolean>) =>
  common.filter((id) => a.get(id) === true && b.get(id) === false).length

const describe = (file: string, of: ReadonlyMap<string, boolean>) => {
  const won = common.filter((id) => of.get(id) === true).length
  const [low, high] = wilson(won, common.length).map((bound) => (100 * bound).toFixed(1))
  console.log(`${file}: ${won}/${common.length} = ${(100 * won / common.length).toFixed(1)} % [${low}, ${high}]`)
  return 100 * won / common.length
}

const difference = -describe(before, first) + describe(after, second)
const lost = only(first, second)
const gained = only(second, first)
console.log(`difference ${difference.toFixed(1)} points; won only before ${lost}, only after ${gained}`)
console.log(`exact McNemar p = ${exactTwoSided(Math.min(lost, gained), lost + gained).toExponential(2)}`)
