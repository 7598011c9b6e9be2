import { SystemError, type SystemErrorReason } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { dirname } from "node:path"

interface FileNode {
  readonly kind: "file"
  bytes: Uint8Array
  /** What is on the disk: the bytes at the last sync. */
  durable: Uint8Array
}

type Node = FileNode | { readonly kind: "folder" }

/** Every operation that changes something counts as one; the process ends at the one with this number. */
export interface Session {
  readonly crashAt?: number
  /** Runs before each operation, reading ones included. */
  readonly pause?: Effect.Effect<void>
}

const nothing = new Uint8Array(0)

const failure = (method: string, path: string, reason: SystemErrorReason) =>
  Effect.fail(
    new SystemError({ module: "FileSystem", method, reason, pathOrDescriptor: path, description: `${reason}: ${path}` })
  )

/**
 * A disk in memory that knows what a real one would still hold after the process was killed or the power failed:
 * file contents are durable after the file's sync, names after their folder's.
 */
export class MemoryDisk {
  private entries: Map<string, Node>
  private durable: Map<string, Node>

  constructor(entries: ReadonlyMap<string, Node> = new Map([["/", { kind: "folder" }]])) {
    this.entries = new Map(entries)
    this.durable = new Map(entries)
  }

  /** Texts of all files by path. */
  files(): Record<string, string> {
    return Object.fromEntries(
      [...this.entries].flatMap(([path, node]) =>
        node.kind === "file" ? [[path, new TextDecoder().decode(node.bytes)]] : []
      ).sort()
    )
  }

  text(path: string): string | undefined {
    return this.files()[path]
  }

  write(path: string, text: string): void {
    const bytes = new TextEncoder().encode(text)
    this.addFolders(dirname(path))
    for (const names of [this.entries, this.durable]) names.set(path, { kind: "file", bytes, durable: bytes })
  }

  private addFolders(path: string): void {
    if (this.entries.has(path)) return
    this.addFolders(dirname(path))
    for (const names of [this.entries, this.durable]) names.set(path, { kind: "folder" })
  }

  /** The disk as the next process finds it: after a kill everything written, after a power failure what was synced. */
  after(end: "kill" | "power failure"): MemoryDisk {
    const names = end === "kill" ? this.entries : this.durable
    const reachable = (path: string): boolean => path === "/" || (names.has(dirname(path)) && reachable(dirname(path)))
    const found = new Map<string, Node>()
    for (const [path, node] of names) {
      if (!reachable(path)) continue
      if (node.kind === "folder") {
        found.set(path, node)
      } else {
        const bytes = end === "kill" ? node.bytes : node.durable
        found.set(path, { kind: "file", bytes, durable: bytes })
      }
    }
    return new MemoryDisk(found)
  }

