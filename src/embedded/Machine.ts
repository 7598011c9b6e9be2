import type { Address, EngineMemory, Kernels, KernelsModule } from "./Kernels.js"
import { instantiateKernels } from "./Kernels.js"
import type { MemoryPlan, WorkspacePlan } from "./MemoryPlan.js"

/** One thread's means of computing: kernels, views of the shared memory, and a workspace of its own. */
export interface Machine {
  readonly kernels: Kernels
  readonly floats: Float32Array
  readonly integers: Int32Array
  readonly plan: MemoryPlan
  readonly workspace: WorkspacePlan
}

/** A machine on this memory, using the workspace with this number. */
export const makeMachine = (
  module: KernelsModule,
  memory: EngineMemory,
  plan: MemoryPlan,
  workspace: number
): Machine => ({
  kernels: instantiateKernels(module, memory),
  floats: new Float32Array(memory.buffer),
  integers: new Int32Array(memory.buffer),
  plan,
  workspace: plan.workspaces[workspace]
})

/** Copies floats from one address to another. */
export const copyFloats = (machine: Machine, from: Address, to: Address, count: number): void => {
  machine.floats.copyWithin(to / 4, from / 4, from / 4 + count)
}

/** Sets floats to 0. */
export const clearFloats = (machine: Machine, address: Address, count: number): void => {
  machine.floats.fill(0, address / 4, address / 4 + count)
}
