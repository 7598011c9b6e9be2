import type {
  EvaluationConfiguration,
  EvaluationRecord,
  EvaluationSummary
} from "../../src/domain/EvaluationRecords.js"
import type { EpisodeRecord } from "../../src/domain/RunRecords.js"
import type { EvalSettings, TrainSettings } from "../../src/domain/Settings.js"

export const trainSettings: TrainSettings = {
  backend: "embedded",
  baseModel: "household-tiny",
  dataRoot: null,
  trainSplit: "train",
  maxTrainGames: 0,
  maxSteps: 5,
  tasksPerUpdate: 1,
  groupSize: 2,
  maxTurns: 3,
  maxTrajectoryTokens: 100,
  maxActionTokens: 10,
  temperature: 1,
  topP: 1,
  includeAdmissibleActions: false,
  teacherConcurrency: 1,
  rolloutConcurrency: 2,
  gamma: 0.9,
  reshapeLambda: 0.5,
  weightBound: 0.5,
  epsilon: 0.1,
  ppoClipLow: 0.8,
  ppoClipHigh: 1.2,
  ppoMinibatches: 1,
  learningRate: 1e-4,
  beta1: 0.9,
  beta2: 0.95,
  weightDecay: 0,
  gradClipNorm: 1,
  loraRank: 4,
  trainUnembed: false,
  skillsDir: null,
  saveEvery: 2,
  seed: 7,
  runName: "first",
  runDir: "/runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}

export const evalSettings: EvalSettings = {
  backend: "embedded",
  baseModel: "household-tiny",
  modelPath: null,
  dataRoot: null,
  split: "all",
  limitPerSplit: 0,
  gamesPerBatch: 4,
  maxTurns: 3,
  maxTrajectoryTokens: 100,
  maxAssistantTokens: 10,
  temperature: 0,
  topP: 1,
  includeAdmissibleActions: false,
  seed: 7,
  output: "/results/eval.jsonl",
  overwriteOutput: false,
  runName: "eval",
  runDir: "/runs",
  swanlabProject: "agentopsd",
  swanlabMode: "disabled"
}

/** An episode whose values depend on its place alone. */
export const episode = (step: number, attempt: number): EpisodeRecord => ({
  step,
  gameId: `train:game-${step}/é→“${attempt}”`,
  split: "train",
  taskType: "pick_and_place_simple",
  attempt,
  snapshotId: `snapshot-${step - 1}`,
  task: "put a mug on the desk",
  initialObservation: "You are in a room.\n\nYour task is to: put a mug on the desk\u2028.",
  openingCommands: [],
  openingLength: 3,
  ids: [1, 2, 3, 10 + step, 11 + attempt],
  turns: [{
    start: 3,
    end: 5,
    logprobs: [-0.1 * step, -1 / 3],
    command: "go to desk 1",
    invalidReason: null,
    admissible: true,
    observation: "You arrive.\r\n",
    won: attempt === 0,
    score: null
  }],
  stopReason: attempt === 0 ? "won" : "max_turns",
  won: attempt === 0,
  reward: attempt === 0 ? 1 : 0,
  teacherLogprobs: attempt === 0 ? [[-0.25, null]] : null,
  credit: {
    sequenceAdvantage: attempt === 0 ? 0.8 : -0.8,
    prior: 0.5,
    turns: [{ evidence: 0.1, belief: 0.5, beliefChange: 0.1, weight: 1.1, advantage: 0.84, rejected: null }]
  }
})

export const metricsOf = (step: number) => ({ "train/success_rate": 1 / (step + 2), "credit/weight_mean": 1 + step })

export const configuration = (changes: Partial<EvalSettings> = {}): EvaluationConfiguration => ({
  type: "configuration",
  settings: { ...evalSettings, ...changes },
  manifests: { valid_seen: "abc", valid_unseen: "def" },
  policy_snapshot_id: "embedded:household-tiny"
})

export const gameRecord = (index: number): EvaluationRecord => ({
  type: "trajectory",
  game_id: `valid_seen:game-${index}`,
  split: "valid_seen",
  task_type: "pick_and_place_simple",
  group_index: index,
  policy_snapshot_id: "embedded:household-tiny",
  task: "put a mug on the desk",
  initial_observation: "You are in a room.",
  won: index % 2 === 0,
  truncated: index % 2 !== 0,
  stop_reason: index % 2 === 0 ? "won" : "max_turns",
  invalid_action_count: 0,
  reward: index % 2 === 0 ? 1 : 0,
  student_tokens: 12,
  steps: [{
    step: 1,
    assistant_text: "go to desk 1",
    action: "go to desk 1",
    valid_format: true,
    admissible: true,
    valid_action: true,
    next_observation: "You arrive.",
    environment_score: null,
    won: index % 2 === 0,
    prompt_tokens: 9,
    completion_tokens: 3,
    mean_old_logprob: -0.2 * (index + 1)
  }]
})

export const summary: EvaluationSummary = {
  type: "summary",
  base_model: "household-tiny",
  model_path: null,
  skill_free: true,
  metrics: { "eval/valid_seen/success_rate": 0.5 }
}
