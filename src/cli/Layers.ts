import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Layer from "effect/Layer"
import { layerAlfworld } from "../alfworld/AlfworldGames.js"
import type { EvalSettings, TrainSettings } from "../domain/Settings.js"
import * as EmbeddedChatFormat from "../embedded/chat/EmbeddedChatFormat.js"
import * as Hints from "../embedded/chat/Hints.js"
import { layerEmbeddedPolicy } from "../embedded/EmbeddedPolicy.js"
import { layerEvaluationFiles } from "../files/EvaluationFiles.js"
import { layerRunFolder } from "../files/RunFolder.js"
import { layerDirectory } from "../files/SkillDirectory.js"
import { layerHousehold } from "../household/HouseholdGames.js"
import type { Environment } from "../services/Environment.js"
import type { Games, GamesError } from "../services/Games.js"
import { Tracker } from "../services/Tracker.js"
import { CreditAssignment } from "../stages/CreditAssignment.js"
import { PpoUpdate } from "../stages/PpoUpdate.js"
import { Rollout } from "../stages/Rollout.js"
import { Teacher } from "../stages/Teacher.js"

type Platform = FileSystem.FileSystem | Path.Path

const layerGames = (dataRoot: string | null): Layer.Layer<Games | Environment, GamesError, Platform> =>
  dataRoot === null ? layerHousehold() : layerAlfworld({ dataRoot })

/** One sequence for each trajectory in flight, within about 800 MB; beyond that histories are computed again. */
const cachedFor = (inFlight: number): number => Math.min(256, inFlight)

/** All that `train` needs, as its settings choose it. */
export const layerTrain = (settings: TrainSettings) => {
  const contracts = Layer.mergeAll(
    layerEmbeddedPolicy({ directory: settings.runDir, cachedSequences: cachedFor(settings.rolloutConcurrency) }),
    EmbeddedChatFormat.layer,
    settings.skillsDir === null ? Hints.layer : layerDirectory(settings.skillsDir),
    layerGames(settings.dataRoot),
    layerRunFolder,
    Tracker.layerDisabled
  )
  const stages = Layer.mergeAll(Rollout.layer, Teacher.layer, CreditAssignment.layer, PpoUpdate.layer)
  return Layer.provideMerge(stages, contracts)
}

/** All that `eval` needs, as its settings choose it. */
export const layerEval = (settings: EvalSettings) => {
  const contracts = Layer.mergeAll(
    layerEmbeddedPolicy({ directory: settings.runDir, cachedSequences: cachedFor(settings.gamesPerBatch) }),
    EmbeddedChatFormat.layer,
    layerGames(settings.dataRoot),
    layerEvaluationFiles,
    Tracker.layerDisabled
  )
  return Layer.provideMerge(Rollout.layer, contracts)
}
