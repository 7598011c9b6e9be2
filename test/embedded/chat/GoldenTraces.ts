import { readFileSync } from "node:fs"
import { sharedDir } from "../../shared.js"

interface GoldenStep {
  readonly cmd: string
  readonly obs: string
}

/** One trace of the real engine. */
export interface GoldenTrace {
  readonly game: string
  readonly obs: string
  readonly steps: ReadonlyArray<GoldenStep>
}

/** Where the traces lie, if they are there. */
export const goldenDir = sharedDir("alfworld/golden")

/** The traces of a file; none where the folder is absent. */
export const goldenTraces = (file: "traces-2.1.3.jsonl" | "traces-extra.jsonl"): ReadonlyArray<GoldenTrace> =>
  goldenDir === undefined
    ? []
    : readFileSync(`${goldenDir}/${file}`, "utf8").trim().split("\n").map((line): GoldenTrace => JSON.parse(line))
