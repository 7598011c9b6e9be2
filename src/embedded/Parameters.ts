import type { Generator } from "../domain/Randomness.js"
import { generator, seedOf } from "../domain/Randomness.js"
import type { Address } from "./Kernels.js"
import type { Machine } from "./Machine.js"
import { clearFloats, copyFloats } from "./Machine.js"
import type { LinearPlan, PlacedTensor } from "./MemoryPlan.js"
import { adapterScale, linearMaps, paddedVocabularyOf, widthOf } from "./ModelShape.js"
import { rotaryTables } from "./Rotary.js"

/** Parameters by name: row-major, without padding rows. */
export type TensorValues = ReadonlyMap<string, Float32Array>

/** Standard normal numbers by Marsaglia's polar method (no trigonometric functions, which are not exact everywhere). */
const normal = (random: Generator): number => {
  for (;;) {
    const x = 2 * random() - 1
    const y = 2 * random() - 1
    const s = x * x + y * y
    if (s > 0 && s < 1) return x * Math.sqrt((-2 * Math.log(s)) / s)
  }
}

/** Standard deviation of a base tensor's initial values; `undefined` for gains, which begin at 1. */
const initialDeviation = (tensor: PlacedTensor): number | undefined => {
  if (tensor.name.endsWith("Embedding")) return 0.05
  if (tensor.name.endsWith("Norm")) return undefined
  const residual = tensor.name.endsWith("attentionOutput") || tensor.name.endsWith("down")
  return (residual ? 0.4 : 1) / Math.sqrt(tensor.rows)
}

const fillNormal = (machine: Machine, tensor: PlacedTensor, deviation: number, columns: number, seed: number): void => {
  const random = generator(seedOf("embedded parameters", seed, tensor.name))
  const start = tensor.address / 4
  for (let row = 0; row < tensor.rows; row++) {
    for (let column = 0; column < columns; column++) {
      machine.floats[start + row * tensor.columns + column] = deviation * normal(random)
    }
  }
}

/** Random values for the base network, each tensor from a stream of its own. */
export const initializeBase = (machine: Machine, seed: number): void => {
  for (const tensor of machine.plan.model.base.tensors) {
    const deviation = initialDeviation(tensor)
    if (deviation === undefined) {
      machine.floats.fill(1, tensor.address / 4, tensor.address / 4 + tensor.columns)
    } else {
      fillNormal(machine, tensor, deviation, tensor.columns, seed)
    }
  }
}

/** A random, B zero: the network with a fresh adapter is the base network exactly. */
export const initializeAdapter = (machine: Machine, rank: number, seed: number): void => {
  for (const tensor of machine.plan.model.adapter.tensors) {
    if (tensor.name.endsWith(".a")) {
      fillNormal(machine, tensor, 1 / Math.sqrt(tensor.rows), rank, seed)
    } else {
      clearFloats(machine, tensor.address, tensor.rows * tensor.columns)
    }
  }
}

/** Copies of a region's parameters. */
export const readTensors = (machine: Machine, tensors: ReadonlyArray<PlacedTensor>): TensorValues =>
  new Map(tensors.map((tensor) => {
    const start = tensor.address / 4
    return [tensor.name, machine.floats.slice(start, start + tensor.rows * tensor.columns)]
  }))

/** Puts parameters into memory; tensors without values are left as they are. */
export const writeTensors = (
  machine: Machine,
  tensors: ReadonlyArray<PlacedTensor>,
  values: TensorValues
): void => {
  for (const tensor of tensors) {
    const value = values.get(tensor.name)
    if (value !== undefined) machine.floats.set(value, tensor.address / 4)
  }
}

/** Writes the rotary tables; once for a memory. */
export const writeRotaryTables = (machine: Machine): void => {
  const { cosines, sines } = rotaryTables(machine.plan.shape.contextLength)
  machine.floats.set(cosines, machine.plan.model.cosines / 4)
  machine.floats.set(sines, machine.plan.model.sines / 4)
}

const scaleInto = (machine: Machine, from: Address, to: Address, count: number): void => {
  const { floats } = machine
  for (let i = 0; i < count; i++) floats[to / 4 + i] = adapterScale * floats[from / 4 + i]
}

const packLinear = (machine: Machine, map: LinearPlan): void => {
  const { kernels, plan: { model } } = machine
  const { inputs, outputs } = map
  const rank = model.paddedRank
  copyFloats(machine, map.weight, model.effective, inputs * outputs)
  if (rank > 0) {
    const scaledA = model.scaledFactor
    const panels = scaledA + inputs * rank * 4
    scaleInto(machine, map.factorA, scaledA, inputs * rank)
    kernels.packPanels(map.factorB, outputs * 4, rank, outputs, panels, rank * 32)
    kernels.matmul(scaledA, rank * 4, inputs, rank, panels, rank * 32, outputs, model.effective, outputs * 4, true)
    if (map.factorAPanels !== 0) {
      kernels.packPanels(scaledA, rank * 4, inputs, rank, map.factorAPanels, inputs * 32)
      const scaledB = model.scaledFactor
      scaleInto(machine, map.factorB, scaledB, rank * outputs)
      kernels.packTransposedPanels(scaledB, outputs * 4, rank, outputs, map.factorBTransposedPanels, outputs * 32)
    }
  }
  kernels.packPanels(model.effective, outputs * 4, inputs, outputs, map.panels, inputs * 32)
  if (map.transposedPanels !== 0) {
    kernels.packTransposedPanels(model.effective, outputs * 4, inputs, outputs, map.transposedPanels, outputs * 32)
  }
}

/** Rebuilds the effective matrices from the parameters; needed after every change of them. */
export const packParameters = (machine: Machine): void => {
  const { kernels, plan: { model, shape } } = machine
  for (const layer of model.layers) {
    for (const map of linearMaps) packLinear(machine, layer.linear[map])
  }
  const width = widthOf(shape)
  const vocabulary = paddedVocabularyOf(shape)
  kernels.packTransposedPanels(model.tokenEmbedding, width * 4, vocabulary, width, model.headPanels, width * 32)
  if (model.headTransposedPanels !== 0) {
    kernels.packPanels(model.tokenEmbedding, width * 4, vocabulary, width, model.headTransposedPanels, vocabulary * 32)
  }
}
