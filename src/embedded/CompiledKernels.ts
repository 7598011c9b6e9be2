import type { KernelsModule } from "./Kernels.js"
import { compileKernels } from "./Kernels.js"
import { kernelsWasm } from "./kernelsWasm.js"

/** Compiles the kernels that come with the package. */
export const compiledKernels = (): KernelsModule => compileKernels(Buffer.from(kernelsWasm, "base64"))
