import type { EvalSettings, TrainSettings } from "../domain/Settings.js"

/** How one setting is given on the command line, in the environment and in a configuration file. */
export interface Flag {
  /** `switch` is given as `--name` or `--no-name`. */
  readonly kind: "number" | "text" | "switch"
  /** What stands for the value in help: `N`, `DIR`, … */
  readonly value: string
  /** One line of help, without the default. */
  readonly description: string
  /** Heading under which help lists it. */
  readonly group: string
  /** Other names, without dashes. */
  readonly aliases: ReadonlyArray<string>
}

/** One flag per setting; the order is that of help. */
export type FlagTable<Settings> = { readonly [Key in keyof Settings]: Flag }

const number = (value: string, group: string, description: string, aliases: ReadonlyArray<string> = []): Flag => ({
  kind: "number",
  value,
  group,
  description,
  aliases
})

const text = (value: string, group: string, description: string): Flag => ({
  kind: "text",
  value,
  group,
  description,
  aliases: []
})

const onOff = (group: string, description: string): Flag => ({
  kind: "switch",
  value: "",
  group,
  description,
  aliases: []
})

const policy = "Policy"
const games = "Games"
const play = "Play"
const credit = "Credit (names as in the paper)"
const update = "Update"
const records = "Run and records"

const shared = {
  backend: text("NAME", policy, "where the policy runs: embedded (in this process, on the CPU)"),
  dataRoot: text("DIR", games, "folder of ALFWorld game files instead of the built-in household games"),
  temperature: number("T", play, "sampling temperature; 0 takes the most probable token"),
  topP: number("P", play, "sample from the most probable tokens that reach this probability; 1 keeps all"),
  maxTrajectoryTokens: number("N", play, "longest trajectory in tokens, the opening included"),
  includeAdmissibleActions: onOff(play, "list the admissible commands in each prompt"),
  seed: number("N", records, "decides every random number of the run"),
  runDir: text("DIR", records, "folder that holds run folders"),
  swanlabProject: text("NAME", records, "SwanLab project"),
  swanlabMode: text("MODE", records, "SwanLab tracking: disabled (its Layer is not part of this version)")
}

/** Flags of `agentopsd train`. */
export const trainFlags: FlagTable<TrainSettings> = {
  backend: shared.backend,
  baseModel: text("NAME", policy, "what to train: start (plays poorly) or strong"),
  loraRank: number("R", policy, "rank of the trained adapter"),
  trainUnembed: onOff(policy, "train the output embedding too"),
  dataRoot: shared.dataRoot,
  trainSplit: text("NAME", games, "split to train on"),
  maxTrainGames: number("N", games, "use only N games of the split, the first in the seed's order; 0 uses all"),
  tasksPerUpdate: number("N", play, "games per update"),
  groupSize: number("G", play, "trajectories per game, the group of the advantage"),
  maxTurns: number("N", play, "commands per trajectory"),
  maxTrajectoryTokens: shared.maxTrajectoryTokens,
  maxActionTokens: number("N", play, "longest action in tokens"),
  temperature: shared.temperature,
  topP: shared.topP,
  includeAdmissibleActions: shared.includeAdmissibleActions,
  rolloutConcurrency: number("N", play, "trajectories in flight; changes no result"),
  teacherConcurrency: number("N", play, "Teacher readings in flight; changes no result"),
  gamma: number("γ", credit, "how much of the earlier turns' evidence is kept"),
  reshapeLambda: number("λ", credit, "share of the turn weight in the advantage; 0 is plain group-relative advantage"),
  weightBound: number("b", credit, "largest distance of a turn weight from 1"),
  epsilon: number("ε", credit, "clips the prior and keeps divisions by a standard deviation finite"),
  skillsDir: text("DIR", credit, "folder of skill texts for the Teacher instead of the policy's own"),
  maxSteps: number("N", update, "updates in all"),
  learningRate: number("X", update, "Adam's step size"),
  beta1: number("X", update, "Adam's decay of the gradient's mean"),
  beta2: number("X", update, "Adam's decay of the gradient's square"),
  weightDecay: number("X", update, "Adam's weight decay"),
  gradClipNorm: number("X", update, "cut the gradient's norm to this; 0 leaves it"),
  ppoClipLow: number("X", update, "lower end of PPO's ratio window"),
  ppoClipHigh: number("X", update, "upper end of PPO's ratio window"),
  ppoMinibatches: number("N", update, "optimiser steps an update is cut into"),
  runName: text("NAME", records, "name of the run and its folder"),
  runDir: shared.runDir,
  saveEvery: number("N", records, "save a state every N updates; 0 only at the end"),
  seed: shared.seed,
  swanlabProject: shared.swanlabProject,
  swanlabMode: shared.swanlabMode
}

/** Flags of `agentopsd eval`. */
export const evalFlags: FlagTable<EvalSettings> = {
  backend: shared.backend,
  baseModel: text("NAME", policy, "what to evaluate: start or strong"),
  modelPath: text("PATH", policy, "trained weights to evaluate (embedded://RUN/…, as train prints them)"),
  dataRoot: shared.dataRoot,
  split: text("NAME", games, "valid_seen, valid_unseen or all (both)"),
  limitPerSplit: number("N", games, "use only the first N games of a split; 0 uses all"),
  gamesPerBatch: number("N", play, "games in flight; changes no result"),
  maxTurns: number("N", play, "commands per game", ["max-episode-turns", "max-episode-steps"]),
  maxTrajectoryTokens: shared.maxTrajectoryTokens,
  maxAssistantTokens: number("N", play, "longest action in tokens"),
  temperature: shared.temperature,
  topP: shared.topP,
  includeAdmissibleActions: shared.includeAdmissibleActions,
  output: text("FILE", records, "the JSONL file of records"),
  overwriteOutput: onOff(records, "replace a complete or different output file"),
  runName: text("NAME", records, "name of the evaluation on a dashboard"),
  runDir: { ...shared.runDir, description: "folder that holds run folders, where embedded:// paths are found" },
  seed: shared.seed,
  swanlabProject: shared.swanlabProject,
  swanlabMode: shared.swanlabMode
}

const config = text("FILE", records, "JSON file of settings")

/** Flags of `agentopsd train` that are no settings of the run. */
export const trainExtraFlags = {
  resume: text("RUN", records, "go on with a stopped run (its name or its folder) under its own settings"),
  config
}

/** Flags of `agentopsd eval` that are no settings of the evaluation. */
export const evalExtraFlags = { config }

/** Settings of `agentopsd games`. */
export interface GamesSettings {
  /** Folder to write the games to; `null` only counts them. */
  readonly export: string | null
  readonly seed: number
}

/** Flags of `agentopsd games`. */
export const gamesFlags: FlagTable<GamesSettings> = {
  export: text("DIR", games, "write every game below this folder, as --data-root reads them"),
  seed: number("N", games, "which games to generate; train and eval play those of seed 0")
}

/** The flag's name without its dashes: `ppoClipLow` is given as `--ppo-clip-low`. */
export const flagName = (key: string): string =>
  key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** The environment variable of a setting: `ppoClipLow` is `AGENTOPSD_PPO_CLIP_LOW`. */
export const environmentName = (key: string): string =>
  environmentPrefix + flagName(key).toUpperCase().replaceAll("-", "_")

/** What every environment variable of this program begins with. */
export const environmentPrefix = "AGENTOPSD_"

/** The table's entries with their keys. */
export const flagEntries = <Settings>(table: FlagTable<Settings>): ReadonlyArray<readonly [string, Flag]> =>
  Object.entries<Flag>(table)
