import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Game } from "../domain/Game.js"
import type { Environment } from "../services/Environment.js"
import { Games, type GamesError } from "../services/Games.js"
import { locateSplits } from "./DataRoot.js"
import { type DiscoveredGames, describeSkipReason, discoverGames } from "./Discovery.js"
import { defaultIndexFolder } from "./DiscoveryIndex.js"
import { gameFileName } from "./GameFolders.js"
import { layerNative, type NativeEnvironmentOptions, readGameFile } from "./NativeEnvironment.js"
import { makeSharedLookup } from "./SharedLookup.js"

export interface AlfworldOptions extends NativeEnvironmentOptions {
  /** ALFWorld's cache root (which holds `json_2.1.1`), `json_2.1.1` itself, or the folder of one split. */
  readonly dataRoot: string
  /**
   * Where to keep the index of games between runs: the operating system's cache folder by default, `false` for
   * nowhere.
   */
  readonly indexFolder?: string | false
}

/**
 * The games of an ALFWorld data tree. A split is searched when it is first listed; what had to be left out is logged,
 * and can be had with `discoverGames`.
 */
export const layerGames = (
  options: AlfworldOptions
): Layer.Layer<Games, GamesError, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(
    Games,
    Effect.gen(function*() {
      const splitsFolder = yield* locateSplits(options.dataRoot)
      const indexFolder = options.indexFolder === false
        ? undefined
        : options.indexFolder ?? (yield* defaultIndexFolder())
      const discovered = yield* makeSharedLookup({
        capacity: 16,
        lookup: (split: string) => Effect.tap(discoverGames({ splitsFolder, split, indexFolder }), logSkipped(split))
      })
      return Games.of({
        source: `ALFWorld games in ${splitsFolder}`,
        list: discovered
      })
    })
  )

const logSkipped = (split: string) => ({ games, skipped }: DiscoveredGames): Effect.Effect<void> =>
  Effect.forEach(
    skipped,
    ({ count, example, reason }) =>
      Effect.logDebug(
        `${split}: beside ${games.length} games, ${count} ${describeSkipReason[reason]}, such as ${example}`
      ),
    { discard: true }
  )

/** Plays the games of an ALFWorld data tree with the native engine. */
export const layerEnvironment = (
  options: AlfworldOptions
): Layer.Layer<Environment, GamesError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.gen(function*() {
      const path = yield* Path.Path
      const splitsFolder = yield* locateSplits(options.dataRoot)
      return layerNative(readGameFile((game) => gameFile(path, splitsFolder, game)), options)
    })
  )

/** An id is `<split>:<path of the trial folder under the split>`. */
const gameFile = (path: Path.Path, splitsFolder: string, game: Game): string =>
  path.join(splitsFolder, game.split, game.id.slice(game.split.length + 1), gameFileName)

/** Games and Environment of one ALFWorld data tree. */
export const layerAlfworld = (
  options: AlfworldOptions
): Layer.Layer<Games | Environment, GamesError, FileSystem.FileSystem | Path.Path> =>
  Layer.merge(layerGames(options), layerEnvironment(options))
