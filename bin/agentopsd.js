#!/usr/bin/env node
try {
  await import("../dist/cli/agentopsd.js")
} catch (error) {
  if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error
  console.error(`error: agentopsd is not built yet: run "npm run build" in ${new URL("..", import.meta.url).pathname}`)
  process.exitCode = 1
}
