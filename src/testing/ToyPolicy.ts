import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { generator, seedOf } from "../domain/Randomness.js"
import type { AdamParams, Capabilities, Datum, PpoLoss, Sampler, SampleRequest, Trainer } from "../services/Policy.js"
import { Policy, PolicyError } from "../services/Policy.js"
import { markers } from "./WordChatFormat.js"

export interface ToyPolicyOptions {
  /** Number of tokens, for example `vocabularyOf(words).length`. */
  readonly vocabularySize: number
  /** Logits of an untrained policy by token id; 0 where none is given. */
  readonly bias?: Readonly<Record<number, number>>
  /** How many of the last tokens the policy sees. */
  readonly order?: number
  /** By how much each token named between `<skill>` and `</skill>` gains in logits: the Teacher's lead. */
  readonly skillPull?: number
  readonly capabilities?: Partial<Capabilities>
  /** Runs before each answer of the sampler (for TestClock tests). */
  readonly latency?: (request: SampleRequest) => Effect.Effect<void>
}

/** What a test can see of the toy policy. */
export class ToyPolicyLog extends Context.Tag("agentopsd/testing/ToyPolicyLog")<ToyPolicyLog, {
  /** Names of the calls, in order: `sample`, `logprobs`, `forwardBackward`, `optimStep`, `saveState`, … */
  readonly calls: ReadonlyArray<string>
  /** Data of each forwardBackward call. */
  readonly batches: ReadonlyArray<ReadonlyArray<Datum>>
}>() {}

/** Learnt logits by context, added to the bias. */
type Table = Map<string, Float64Array>

interface Weights {
  readonly logits: Table
  readonly first: Table
  readonly second: Table
  readonly steps: number
}

const copyTable = (table: Table): Table => new Map([...table].map(([key, row]) => [key, row.slice()]))

const copyWeights = (weights: Weights): Weights => ({
  logits: copyTable(weights.logits),
  first: copyTable(weights.first),
  second: copyTable(weights.second),
  steps: weights.steps
})

/**
 * A tabular policy that really learns: a softmax over the next token for every context of `order` tokens, trained by
 * the exact gradient of the clipped surrogate with Adam. Checkpoints live in memory under `toy://RUN/NAME`.
 */
