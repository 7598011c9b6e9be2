// Which folder of src/ may import which. Arrows run one way:
//   domain <- services <- stages <- programs
// The folders with Layers stand beside stages and see domain and services only; cli sees everything.

const rooms = {
  domain: [],
  services: ["domain"],
  stages: ["domain", "services"],
  programs: ["domain", "services", "stages"],
  alfworld: ["domain", "services"],
  files: ["domain", "services"],
  testing: ["domain", "services"],
  household: ["domain", "services", "alfworld"],
  embedded: ["domain", "services", "alfworld", "household"]
}

const folderRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `${room}-imports`,
  comment: `src/${room} may import ${["itself", ...allowed].join(", ")} of src/`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: { path: "^src/", pathNot: `^src/(${[room, ...allowed].join("|")})/` }
}))

/** Nothing outside cli may depend on what only the bundled command line brings along. */
const published = {
  name: "published-code-needs-only-peers",
  comment: "the library may import effect, @effect/platform and Node's own modules",
  severity: "error",
  from: { path: "^src/", pathNot: "^src/cli/" },
  to: {
    dependencyTypesNot: ["core", "local"],
    pathNot: ["^src/", "^node_modules/effect/", "^node_modules/@effect/platform/"]
  }
}

const pureDomain = {
  name: "domain-is-plain",
  comment: "src/domain holds data and pure functions: no I/O, no platform",
  severity: "error",
  from: { path: "^src/domain/" },
  to: { dependencyTypes: ["core"] }
}

module.exports = {
  forbidden: [
    ...folderRules,
    published,
    pureDomain,
    {
      name: "no-cycles",
      comment: "modules may not need each other to load; types may",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } }
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "effect-by-module",
      comment: "import effect/Effect, not the root: the command line's bundle stays small",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^node_modules/(effect|@effect/[^/]+)/dist/(cjs|esm|dts)/index\\.(js|d\\.ts)$" }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^src/embedded/kernels/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] }
  }
}
