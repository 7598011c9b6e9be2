/**
 * One's own Environment, trained with the shipped stages.
 *
 * The game: a weighing scale shows which of three coins is heavier, and the policy must name it. Everything that
 * AgentOPSD needs to know about a game is an Environment (and a list of Games); here the policy is the toy one of
 * `agentopsd/testing`, so the whole program runs in a second. Swap `layerToyPolicy` and `layerWords` for
 * `agentopsd/embedded` or a Layer of your own and the program stays as it is.
 *
 *     npx tsx docs/examples/own-environment.ts
 */
import { pathToFileURL } from "node:url"
import {
  CreditAssignment,
  embeddedTrainDefaults,
  Environment,
  EnvironmentError,
  type Game,
  Games,
  PpoUpdate,
  Rollout,
  Teacher,
  Tracker,
  train,
  type TrainSettings
} from "agentopsd"
import { layerMemoryRunStore, layerSkills, layerToyPolicy, layerWords, vocabularyOf } from "agentopsd/testing"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const coins = ["copper", "gold", "silver"]

const games: ReadonlyArray<Game> = coins.map((heavy) => ({ id: `train:${heavy}`, split: "train", taskType: "weigh" }))

/** Naming the heavy coin wins; a wrong name costs a turn. */
const layerScale = Layer.merge(
  Layer.succeed(Games, {
    source: "three coins",
    list: (split) =>
      Effect.succeed({ games: games.filter((game) => game.split === split), manifestHash: "three-coins-v1" })
  }),
  Layer.succeed(Environment, {
    open: (game) => {
      const heavy = coins.find((coin) => game.id.endsWith(coin))
      if (heavy === undefined) {
        return Effect.fail(
          new EnvironmentError({ gameId: game.id, operation: "open", reason: "no such coin", retryable: false })
        )
      }
      const shown = { admissibleCommands: coins, done: false, won: false, score: null }
      return Effect.succeed({
        task: "name the heavy coin",
        initial: { ...shown, text: `the scale leans to ${heavy}` },
        step: (command) =>
          Effect.succeed(
            command === heavy
              ? { ...shown, text: "right", done: true, won: true, score: 1 }
              : { ...shown, text: `wrong the scale leans to ${heavy}`, score: 0 }
          )
      })
    }
  })
)

const words = ["name", "the", "heavy", "coin", "scale", "leans", "to", "right", "wrong", ...coins]

const layer = Layer.mergeAll(Rollout.layer, Teacher.layer, CreditAssignment.layer, PpoUpdate.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(
    layerScale,
    layerWords(words),
    layerSkills({ weigh: "name the coin the scale leans to" }),
    layerToyPolicy({
      vocabularySize: vocabularyOf(words).length,
      order: 3,
      bias: Object.fromEntries(["<end>", ...coins].map((word) => [vocabularyOf(words).indexOf(word), 2]))
    }),
    layerMemoryRunStore,
    Tracker.layerDisabled
  ))
)

const settings: TrainSettings = {
  ...embeddedTrainDefaults,
  baseModel: "toy",
  maxSteps: 20,
  tasksPerUpdate: 3,
  maxTurns: 4,
  maxTrajectoryTokens: 128,
  maxActionTokens: 2,
  ppoMinibatches: 1,
  learningRate: 0.3,
  saveEvery: 0,
  seed: 1,
  runName: "three-coins"
}

/** Success rate of each update's rollouts. */
export const program = train(settings, { resume: false }).pipe(
  Effect.map(({ metrics }) => metrics.map((update) => update["train/success_rate"])),
  Effect.provide(layer)
)

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await Effect.runPromise(Effect.flatMap(program, (success) =>
    Console.log(success.map((rate, i) => `update ${i + 1}: ${Math.round(100 * rate)} %`).join("\n"))))
}
