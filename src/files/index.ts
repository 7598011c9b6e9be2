/** Records on disk: run folders, evaluation files and folders of skill texts. */
export { layerEvaluationFiles } from "./EvaluationFiles.js"
export { readRecords } from "./JsonlFile.js"
export { isRun, readRunConfig, readSettings, RunConfig } from "./RunConfig.js"
export { layerRunFolder } from "./RunFolder.js"
export { readEpisodes, readJournal, readMetrics } from "./RunReading.js"
export { layerDirectory } from "./SkillDirectory.js"
