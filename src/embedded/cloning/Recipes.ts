import type { Phase, Portion } from "./CloningData.js"

const careful = {
  player: "expert",
  noise: 0.12,
  slips: 0.5,
  repeats: 3,
  learnNoise: false,
  wandering: 0,
  keepLost: false
} as const

const portion = (share: number, changes: Partial<Portion["style"]>, rest: Partial<Portion> = {}): Portion => ({
  share,
  style: { ...careful, ...changes },
  hinted: false,
  onlyPickTwo: false,
  ...rest
})

/** What both models begin with: the expert's demonstrations, with slips left out of the loss. */
const plain: Phase = {
  name: "start, plain",
  tokens: 2_000_000,
  learningRate: 2e-3,
  batchTokens: 4_000,
  portions: [
    portion(0.15, { noise: 0 }),
    portion(0.85, {})
  ]
}

/**
 * As good as cloning makes a small model: beside the plain demonstrations long searches in vain, slips repeated
 * several times, more pick-two games, and demonstrations behind a hint; then plain ones again, in smaller steps.
 */
const strong: ReadonlyArray<Phase> = [
  plain,
  {
    name: "strong, rich",
    tokens: 7_000_000,
    learningRate: 2e-3,
    batchTokens: 4_000,
    portions: [
      portion(0.1, { noise: 0 }),
      portion(0.38, {}),
      portion(0.2, {}, { hinted: true }),
      portion(0.12, { wandering: 30, noise: 0.1 }),
      portion(0.15, { noise: 0.15 }, { onlyPickTwo: true })
    ]
  },
  {
    name: "strong, long",
    tokens: 5_000_000,
    learningRate: 1.5e-3,
    batchTokens: 2_000,
    portions: [
      portion(0.15, { noise: 0 }),
      portion(0.55, { repeats: 0 }),
      portion(0.1, { repeats: 0 }, { hinted: true }),
      portion(0.2, { repeats: 0 }, { onlyPickTwo: true })
    ]
  }
]

/**
 * A beginner that the hint helps. Behind a hint every demonstration is the expert's; without, half are a sloppy
 * player's whose mistakes are learnt.
 */
const start: ReadonlyArray<Phase> = [
  plain,
  {
    name: "start, mixed",
    tokens: 1_150_000,
    learningRate: 2e-3,
    batchTokens: 4_000,
    portions: [
      portion(0.25, {}),
      portion(0.25, { player: "novice", noise: 0.5, learnNoise: true, keepLost: true }),
      portion(0.5, {}, { hinted: true })
    ]
  }
]

/** How each base model is made. */
export const recipes = { start, strong } as const

export type BaseModelName = keyof typeof recipes
