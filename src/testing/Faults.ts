import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Environment } from "../services/Environment.js"
import type { EnvironmentError } from "../services/Environment.js"
import type { Optimizer, PolicyError, Sampler } from "../services/Policy.js"
import { Policy } from "../services/Policy.js"

/** Decides before each call whether it fails instead: gets the call's name and its number, from 1. */
export type FaultPlan<E extends object> = (call: string, number: number) => E | undefined

const planned = <E extends object>(plan: FaultPlan<E>) => {
  const numbers = new Map<string, number>()
  return <A, E2, R>(call: string, effect: Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
    Effect.suspend((): Effect.Effect<A, E | E2, R> => {
      const number = (numbers.get(call) ?? 0) + 1
      numbers.set(call, number)
      const fault = plan(call, number)
      return fault === undefined ? effect : Effect.fail(fault)
    })
}

/** A policy whose calls (`sample`, `logprobs`, `forwardBackward`, `optimStep`, `saveState`, …) fail as planned. */
export const layerFaultyPolicy = <R, E>(
  layer: Layer.Layer<Policy | R, E>,
  plan: FaultPlan<PolicyError>
): Layer.Layer<Policy | R, E> =>
  Layer.merge(
    layer,
    Layer.provide(
      Layer.effect(
        Policy,
        Effect.map(Policy, (policy) => {
          const withFaults = planned(plan)
          const faultySampler = (sampler: Sampler): Sampler => ({
            ...sampler,
            sample: (request) => withFaults("sample", sampler.sample(request)),
            logprobs: (ids) => withFaults("logprobs", sampler.logprobs(ids))
          })
          const faultyOptimizer = (optimizer: Optimizer): Optimizer => ({
            forwardBackward: (data, loss) => withFaults("forwardBackward", optimizer.forwardBackward(data, loss)),
            optimStep: (adam) => withFaults("optimStep", optimizer.optimStep(adam))
          })
          return {
            ...policy,
            openTrainer: (source) =>
              Effect.map(withFaults("openTrainer", policy.openTrainer(source)), (trainer) => ({
                ...trainer,
                ...faultyOptimizer(trainer),
                snapshot: Effect.map(withFaults("snapshot", trainer.snapshot), faultySampler),
                saveState: (name) => withFaults("saveState", trainer.saveState(name)),
                saveSamplerWeights: (name) => withFaults("saveSamplerWeights", trainer.saveSamplerWeights(name))
              })),
            openSampler: (source) => Effect.map(withFaults("openSampler", policy.openSampler(source)), faultySampler)
          }
        })
      ),
      layer
    )
  )

/** An environment whose `open` and `step` fail as planned. */
export const layerFaultyEnvironment = <R, E>(
  layer: Layer.Layer<Environment | R, E>,
  plan: FaultPlan<EnvironmentError>
): Layer.Layer<Environment | R, E> =>
  Layer.merge(
    layer,
    Layer.provide(
      Layer.effect(
        Environment,
        Effect.map(Environment, (environment) => {
          const withFaults = planned(plan)
          return {
            open: (game) =>
              Effect.map(withFaults("open", environment.open(game)), (episode) => ({
                ...episode,
                step: (command) => withFaults("step", episode.step(command))
              }))
          }
        })
      ),
      layer
    )
  )
