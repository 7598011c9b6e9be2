import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../shared", import.meta.url))
const announced = new Set<string>()

/**
 * A path inside the data folder that lies beside the checkout (real ALFWorld games, golden traces), or `undefined`
 * with a printed reason where it is absent, so that a test can skip itself: `it.skipIf(dir === undefined)`.
 */
export const sharedDir = (path: string): string | undefined => {
  const full = `${root}/${path}`
  if (existsSync(full)) return full
  if (!announced.has(path)) {
    announced.add(path)
    console.warn(`skipped: ../shared/${path} is not beside this checkout`)
  }
  return undefined
}
