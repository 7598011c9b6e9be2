import { defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.js"

/** Long tests: whole runs by real processes, the packed package in a project of its own. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ["test/slow/**/*.test.ts", "test/package/**/*.test.ts"],
      testTimeout: 1_800_000,
      hookTimeout: 600_000,
      // One file at a time: each keeps all cores busy by itself.
      fileParallelism: false
    }
  })
)
