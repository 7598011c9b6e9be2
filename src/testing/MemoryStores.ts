import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EvaluationRecord, EvaluationSummary } from "../domain/EvaluationRecords.js"
import type { Checkpoint, EpisodeRecord, JournalEvent, MetricsRecord } from "../domain/RunRecords.js"
import { EvaluationStore } from "../services/EvaluationStore.js"
import { RunStore, RunStoreError } from "../services/RunStore.js"

/** One run in memory. */
export interface MemoryRun {
  readonly metrics: Array<MetricsRecord>
  readonly episodes: Array<EpisodeRecord>
  readonly journal: Array<JournalEvent>
}

/** The runs of a `layerMemoryRunStore`, by name, for a test to look at. */
export class MemoryRuns extends Context.Tag("agentopsd/testing/MemoryRuns")<MemoryRuns, {
  readonly runs: ReadonlyMap<string, MemoryRun>
}>() {}

/** The run folder's behaviour without a folder. */
export const layerMemoryRunStore: Layer.Layer<RunStore | MemoryRuns> = Layer.effectContext(Effect.sync(() => {
  const runs = new Map<string, MemoryRun>()
  return Context.empty().pipe(
    Context.add(MemoryRuns, { runs }),
    Context.add(RunStore, {
      open: ({ resume, settings }) =>
        Effect.suspend(() => {
          const known = runs.get(settings.runName)
          if ((known !== undefined) !== resume) {
            return Effect.fail(
              new RunStoreError({
                path: settings.runName,
                reason: resume ? "there is no such run" : "the run exists",
                fix: resume ? "Start it first" : "Choose another name or resume it"
              })
            )
          }
          const run = known ?? { metrics: [], episodes: [], journal: [] }
          runs.set(settings.runName, run)
          const checkpoint = run.journal.reduce<Checkpoint | undefined>(
            (last, event) => event._tag === "saved" ? event : last,
            undefined
          )
          const kept = checkpoint?.step ?? 0
          run.metrics.splice(0, run.metrics.length, ...run.metrics.filter(({ step }) => step <= kept))
          run.episodes.splice(0, run.episodes.length, ...run.episodes.filter(({ step }) => step <= kept))
          return Effect.succeed({
            place: `memory:${settings.runName}`,
            checkpoint,
            finished: run.journal.some((event) => event._tag === "finished" && event.step >= settings.maxSteps),
            recordUpdate: (step, episodes, metrics) =>
              Effect.sync(() => {
                run.episodes.push(...episodes)
                run.metrics.push({ step, ...metrics })
              }),
            journal: (event) =>
              Effect.sync(() => {
                run.journal.push(event)
              })
          })
        })
    })
  )
}))

/** The evaluation files of a `layerMemoryEvaluationStore`, by output name. */
export class MemoryEvaluations extends Context.Tag("agentopsd/testing/MemoryEvaluations")<MemoryEvaluations, {
  readonly files: ReadonlyMap<string, { readonly records: ReadonlyArray<EvaluationRecord>; readonly summary: EvaluationSummary | undefined }>
}>() {}

/** Evaluation files without a disk; a started file is continued. */
export const layerMemoryEvaluationStore: Layer.Layer<EvaluationStore | MemoryEvaluations> = Layer.effectContext(
  Effect.sync(() => {
    const files = new Map<string, { records: Array<EvaluationRecord>; summary: EvaluationSummary | undefined }>()
    return Context.empty().pipe(
      Context.add(MemoryEvaluations, { files }),
      Context.add(EvaluationStore, {
        open: ({ settings }) =>
          Effect.sync(() => {
            const file = files.get(settings.output) ?? { records: [], summary: undefined }
            files.set(settings.output, file)
            return {
              place: `memory:${settings.output}`,
              finished: file.records.slice(),
              append: (record: EvaluationRecord) =>
                Effect.sync(() => {
                  file.records.push(record)
                }),
              complete: (summary: EvaluationSummary) =>
                Effect.sync(() => {
                  file.records.sort((a, b) => a.group_index - b.group_index)
                  file.summary = summary
                })
            }
          })
      })
    )
  })
)
