import { PolicyError } from "../services/Policy.js"
import type { EngineError } from "./Engine.js"

/** The backend's name in errors and records. */
export const backend = "embedded"

/** The request cannot be granted as it is. */
export const refused = (operation: string, reason: string, fix: string): PolicyError =>
  new PolicyError({ backend, operation, reason, fix, kind: "refused" })

/** The weights give no usable numbers any more. */
export const destroyed = (operation: string, reason: string): PolicyError =>
  new PolicyError({
    backend,
    operation,
    reason,
    fix: "Resume from the last saved state with a lower learning rate",
    kind: "corrupt"
  })

/** The engine failed; `kind` says whether the call may be sent again. */
export const engineFailed = (operation: string, kind: PolicyError["kind"]) => (error: EngineError): PolicyError =>
  new PolicyError({ backend, operation, reason: error.reason, fix: error.fix, kind, cause: error })