  /** A process's view of the disk. `operations` tells how many changing operations it has made. */
  open(session: Session = {}): { readonly fileSystem: FileSystem.FileSystem; readonly operations: () => number } {
    const { entries } = this
    let operations = 0
    let crashed = false
    const pause = session.pause ?? Effect.void

    const look = <A, E>(effect: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.zipRight(pause, Effect.suspend(() => crashed ? Effect.die("crashed") : effect()))

    const change = <A, E>(effect: () => Effect.Effect<A, E>, half?: () => void): Effect.Effect<A, E> =>
      look(() => {
        if (operations === session.crashAt) {
          crashed = true
          half?.()
          return Effect.die("crashed")
        }
        operations++
        return effect()
      })

    const fileAt = (method: string, path: string) => {
      const node = entries.get(path)
      return node === undefined || node.kind === "folder"
        ? failure(method, path, node === undefined ? "NotFound" : "BadResource")
        : Effect.succeed(node)
    }

    const syncFolder = (folder: string) => {
      for (const path of this.durable.keys()) {
        if (dirname(path) === folder && path !== folder && !entries.has(path)) this.durable.delete(path)
      }
      for (const [path, node] of entries) if (dirname(path) === folder) this.durable.set(path, node)
    }

    const handle = (path: string, node: Node): FileSystem.File => {
      const fileNode = node.kind === "file" ? node : { kind: "file" as const, bytes: nothing, durable: nothing }
      let position = 0
      const append = (bytes: Uint8Array) => {
        fileNode.bytes = Buffer.concat([fileNode.bytes, bytes])
      }
      return {
        [FileSystem.FileTypeId]: FileSystem.FileTypeId,
        fd: FileSystem.FileDescriptor(0),
        stat: Effect.die("not part of this disk"),
        read: () => Effect.die("not part of this disk"),
        write: () => Effect.die("not part of this disk"),
        seek: (offset) =>
          Effect.sync(() => {
            position = Number(offset)
          }),
        readAlloc: (size) =>
          look(() => {
            const bytes = fileNode.bytes.slice(position, position + Number(size))
            position += bytes.length
            return Effect.succeed(bytes.length === 0 ? Option.none() : Option.some(bytes))
          }),
        truncate: (length) =>
          change(() => Effect.sync(() => {
            fileNode.bytes = fileNode.bytes.slice(0, Number(length ?? 0))
          })),
        writeAll: (bytes) =>
          change(
            () => Effect.sync(() => append(bytes)),
            () => append(bytes.subarray(0, Math.floor(bytes.length / 2)))
          ),
        sync: change(() =>
          Effect.sync(() => {
            if (node.kind === "folder") syncFolder(path)
            else node.durable = node.bytes
          })
        )
      }
    }

    const create = (method: string, path: string) =>
      Effect.suspend(() => {
        if (!entries.has(dirname(path))) return failure(method, path, "NotFound")
        const node: FileNode = { kind: "file", bytes: nothing, durable: nothing }
        entries.set(path, node)
        return Effect.succeed(node)
      })

    const openFile = (path: string, flag: string): Effect.Effect<FileSystem.File, SystemError> => {
      const node = entries.get(path)
      if (flag === "r" || flag === "r+") {
        return look(() => node === undefined ? failure("open", path, "NotFound") : Effect.succeed(handle(path, node)))
      }
      if (node?.kind === "folder") return failure("open", path, "BadResource")
      if (flag === "a" && node !== undefined) return look(() => Effect.succeed(handle(path, node)))
      return change(() =>
        Effect.map(node === undefined ? create("open", path) : Effect.succeed(node), (opened) => {
          if (flag === "w") opened.bytes = nothing
          return handle(path, opened)
        })
      )
    }

    const fileSystem = FileSystem.make({
      ...FileSystem.makeNoop({}),
      access: (path) => look(() => entries.has(path) ? Effect.void : failure("access", path, "NotFound")),
      stat: (path) =>
        look(() => {
          const node = entries.get(path)
          if (node === undefined) return failure("stat", path, "NotFound")
          return Effect.succeed({
            type: node.kind === "file" ? "File" as const : "Directory" as const,
            size: FileSystem.Size(node.kind === "file" ? node.bytes.length : 0),
            mtime: Option.none(),
            atime: Option.none(),
            birthtime: Option.none(),
            dev: 0,
            rdev: Option.none(),
            ino: Option.none(),
            mode: 0,
            nlink: Option.none(),
            uid: Option.none(),
            gid: Option.none(),
            blksize: Option.none(),
            blocks: Option.none()
          })
        }),
      readFile: (path) => look(() => Effect.map(fileAt("readFile", path), (node) => node.bytes)),
      readDirectory: (path) =>
        look(() =>
          entries.has(path)
            ? Effect.succeed(
              [...entries.keys()].filter((entry) => entry !== path && dirname(entry) === path)
                .map((entry) => entry.slice(path.length + (path === "/" ? 0 : 1)))
            )
            : failure("readDirectory", path, "NotFound")
        ),
      makeDirectory: (path) =>
        change(() =>
          Effect.sync(() => {
            if (!entries.has(path)) entries.set(path, { kind: "folder" })
          })
        ),
      open: (path, options) => Effect.suspend(() => openFile(path, options?.flag ?? "r")),
      remove: (path) =>
        change(() =>
          Effect.sync(() => {
            entries.delete(path)
          })
        ),
      rename: (from, to) =>
        change(() =>
          Effect.map(fileAt("rename", from), (node) => {
            entries.delete(from)
            entries.set(to, node)
          })
        ),
      link: (from, to) =>
        change(() =>
          entries.has(to)
            ? failure("link", to, "AlreadyExists")
            : Effect.map(fileAt("link", from), (node) => {
              entries.set(to, node)
            })
        )
    })
    return { fileSystem, operations: () => operations }
  }
}
