import { describe, expect, it } from "vitest"
import { decodeIds, marker } from "../../../src/embedded/chat/Vocabulary.js"
import { demonstrations, firstClonedGame, type Portion } from "../../../src/embedded/cloning/CloningData.js"
import type { Example } from "../../../src/embedded/cloning/Demonstration.js"
import { recipes } from "../../../src/embedded/cloning/Recipes.js"
import { defaultTrainGames } from "../../../src/household/index.js"

const careful: Portion["style"] = {
  player: "expert",
  noise: 0,
  slips: 0.5,
  repeats: 3,
  learnNoise: false,
  wandering: 0,
  keepLost: false
}

const portionOf = (style: Partial<Portion["style"]>, rest: Partial<Portion> = {}): Portion => ({
  share: 1,
  style: { ...careful, ...style },
  hinted: false,
  onlyPickTwo: false,
  ...rest
})

const take = (portions: ReadonlyArray<Portion>, count: number, options: { seed?: number; maxTokens?: number } = {}) => {
  const source = demonstrations(
    { name: "test", portions },
    { seed: options.seed ?? 0, firstGame: firstClonedGame, maxTokens: options.maxTokens ?? 1024 }
  )
  return Array.from({ length: count }, () => source.next().value)
}

/** The actions of an example with the weights of their ids. */
const actionsOf = ({ ids, weights }: Example): ReadonlyArray<{ readonly text: string; readonly weight: number }> => {
  const actions: Array<{ text: string; weight: number }> = []
  ids.forEach((id, index) => {
    if (id !== marker.action) return
    const end = ids.indexOf(marker.end, index)
    if (end < 0) return
    const inside = new Set(weights.slice(index + 1, end + 1))
    expect(inside.size).toBe(1)
    actions.push({ text: decodeIds(ids.slice(index + 1, end)), weight: weights[index + 1] })
  })
  return actions
}

describe("demonstrations", () => {
  it("are the same again for the same seed, and others for another", () => {
    const portions = recipes.strong[0].portions
    expect(take(portions, 20)).toEqual(take(portions, 20))
    expect(take(portions, 3, { seed: 1 })).not.toEqual(take(portions, 3))
  })

  it("go on where a phase has ended", () => {
    const portions = [portionOf({})]
    const [first, second] = take(portions, 2)
    const later = demonstrations(
      { name: "test", portions },
      { seed: 0, firstGame: first.nextGame, maxTokens: 1024 }
    )
    expect(later.next().value).toEqual(second)
  })

  it("use none of the listed training games", () => {
    expect(firstClonedGame).toBeGreaterThan(10 * defaultTrainGames)
  })

  it("weigh actions 1 and everything else 0.1, and hold no unknown word", () => {
    for (const example of take([portionOf({})], 20)) {
      expect(example.ids.length).toBe(example.weights.length)
      expect(example.ids).not.toContain(marker.unknown)
      expect(actionsOf(example).every(({ weight }) => weight === 1)).toBe(true)
      const others = example.weights.filter((weight) => weight !== 1)
      expect(new Set(others)).toEqual(new Set([0.1]))
      expect(example.ids.at(-1)).toBe(marker.end)
    }
  })

  it("leave noise out of the loss unless it is to be learnt", () => {
    const masked = take([portionOf({ noise: 0.4 })], 20).flatMap(actionsOf)
    const share = masked.filter(({ weight }) => weight === 0).length / masked.length
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.65)
    const learnt = take([portionOf({ noise: 0.4, learnNoise: true, keepLost: true })], 20).flatMap(actionsOf)
    expect(learnt.every(({ weight }) => weight === 1)).toBe(true)
  })

  it("leave aimless search out of the loss and still end with the goal", () => {
    const examples = take([portionOf({ wandering: 30 })], 20)
    const plain = take([portionOf({})], 20)
    const lengthOf = (list: ReadonlyArray<Example>): number => list.reduce((sum, { ids }) => sum + ids.length, 0)
    expect(lengthOf(examples)).toBeGreaterThan(1.3 * lengthOf(plain))
    for (const actions of examples.map(actionsOf)) {
      const lastMasked = actions.findLastIndex(({ weight }) => weight === 0)
      expect(actions.slice(0, lastMasked + 1).every(({ weight }) => weight === 0)).toBe(true)
      expect(actions.at(-1)?.weight).toBe(1)
    }
  })

  it("stand behind a hint of weight 0 where asked", () => {
    for (const { ids, weights } of take([portionOf({}, { hinted: true })], 5)) {
      expect(ids.slice(0, 2)).toEqual([marker.start, marker.hint])
      const end = ids.indexOf(marker.hintEnd)
      expect(weights.slice(0, end + 1).every((weight) => weight === 0)).toBe(true)
      expect(ids[end + 1]).toBe(marker.task)
    }
  })

  it("keep to tasks for two objects where asked", () => {
    for (const { ids } of take([portionOf({}, { onlyPickTwo: true })], 10)) {
      expect(decodeIds(ids)).toMatch(/<task> (?:put two|find two)/)
    }
  })

  it("are never longer than the context, and cut where lost games are kept", () => {
    const cut = take([portionOf({ player: "novice", noise: 0.6, keepLost: true })], 30, { maxTokens: 200 })
    expect(cut.every(({ ids }) => ids.length <= 200)).toBe(true)
    const won = take([portionOf({ noise: 0.3 })], 10, { maxTokens: 120 })
    expect(won.every(({ ids }) => ids.length <= 120 && ids.at(-1) === marker.end)).toBe(true)
  })

  it("end with an error where no game ever gives one", () => {
    const play = () => take([portionOf({})], 1, { maxTokens: 5 })
    expect(play).toThrow(/"test".*1000 games.*at most 5 tokens.*portion 0/)
  })
})
