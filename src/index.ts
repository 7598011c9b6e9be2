/**
 * agentopsd: AgentOPSD as typed Effect services.
 *
 * The domain's records, the contracts that Layers fulfil, the four stages and the two programs. Layers live behind
 * their own entries: `agentopsd/alfworld`, `/household`, `/embedded`, `/files`, `/testing`.
 */
export * from "./domain/Credit.js"
export * from "./domain/EvaluationRecords.js"
export * from "./domain/Game.js"
export * from "./domain/Intervals.js"
export * from "./domain/Metrics.js"
export * from "./domain/Outcome.js"
export * from "./domain/PythonRandom.js"
export * from "./domain/Randomness.js"
export * from "./domain/RunRecords.js"
export * from "./domain/Schedule.js"
export * from "./domain/Settings.js"
export * from "./domain/Trajectory.js"
export * from "./programs/Evaluate.js"
export * from "./programs/Train.js"
export * from "./programs/UpdateMetrics.js"
export * from "./services/ChatFormat.js"
export * from "./services/Environment.js"
export * from "./services/EvaluationStore.js"
export * from "./services/Games.js"
export * from "./services/Policy.js"
export * from "./services/Progress.js"
export * from "./services/RunStore.js"
export * from "./services/SkillBank.js"
export * from "./services/Tracker.js"
export * from "./stages/CreditAssignment.js"
export * from "./stages/PpoUpdate.js"
export * from "./stages/Rollout.js"
export * from "./stages/Teacher.js"
