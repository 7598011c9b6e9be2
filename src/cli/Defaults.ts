import type { EvalSettings, TrainSettings } from "../domain/Settings.js"
import type { GamesSettings } from "./Flags.js"

/** Defaults of `games`: the games that `train` and `eval` play. */
export const gamesDefaults: GamesSettings = { export: null, seed: 0 }

/**
 * Where a large model's defaults differ: those of the published AgentOPSD run (Qwen3.5-4B on ALFWorld). Help names
 * them; no backend of this version takes a large model.
 */
export const publishedTrain: Readonly<Partial<Record<keyof TrainSettings, string | number | boolean>>> = {
  baseModel: "Qwen/Qwen3.5-4B",
  maxSteps: 200,
  tasksPerUpdate: 16,
  maxTurns: 50,
  maxTrajectoryTokens: 14336,
  maxActionTokens: 512,
  includeAdmissibleActions: true,
  ppoMinibatches: 1,
  learningRate: 4e-6,
  loraRank: 32,
  saveEvery: 25,
  runName: "agentopsd-alfworld-qwen35-4b"
}

/** As {@link publishedTrain}, for `eval`. */
export const publishedEval: Readonly<Partial<Record<keyof EvalSettings, string | number | boolean>>> = {
  baseModel: "Qwen/Qwen3.5-4B",
  gamesPerBatch: 8,
  temperature: 0.01,
  maxTrajectoryTokens: 16384,
  maxAssistantTokens: 512,
  includeAdmissibleActions: true,
  runName: "agentopsd-alfworld-qwen35-4b-eval"
}
