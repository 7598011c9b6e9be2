import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { layerAlfworld, layerGames } from "../../src/alfworld/AlfworldGames.js"
import { type GameText, layerNative } from "../../src/alfworld/NativeEnvironment.js"
import { Environment, EnvironmentError } from "../../src/services/Environment.js"
import { Games } from "../../src/services/Games.js"
import { writeTrials } from "./DataTree.js"
import { smallActions, smallGameText } from "./SmallGame.js"

const game = (id: string) => ({ id, split: "train", taskType: "pick_and_place_simple" })

describe("layerAlfworld", () => {
  it.effect("lists the games of a data root and plays them", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataRoot = yield* fs.makeTempDirectoryScoped()
      yield* writeTrials(dataRoot, { "json_2.1.1/train/a/t1": {}, "json_2.1.1/train/a/t2": { trajectory: null } })
      yield* Effect.gen(function*() {
        const games = yield* Games
        const environment = yield* Environment
        expect(games.source).toBe(`ALFWorld games in ${dataRoot}/json_2.1.1`)
        const { games: listed } = yield* games.list("train")
        expect(listed).toEqual([game("train:a/t1")])
        expect(yield* Effect.flip(games.list("valid_seen"))).toMatchObject({ _tag: "GamesError" })
        yield* writeTrials(dataRoot, { "json_2.1.1/valid_seen/a/t": {} })
        expect((yield* games.list("valid_seen")).games).toHaveLength(1)
        const episode = yield* environment.open(game("train:a/t1"))
        expect(episode.task).toBe("put a ball in chest.")
        expect(episode.initial.score).toBeNull()
        expect(yield* episode.step("walk to chest 1")).toMatchObject({
          text: "Now at chest 1. chest 1 is shut.",
          done: false,
          won: false,
          score: 0
        })
        const missing = yield* Effect.flip(environment.open(game("train:nowhere/t")))
        expect(missing).toMatchObject({ _tag: "EnvironmentError", operation: "open", retryable: false })
        expect(missing.message).toContain("nowhere/t/game.tw-pddl cannot be read")
      }).pipe(Effect.scoped, Effect.provide(layerAlfworld({ dataRoot, indexFolder: false })))
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.effect("lists a split for all who wait when the one who asked first is interrupted", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const dataRoot = yield* fs.makeTempDirectoryScoped()
      yield* writeTrials(dataRoot, { "train/a/t": {} })
      const reading = yield* Deferred.make<void>()
      const readable = yield* Deferred.make<void>()
      const slow = FileSystem.FileSystem.of({
        ...fs,
        readFileString: (path, encoding) =>
          Deferred.succeed(reading, undefined).pipe(
            Effect.zipRight(Deferred.await(readable)),
            Effect.zipRight(fs.readFileString(path, encoding))
          )
      })
      yield* Effect.gen(function*() {
        const games = yield* Games
        const first = yield* Effect.fork(games.list("train"))
        yield* Deferred.await(reading)
        const second = yield* Effect.fork(games.list("train"))
        yield* Effect.yieldNow()
        expect(Exit.isInterrupted(yield* Fiber.interrupt(first))).toBe(true)
        yield* Deferred.succeed(readable, undefined)
        expect((yield* Fiber.join(second)).games).toEqual([game("train:a/t")])
      }).pipe(
        Effect.provide(layerGames({ dataRoot, indexFolder: false })),
        Effect.provideService(FileSystem.FileSystem, slow)
      )
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.effect("fails for a data root that is not there", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Layer.build(layerAlfworld({ dataRoot: "/no/such/folder", indexFolder: false })))
      expect(error.message).toContain("/no/such/folder: there is no such folder.")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})

describe("layerNative", () => {
  const counted = (texts: (id: string) => Effect.Effect<string, EnvironmentError>, keptGames?: number) => {
    const read: Array<string> = []
    const readGame = ({ id }: { readonly id: string }): Effect.Effect<GameText, EnvironmentError> =>
      Effect.map(texts(id), (text) => {
        read.push(id)
        return { text, file: `${id}.tw-pddl` }
      })
    return { read, layer: layerNative(readGame, keptGames === undefined ? {} : { keptGames }) }
  }

  it.effect("reads a game once for all its branches, which share nothing else", () => {
    const { layer, read } = counted(() => Effect.succeed(smallGameText()))
    return Effect.gen(function*() {
      const environment = yield* Environment
      const branches = yield* Effect.all(Array.from({ length: 8 }, () => environment.open(game("train:a"))), {
        concurrency: "unbounded"
      })
      expect(read).toEqual(["train:a"])
      const [first, second] = branches
      yield* first!.step("walk to shelf 1")
      yield* first!.step("take ball 2 from shelf 2")
      expect((yield* first!.step("bag")).text).toBe("Carrying a ball 2.")
      expect((yield* second!.step("bag")).text).toBe("Carrying nothing.")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("gives a game to its other branches when the one that opened it first is interrupted", () =>
    Effect.gen(function*() {
      const reading = yield* Deferred.make<void>()
      const readable = yield* Deferred.make<void>()
      const { layer, read } = counted(() =>
        Deferred.succeed(reading, undefined).pipe(
          Effect.zipRight(Deferred.await(readable)),
          Effect.as(smallGameText())
        )
      )
      yield* Effect.gen(function*() {
        const environment = yield* Environment
        const first = yield* Effect.fork(environment.open(game("train:a")))
        yield* Deferred.await(reading)
        const second = yield* Effect.fork(environment.open(game("train:a")))
        yield* Effect.yieldNow()
        expect(Exit.isInterrupted(yield* Fiber.interrupt(first))).toBe(true)
        yield* Deferred.succeed(readable, undefined)
        expect((yield* Fiber.join(second)).task).toBe("put a ball in chest.")
        expect(read).toEqual(["train:a"])
      }).pipe(Effect.scoped, Effect.provide(layer))
    }))

  it.effect("stops reading when the layer is closed", () =>
    Effect.gen(function*() {
      const reading = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const { layer } = counted(() =>
        Deferred.succeed(reading, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      yield* Effect.gen(function*() {
        const environment = yield* Environment
        const opener = yield* Effect.fork(Effect.scoped(environment.open(game("train:a"))))
        yield* Deferred.await(reading)
        yield* Fiber.interrupt(opener)
        expect(yield* Deferred.isDone(stopped)).toBe(false)
      }).pipe(Effect.provide(layer))
      expect(yield* Deferred.isDone(stopped)).toBe(true)
    }))

  it.effect("keeps a bounded number of games", () => {
    const { layer, read } = counted(() => Effect.succeed(smallGameText()), 3)
    return Effect.gen(function*() {
      const environment = yield* Environment
      const names = Array.from({ length: 10 }, (_, index) => `train:${index}`)
      for (const name of [...names, ...names]) yield* environment.open(game(name))
      expect(read.length).toBeGreaterThan(15)
      yield* environment.open(game("train:9"))
      expect(read.at(-1)).toBe("train:9")
      const before = read.length
      yield* environment.open(game("train:9"))
      expect(read).toHaveLength(before)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("refuses a damaged game for good, saying where the damage is", () => {
    const { layer } = counted(() => Effect.succeed(smallGameText().slice(0, 50)))
    return Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.flatMap(Environment, ({ open }) => open(game("train:a"))))
      expect(error).toMatchObject({ _tag: "EnvironmentError", gameId: "train:a", operation: "open", retryable: false })
      expect(error.message).toContain("train:a.tw-pddl: line 1, column 51: expected valid JSON")
      expect(error.cause).toMatchObject({ _tag: "GameFileError" })
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("asks again after a failure", () => {
    let attempts = 0
    const { layer } = counted((gameId) =>
      Effect.suspend(() => {
        attempts++
        return attempts === 1
          ? Effect.fail(new EnvironmentError({ gameId, operation: "open", reason: "busy", retryable: true }))
          : Effect.succeed(smallGameText())
      })
    )
    return Effect.gen(function*() {
      const environment = yield* Environment
      expect((yield* Effect.flip(environment.open(game("train:a")))).retryable).toBe(true)
      expect((yield* environment.open(game("train:a"))).task).toBe("put a ball in chest.")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("fails a step whose text cannot be made, and stays where it was", () => {
    const actions = smallActions.replace("Carrying [", "#nowhere#[")
    const { layer } = counted(() => Effect.succeed(smallGameText({ actions })))
    return Effect.gen(function*() {
      const episode = yield* Effect.flatMap(Environment, ({ open }) => open(game("train:a")))
      const error = yield* Effect.flip(episode.step("bag"))
      expect(error).toMatchObject({ operation: "step", retryable: false })
      expect(error.message).toContain("the grammar has no rule \"nowhere\"")
      expect((yield* episode.step("look")).text).toBe("Around: nothing.")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
