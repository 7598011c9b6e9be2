import type { PlatformError } from "@effect/platform/Error"
import { RunStoreError } from "../services/RunStore.js"

const fixes: Readonly<Record<string, string>> = {
  NotFound: "Check that the path is right and nothing removed it",
  PermissionDenied: "Give this user the right to read and write there, or choose another place",
  BadResource: "Choose a path where every folder is a folder and the file is a file"
}

const otherFix = "Check that the disk is there, writable and not full; what was recorded before is kept"

/** What the file system refused, told by file: `doing` is what was tried ("be written"). */
export const fileFailure = (path: string, doing: string) => (error: PlatformError): RunStoreError =>
  new RunStoreError({
    path,
    reason: `it could not ${doing} (${error._tag === "SystemError" ? error.description ?? error.reason : error.message})`,
    fix: `${error._tag === "SystemError" ? fixes[error.reason] ?? otherFix : otherFix}.`,
    cause: error
  })

/** What reading and writing a file's failures say: see `fileFailure`. */
export const cannotRead = (path: string) => fileFailure(path, "be read")
export const cannotWrite = (path: string) => fileFailure(path, "be written")
