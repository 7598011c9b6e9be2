/**
 * Fakes behind the same contracts as the real Layers: a scripted environment, a policy that really learns, a tracker
 * that remembers, run stores in memory, and faults on plan. The project's own tests are written with them.
 */
export { type FaultPlan, layerFaultyEnvironment, layerFaultyPolicy } from "./Faults.js"
export {
  layerMemoryEvaluationStore,
  layerMemoryRunStore,
  MemoryEvaluations,
  type MemoryRun,
  MemoryRuns
} from "./MemoryStores.js"
export { layerRecordingTracker, type TrackedEvent, TrackerLog } from "./RecordingTracker.js"
export { layerScripted, lockGame, type ScriptedGame, ScriptedLog } from "./ScriptedEnvironment.js"
export { layerSkills } from "./SkillTable.js"
export { layerToyPolicy, ToyPolicyLog, type ToyPolicyOptions } from "./ToyPolicy.js"
export { layerWords, markers, vocabularyOf } from "./WordChatFormat.js"
