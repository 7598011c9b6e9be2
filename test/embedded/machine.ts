import type { Generator } from "../../src/domain/Randomness.js"
import { below, generator } from "../../src/domain/Randomness.js"
import { compiledKernels } from "../../src/embedded/CompiledKernels.js"
import { makeMemory } from "../../src/embedded/Kernels.js"
import type { Machine } from "../../src/embedded/Machine.js"
import { makeMachine } from "../../src/embedded/Machine.js"
import type { PlanRequest } from "../../src/embedded/MemoryPlan.js"
import { planMemory } from "../../src/embedded/MemoryPlan.js"
import type { ModelShape } from "../../src/embedded/ModelShape.js"
import { initializeAdapter, initializeBase, packParameters, writeRotaryTables } from "../../src/embedded/Parameters.js"

/** Small enough for finite differences, with more than one head, layer and panel, and odd sizes. */
export const smallShape: ModelShape = { layers: 2, heads: 2, feedForward: 96, vocabularySize: 21, contextLength: 304 }

/** A machine in this thread with random parameters; the adapter's B is random too, so that it matters. */
export const testMachine = (request: Partial<PlanRequest> = {}, seed = 1): Machine => {
  const plan = planMemory({ shape: smallShape, rank: 0, training: "none", workers: 1, slots: 2, ...request })
  const machine = makeMachine(compiledKernels(), makeMemory(plan.bytes), plan, 0)
  writeRotaryTables(machine)
  initializeBase(machine, seed)
  const rank = request.rank ?? 0
  if (rank > 0) {
    initializeAdapter(machine, rank, 2)
    randomizeFactorB(machine, rank)
  }
  packParameters(machine)
  return machine
}

const randomizeFactorB = (machine: Machine, rank: number): void => {
  const random = generator(5)
  for (const tensor of machine.plan.model.adapter.tensors.filter((each) => each.name.endsWith(".b"))) {
    for (let i = 0; i < rank * tensor.columns; i++) machine.floats[tensor.address / 4 + i] = 0.2 * (random() - 0.5)
  }
}

/** Random ids. */
export const randomIds = (
  random: Generator,
  length: number,
  vocabularySize = smallShape.vocabularySize
): Array<number> => Array.from({ length }, () => below(random, vocabularySize))
