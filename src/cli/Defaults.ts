import type { EvalSettings, TrainSettings } from "../domain/Settings.js"
import type { GamesSettings } from "./Flags.js"

/** Defaults of `train` on the built-in policy: a run of a few minutes on two cores. */
export const embeddedTrain: TrainSettings = {
  backend: "embedded",
  baseModel: "start",
  dataRoot: null,
  trainSplit: "train",
  maxTrainGames: 0,
  maxSteps: 60,
  tasksPerUpdate: 8,
  groupSize: 8,
  maxTurns: 30,
  maxTrajectoryTokens: 1024,
  maxActionTokens: 12,
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false,
  teacherConcurrency: 16,
  rolloutConcurrency: 32,
  gamma: 0.95,
  reshapeLambda: 0.5,
  weightBound: 0.2,
  epsilon: 1e-4,
  ppoClipLow: 0.8,
  ppoClipHigh: 1.24,
  ppoMinibatches: 4,
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.95,
  weightDecay: 0,
  gradClipNorm: 1,
  loraRank: 8,
  trainUnembed: false,
  skillsDir: null,
  saveEvery: 10,
  seed: 42,
  runName: "agentopsd-household",
  runDir: "runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}

/** Defaults of `eval` on the built-in policy. */
export const embeddedEval: EvalSettings = {
  backend: "embedded",
  baseModel: "start",
  modelPath: null,
  dataRoot: null,
  split: "all",
  limitPerSplit: 0,
  gamesPerBatch: 32,
  maxTurns: 50,
  maxTrajectoryTokens: 1024,
  maxAssistantTokens: 12,
  // The policy was trained to act at temperature 1; greedy, so small a policy repeats itself.
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false,
  seed: 42,
  output: "eval_results/eval-results.jsonl",
  overwriteOutput: false,
  runName: "agentopsd-household-eval",
  runDir: "runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}

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
