// Builds dist/: the library as modules with declarations (tsc), the command line as one bundle (esbuild).
// With --if-stale it does nothing where dist/ is newer than every source.
import { execFileSync } from "node:child_process"
import { readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc")

/** The newest modification below a path, 0 where there is nothing. */
const newest = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
}

// npm runs `prepare` again when npx first links the checkout; there is nothing to do then.
const sources = ["src", "bin", "package.json", "tsconfig.json", "tsconfig.build.json"]
const builtAt = newest(`${root}dist/cli`)
if (process.argv.includes("--if-stale") && builtAt > Math.max(...sources.map((path) => newest(root + path)))) process.exit()

// Built aside and then swapped in, so that a command that runs meanwhile finds either the old files or the new ones.
const aside = `.build-${process.pid}`

try {
  // Types are checked by `npm run check`; here they would only make every install slower.
  const compilation = [tsc, "-p", "tsconfig.build.json", "--noCheck", "--outDir", `${aside}/dist`]
  execFileSync(process.execPath, compilation, { cwd: root, stdio: "inherit" })

  await build({
    absWorkingDir: root,
    entryPoints: { agentopsd: "src/cli/Main.ts" },
    outdir: `${aside}/dist/cli`,
    bundle: true,
    splitting: true,
    minify: true,
    // Names of classes and functions stay readable in a defect's stack.
    keepNames: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "none",
    logLevel: "warning",
    // Some dependencies are CommonJS and call `require` for Node's own modules.
    banner: {
      js: `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`
    }
  })

  rmSync(`${root}${aside}/old`, { recursive: true, force: true })
  if (statSync(`${root}dist`, { throwIfNoEntry: false }) !== undefined) renameSync(`${root}dist`, `${root}${aside}/old`)
  renameSync(`${root}${aside}/dist`, `${root}dist`)
} finally {
  rmSync(`${root}${aside}`, { recursive: true, force: true })
}
