import type { PlatformError } from "@effect/platform/Error"
import { RunStoreError } from "../services/RunStore.js"

const fixes: Readonly<Record<string, string>> = {
  NotFound: "Check that the path is right and nothing removed it",
  PermissionDenied: "Give this user the right to read and write there, or choose another place",
  BadResource: "Choose a path where every folder is a folder and the file is a file"
}

const otherFix = "Check that the disk is there, writable and not full; what was recorded before is kept"

const fileFailure = (path: string, tried: string, error: PlatformError): RunStoreError => {
  const known = error._tag === "SystemError"
  return new RunStoreError({
    path,
    reason: `it could not be ${tried} (${known ? error.description ?? error.reason : error.message})`,
    fix: `${known ? fixes[error.reason] ?? otherFix : otherFix}.`,
    cause: error
  })
}

/** Tells by file what the file system refused while it was read. */
export const cannotRead = (path: string) => (error: PlatformError) => fileFailure(path, "read", error)

/** Tells by file what the file system refused while it was written. */
export const cannotWrite = (path: string) => (error: PlatformError) => fileFailure(path, "written", error)
