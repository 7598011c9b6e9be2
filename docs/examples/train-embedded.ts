/**
 * What `agentopsd train` does, as a program of one's own: the embedded policy on the built-in games. Every service is
 * a Layer; replace the line that provides it.
 *
 *     npx tsx docs/examples/train-embedded.ts
 */
import { pathToFileURL } from "node:url"
import * as NodeContext from "@effect/platform-node/NodeContext"
import {
  CreditAssignment,
  embeddedTrainDefaults,
  PpoUpdate,
  Rollout,
  Teacher,
  Tracker,
  train,
  type TrainSettings
} from "agentopsd"
import { layerEmbeddedChatFormat, layerEmbeddedHints, layerEmbeddedPolicy } from "agentopsd/embedded"
import { layerRunFolder } from "agentopsd/files"
import { layerHousehold } from "agentopsd/household"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const settings: TrainSettings = {
  ...embeddedTrainDefaults,
  maxSteps: 2,
  tasksPerUpdate: 4,
  groupSize: 4,
  saveEvery: 0,
  seed: 1,
  runName: "example"
}

/** Trains in the given folder of runs; needs a file system, which any `@effect/platform` runtime provides. */
export const program = (runDir: string, chosen: TrainSettings = settings) => {
  const stages = Layer.mergeAll(Rollout.layer, Teacher.layer, CreditAssignment.layer, PpoUpdate.layer)
  const contracts = Layer.mergeAll(
    layerEmbeddedPolicy({ directory: runDir }),
    layerEmbeddedChatFormat,
    layerEmbeddedHints,
    layerHousehold(),
    layerRunFolder,
    Tracker.layerDisabled
  )
  return train({ ...chosen, runDir }, { resume: false }).pipe(Effect.provide(Layer.provideMerge(stages, contracts)))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await program("runs").pipe(
    Effect.flatMap(({ metrics, place }) =>
      Console.log(`${place}: ${metrics.map((update) => update["train/success_rate"]).join(", ")}`)
    ),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )
}
