/**
 * Independent trajectories against lock-step rounds: 128 trajectories whose turns take log-normal time (mean 0.2 s,
 * coefficient of variation 0.7), all in flight at once. Both play the same turns with the same latencies.
 *
 *     npx tsx bench/scheduling.ts
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { generator, seedOf } from "../src/domain/Randomness.js"
import type { Sampler } from "../src/services/Policy.js"
import { Rollout } from "../src/stages/Rollout.js"
import { layerScripted, layerWords, type ScriptedGame } from "../src/testing/index.js"

const trajectories = 128
const maxTurns = 50
const meanSeconds = 0.2
const variation = 0.7

/** Three in five win, after about 14 turns; the others use all their turns. */
const lengthOf = (i: number): number => {
  const random = generator(seedOf("length", i))
  return random() < 0.6 ? 4 + Math.floor(random() * 21) : maxTurns
}

/** A log-normal latency with the given mean and coefficient of variation. */
const latencyOf = (seed: number): Duration.Duration => {
  const random = generator(seed)
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const variance = Math.log(1 + variation ** 2)
  return Duration.seconds(Math.exp(Math.log(meanSeconds) - variance / 2 + Math.sqrt(variance) * normal))
}

const games: ReadonlyArray<ScriptedGame> = Array.from({ length: trajectories }, (_, i) => ({
  game: { id: `train:${i}`, split: "train", taskType: "wait" },
  task: "wait",
  after: (commands) => {
    const won = commands.length >= lengthOf(i) && lengthOf(i) < maxTurns
    return { text: "wait", admissibleCommands: ["wait"], done: won, won }
  }
}))

const turnSeedOf = (game: number, turn: number): number => seedOf("latency", game, turn)

/** Waits as long as the turn's latency says, then says `wait`. */
const samplerOf = (game: number): Sampler => {
  let turn = 0
  return {
    snapshotId: "waiting",
    sample: () =>
      Effect.suspend(() => Effect.sleep(latencyOf(turnSeedOf(game, turn++)))).pipe(
        Effect.as([{ ids: [6, 4], logprobs: [0, 0], stopReason: "stop" as const, cachedTokens: undefined }])
      ),
    logprobs: (ids) => Effect.succeed(ids.map(() => null))
  }
}

const settings = {
  maxTurns,
  maxTrajectoryTokens: 10_000,
  maxActionTokens: 2,
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false
}

const independent = Effect.flatMap(Rollout, ({ play }) =>
  Effect.forEach(
    games,
    ({ game }, i) => play({ game, attempt: 0, sampler: samplerOf(i), settings, seed: 1, step: 1 }),
    { concurrency: "unbounded" }
  )).pipe(Effect.map((played) => played.reduce((n, { turns }) => n + turns.length, 0)))

/** Rounds: every unfinished trajectory plays one turn, and all wait for the slowest. */
const lockStep = Effect.gen(function*() {
  let turns = 0
  for (let turn = 0; turn < maxTurns; turn++) {
    const active = games.map((_, i) => i).filter((i) => turn < Math.min(lengthOf(i), maxTurns))
    turns += active.length
    yield* Effect.forEach(active, (i) => Effect.sleep(latencyOf(turnSeedOf(i, turn))), { concurrency: "unbounded" })
  }
  return turns
})

const program = Effect.gen(function*() {
  const [lockStepTime, lockStepTurns] = yield* Effect.timed(lockStep)
  const [independentTime, independentTurns] = yield* Effect.timed(independent)
  const seconds = (time: Duration.Duration) => (Duration.toMillis(time) / 1000).toFixed(2)
  console.log(`${trajectories} trajectories, ${lockStepTurns} turns in rounds, ${independentTurns} turns independently`)
  console.log(`lock-step    ${seconds(lockStepTime)} s`)
  console.log(`independent  ${seconds(independentTime)} s`)
  console.log(`ratio        ${(Duration.toMillis(independentTime) / Duration.toMillis(lockStepTime)).toFixed(3)}`)
})

await Effect.runPromise(
  program.pipe(Effect.provide(Layer.provide(Rollout.layer, Layer.merge(layerScripted(games), layerWords(["wait"])))))
)
