/** A byte offset into the engine's memory. */
export type Address = number

/** The WebAssembly kernels (documented in `kernels/`). Addresses and strides are in bytes, counts in elements. */
export interface Kernels {
  readonly matmul: (
    a: Address,
    aStride: number,
    rows: number,
    inner: number,
    panels: Address,
    panelStride: number,
    columns: number,
    c: Address,
    cStride: number,
    accumulate: boolean
  ) => void
  readonly packPanels: (
    source: Address,
    sourceStride: number,
    inner: number,
    columns: number,
    panels: Address,
    panelStride: number
  ) => void
  readonly packTransposedPanels: (
    source: Address,
    sourceStride: number,
    columns: number,
    inner: number,
    panels: Address,
    panelStride: number
  ) => void
  readonly transpose: (
    source: Address,
    sourceStride: number,
    rows: number,
    columns: number,
    target: Address,
    targetStride: number
  ) => void
  readonly rmsNorm: (x: Address, rows: number, width: number, gain: Address, y: Address, scales: Address) => void
  readonly rmsNormBackward: (
    x: Address,
    rows: number,
    width: number,
    gain: Address,
    scales: Address,
    dy: Address,
    dx: Address,
    dGain: Address
  ) => void
  readonly gelu: (x: Address, count: number, y: Address) => void
  readonly geluBackward: (x: Address, count: number, d: Address) => void
  readonly rotate: (
    x: Address,
    stride: number,
    rows: number,
    heads: number,
    positions: Address,
    cosines: Address,
    sines: Address,
    sign: 1 | -1
  ) => void
  readonly softmax: (row: Address, count: number, padded: number, scale: number, maxAndSum: Address) => void
  readonly storeKeysValues: (
    qkv: Address,
    stride: number,
    rows: number,
    heads: number,
    position: number,
    keys: Address,
    values: Address,
    capacity: number
  ) => void
  readonly attention: (
    qkv: Address,
    stride: number,
    rows: number,
    heads: number,
    position: number,
    keys: Address,
    values: Address,
    capacity: number,
    scores: Address,
    out: Address,
    outStride: number
  ) => void
  readonly attentionBackward: (
    qkv: Address,
    stride: number,
    rows: number,
    heads: number,
    dOut: Address,
    dOutStride: number,
    dQkv: Address,
    work: Address
  ) => void
  readonly addScaled: (y: Address, x: Address, count: number, a: number) => void
  readonly adam: (
    parameters: Address,
    gradients: Address,
    firstMoments: Address,
    secondMoments: Address,
    count: number,
    learningRate: number,
    beta1: number,
    beta2: number,
    correction1: number,
    correction2: number,
    epsilon: number,
    gradientScale: number,
    weightDecay: number
  ) => void
}

/** The parts of WebAssembly's interface that are used; neither TypeScript's ES library nor Node's types declare it. */
interface WasmMemory {
  readonly buffer: SharedArrayBuffer
}
interface WasmInterface {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => WasmMemory
  readonly Instance: new (module: object, imports: { env: { memory: WasmMemory } }) => { readonly exports: Kernels }
}
declare const WebAssembly: WasmInterface

/** Memory shared by the main thread and the workers, with the two views the code uses. */
export type EngineMemory = WasmMemory

const pageBytes = 65_536

/** Zeroed shared memory of at least `bytes` bytes; pages cost nothing until they are written. */
export const makeMemory = (bytes: number): EngineMemory => {
  const pages = Math.ceil(bytes / pageBytes)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

/** Largest memory the kernels were compiled for. */
export const maximumMemoryBytes = 16_384 * pageBytes

/** A compiled module; it can be sent to a worker. */
export type KernelsModule = object

/** Compiles the module's bytes (a few milliseconds). */
export const compileKernels = (bytes: Uint8Array): KernelsModule => new WebAssembly.Module(bytes)

/** The kernels, working on this memory; every thread makes its own. */
export const instantiateKernels = (module: KernelsModule, memory: EngineMemory): Kernels =>
  new WebAssembly.Instance(module, { env: { memory } }).exports
