import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = fileURLToPath(new URL("./src", import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^agentopsd$/, replacement: `${source}/index.ts` },
      { find: /^agentopsd\/(\w+)$/, replacement: `${source}/$1/index.ts` }
    ]
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/slow/**", "test/package/**"],
    testTimeout: 60_000,
    hookTimeout: 120_000
  }
})
