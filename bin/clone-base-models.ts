/**
 * Makes the base models of the embedded policy again:
 *
 *     npx tsx bin/clone-base-models.ts [start] [strong] [--tokens <share>] [--seed <n>] [--out <folder>]
 *
 * `--tokens 0.1` takes a tenth of the tokens, for a quick trial. On two cores `start` takes about seven minutes and
 * `strong` half an hour. The same seed gives the same files on any machine.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { clone, type CloningProgress } from "../src/embedded/cloning/Cloning.js"
import { type BaseModelName, recipes } from "../src/embedded/cloning/Recipes.js"
import { encodeWeights } from "../src/embedded/WeightFile.js"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tokens: { type: "string", default: "1" },
    seed: { type: "string", default: "0" },
    out: { type: "string", default: fileURLToPath(new URL("../datasets/models", import.meta.url)) }
  }
})

const isModelName = (name: string): name is BaseModelName => Object.hasOwn(recipes, name)
const requested = positionals.length > 0 ? positionals : Object.keys(recipes)
const unknown = requested.filter((name) => !isModelName(name))
const scale = Number(values.tokens)
const seed = Number(values.seed)
if (unknown.length > 0 || !(scale > 0) || !Number.isSafeInteger(seed)) {
  console.error(`usage: clone-base-models.ts [${Object.keys(recipes).join("] [")}] [--tokens <share>] [--seed <n>]`)
  process.exit(2)
}

const linesEvery = 50

const reporter = (name: string) => {
  const started = performance.now()
  let seen = 0
  let losses = 0
  let allTokens = 0
  let phaseBefore = 0
  return ({ learningRate, loss, phase, phaseTokens, step, tokens }: CloningProgress): Effect.Effect<void> =>
    Effect.sync(() => {
      allTokens += tokens - (step === 0 ? 0 : phaseBefore)
      phaseBefore = tokens
      losses += loss
      if (++seen % linesEvery !== 0) return
      const seconds = (performance.now() - started) / 1000
      console.log(
        `${name} (${phase}): step ${step + 1}, ${Math.round(100 * tokens / phaseTokens)} %, ` +
          `loss ${(losses / linesEvery).toFixed(4)}, learning rate ${learningRate.toExponential(1)}, ` +
          `${Math.round(allTokens / seconds)} tokens/s, ${Math.round(seconds)} s`
      )
      losses = 0
    })
}

mkdirSync(values.out, { recursive: true })
for (const name of requested.filter(isModelName)) {
  const weights = await Effect.runPromise(clone(recipes[name], { name, seed, scale, onStep: reporter(name) }))
  const file = join(values.out, `${name}.model`)
  writeFileSync(file, encodeWeights(weights))
  console.log(`wrote ${file}`)
}