export const layerToyPolicy = (options: ToyPolicyOptions): Layer.Layer<Policy | ToyPolicyLog> => {
  const size = options.vocabularySize
  const order = options.order ?? 4
  const pull = options.skillPull ?? 1
  const [, skillOpens, skillCloses] = markers.map((_, id) => id)
  const capabilities: Capabilities = {
    maxSequenceTokens: 4096,
    lossReduction: "sum",
    deterministic: true,
    ...options.capabilities
  }

  const contextOf = (ids: ReadonlyArray<number>, position: number): string =>
    ids.slice(Math.max(0, position - order), position).join(",")

  /** The distribution of `ids[position]`, as log-probabilities. */
  const distribution = (logits: Table, ids: ReadonlyArray<number>, position: number): Float64Array => {
    const row = logits.get(contextOf(ids, position)) ?? new Float64Array(size)
    const values = row.map((learnt, id) => learnt + (options.bias?.[id] ?? 0))
    const opens = ids.indexOf(skillOpens)
    const closes = ids.indexOf(skillCloses)
    if (opens >= 0 && closes >= 0 && closes < position) {
      for (const id of new Set(ids.slice(opens + 1, closes))) values[id] += pull
    }
    const most = Math.max(...values)
    const logSum = most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0))
    return values.map((value) => value - logSum)
  }

  const draw = (logprobs: Float64Array, temperature: number, random: () => number): number => {
    if (temperature <= 1e-6) return logprobs.indexOf(Math.max(...logprobs))
    const weights = logprobs.map((logprob) => Math.exp(logprob / temperature))
    let left = random() * weights.reduce((a, b) => a + b, 0)
    const picked = weights.findIndex((weight) => (left -= weight) < 0)
    return picked === -1 ? size - 1 : picked
  }

  return Layer.effectContext(Effect.sync(() => {
    const calls: Array<string> = []
    const batches: Array<ReadonlyArray<Datum>> = []
    const states = new Map<string, Weights>()
    const samplers = new Map<string, Table>()
    const called = (name: string) =>
      Effect.sync(() => {
        calls.push(name)
      })
    const missing = (operation: string, path: string) =>
      new PolicyError({
        backend: "toy",
        operation,
        reason: `nothing is saved at ${path}`,
        fix: "Use a path that was given by a save",
        kind: "refused"
      })

    const samplerOf = (logits: Table, snapshotId: string): Sampler => ({
      snapshotId,
      sample: (request) =>
        called("sample").pipe(
          Effect.zipRight(options.latency?.(request) ?? Effect.void),
          Effect.map(() =>
            Array.from({ length: request.count }, (_, i) => {
              const random = generator(seedOf(request.seed, i))
              const ids: Array<number> = []
              const logprobs: Array<number> = []
              while (ids.length < request.params.maxTokens) {
                const all = [...request.prompt, ...ids]
                const values = distribution(logits, all, all.length)
                const id = draw(values, request.params.temperature, random)
                ids.push(id)
                logprobs.push(values[id])
                if (request.params.stopTokens.includes(id)) {
                  return { ids, logprobs, stopReason: "stop" as const, cachedTokens: undefined }
                }
              }
              return { ids, logprobs, stopReason: "length" as const, cachedTokens: undefined }
            })
          )
        ),
      logprobs: (ids) =>
        Effect.map(called("logprobs"), () =>
          ids.map((id, position) => position === 0 ? null : distribution(logits, ids, position)[id]))
    })

    const trainerOf = (initial: Weights, runName: string): Trainer => {
      let weights = initial
      let gradient: Table = new Map()
      const rowOf = (table: Table, key: string): Float64Array => {
        const row = table.get(key) ?? new Float64Array(size)
        table.set(key, row)
        return row
      }
      const learnFrom = (data: ReadonlyArray<Datum>, loss: PpoLoss) => {
        const tokens = data.reduce((n, { advantages }) => n + advantages.filter((a) => a !== 0).length, 0)
        const share = capabilities.lossReduction === "sum" ? 1 : 1 / tokens
        return data.map((datum) =>
          datum.ids.map((id, t) => {
            if (t === 0) return null
            const values = distribution(weights.logits, datum.ids, t)
            const advantage = datum.advantages[t]
            const ratio = Math.exp(values[id] - datum.logprobs[t])
            const held = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh)
            if (advantage !== 0 && ratio * advantage <= held * advantage) {
              const row = rowOf(gradient, contextOf(datum.ids, t))
              const slope = -ratio * advantage * share
              for (let v = 0; v < size; v++) row[v] += slope * ((v === id ? 1 : 0) - Math.exp(values[v]))
            }
            return values[id]
          })
        )
      }
      const step = (adam: AdamParams): number => {
        const norm = Math.sqrt([...gradient.values()].reduce(
          (sum, row) => sum + row.reduce((s, g) => s + g * g, 0),
          0
        ))
        const scale = adam.gradClipNorm > 0 && norm > adam.gradClipNorm ? adam.gradClipNorm / norm : 1
        const next = copyWeights({ ...weights, steps: weights.steps + 1 })
        for (const [key, row] of gradient) {
          const logits = rowOf(next.logits, key)
          const first = rowOf(next.first, key)
          const second = rowOf(next.second, key)
          row.forEach((g, v) => {
            first[v] = adam.beta1 * first[v] + (1 - adam.beta1) * g * scale
            second[v] = adam.beta2 * second[v] + (1 - adam.beta2) * (g * scale) ** 2
            const mean = first[v] / (1 - adam.beta1 ** next.steps)
            const spread = Math.sqrt(second[v] / (1 - adam.beta2 ** next.steps)) + 1e-8
            logits[v] = logits[v] * (1 - adam.learningRate * adam.weightDecay) - adam.learningRate * mean / spread
          })
        }
        weights = next
        gradient = new Map()
        return norm
      }
      return {
        snapshot: Effect.map(called("snapshot"), () =>
          samplerOf(copyTable(weights.logits), `toy:${runName}:${weights.steps}`)),
        forwardBackward: (data, loss) =>
          Effect.map(called("forwardBackward"), () => {
            batches.push(data)
            return { logprobs: learnFrom(data, loss) }
          }),
        optimStep: (adam) => Effect.map(called("optimStep"), () => ({ gradNorm: step(adam) })),
        saveState: (name) =>
          Effect.map(called("saveState"), () => {
            states.set(`toy://${runName}/${name}`, copyWeights(weights))
            return `toy://${runName}/${name}`
          }),
        saveSamplerWeights: (name) =>
          Effect.map(called("saveSamplerWeights"), () => {
            samplers.set(`toy://${runName}/weights/${name}`, copyTable(weights.logits))
            return `toy://${runName}/weights/${name}`
          })
      }
    }

    return Context.empty().pipe(
      Context.add(ToyPolicyLog, { calls, batches }),
      Context.add(Policy, {
        backend: "toy",
        capabilities,
        openTrainer: (source) => {
          if (source._tag === "Fresh") {
            return Effect.succeed(
              trainerOf({ logits: new Map(), first: new Map(), second: new Map(), steps: 0 }, source.runName)
            )
          }
          const saved = states.get(source.path)
          return saved === undefined
            ? Effect.fail(missing("openTrainer", source.path))
            : Effect.succeed(trainerOf(copyWeights(saved), source.runName))
        },
        openSampler: (source) => {
          if (source._tag === "BaseModel") return Effect.succeed(samplerOf(new Map(), `toy:${source.baseModel}`))
          const saved = samplers.get(source.path)
          return saved === undefined
            ? Effect.fail(missing("openSampler", source.path))
            : Effect.succeed(samplerOf(saved, source.path))
        }
      })
    )
  }))
}
