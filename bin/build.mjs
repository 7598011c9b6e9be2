// Builds dist/: the library as modules with declarations (tsc), the command line as one bundle (esbuild).
// With --if-stale it does nothing where dist/ is newer than every source.
import { execFileSync } from "node:child_process"
import { readdirSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc")

const newest = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
}

// npm runs `prepare` again when npx first links the checkout; the bundle is written last, so its time is the build's.
const sources = ["src", "bin", "package.json", "tsconfig.json", "tsconfig.build.json"]
const builtAt = newest(`${root}dist/cli/agentopsd.js`)
if (process.argv.includes("--if-stale") && builtAt > Math.max(...sources.map((path) => newest(root + path)))) process.exit()

rmSync(`${root}dist`, { recursive: true, force: true })

// Types are checked by `npm run check`; here they would only make every install slower.
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--noCheck"], { cwd: root, stdio: "inherit" })

await build({
  absWorkingDir: root,
  entryPoints: { agentopsd: "src/cli/Main.ts" },
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  minify: true,
  // Span and fiber names, and class names in a defect's stack, stay readable.
  keepNames: true,
  platform: "node",
  format: "esm",
  target: "node20",
  legalComments: "none",
  logLevel: "warning",
  // Some dependencies are CommonJS and call `require` for Node's own modules.
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' }
})
