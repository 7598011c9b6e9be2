import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { readFileSync } from "node:fs"
import type { CreditSettings } from "../../src/domain/Settings.js"
import type { Trajectory, Turn } from "../../src/domain/Trajectory.js"
import {
  beliefSteps,
  groupAdvantages,
  groupCredit,
  reshaped,
  type ScoredTrajectory,
  sigmoidChange,
  successPrior,
  trajectoryCredit,
  turnEvidence,
  turnWeights
} from "../../src/stages/CreditAssignment.js"

const paper: CreditSettings = { gamma: 0.95, reshapeLambda: 0.5, weightBound: 0.2, epsilon: 1e-4 }

const turn = (start: number, logprobs: ReadonlyArray<number>, ids = logprobs.length): Turn => ({
  start,
  end: start + ids,
  logprobs,
  command: "look",
  invalidReason: null,
  admissible: true,
  observation: "",
  won: false,
  score: null
})

/** A trajectory whose turn k has one id and evidence `evidence[k]`. */
const played = (reward: number, evidence: ReadonlyArray<number>, won = reward > 0): ScoredTrajectory => ({
  trajectory: {
    gameId: "g",
    split: "train",
    taskType: "t",
    attempt: 0,
    snapshotId: "s",
    task: "",
    initialObservation: "",
    openingCommands: [],
    openingLength: 1,
    ids: [0, ...evidence.map(() => 1)],
    turns: evidence.map((_, k) => turn(k + 1, [0])),
    stopReason: won ? "won" : "max_turns",
    won,
    reward
  } satisfies Trajectory,
  scores: { _tag: "Scored", tokens: evidence.length, logprobs: evidence.map((e) => [e]) }
})

const close = (actual: number, expected: number, tolerance = 1e-9) =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))

describe("golden vectors of an independent high-precision script (golden/credit.py)", () => {
  interface Case {
    readonly gamma: number
    readonly lambda: number
    readonly bound: number
    readonly epsilon: number
    readonly rewards: ReadonlyArray<number>
    readonly evidence: ReadonlyArray<ReadonlyArray<number>>
    readonly expected: ReadonlyArray<{
      readonly advantage: number
      readonly prior: number
      readonly beliefs: ReadonlyArray<number>
      readonly changes: ReadonlyArray<number>
      readonly weights: ReadonlyArray<number>
      readonly advantages: ReadonlyArray<number>
    }>
  }
  const { cases }: { readonly cases: ReadonlyArray<Case> } = JSON.parse(
    readFileSync(new URL("./golden/credit.json", import.meta.url), "utf8")
  )
  it("covers both usual values of ε, saturating evidence and the drift example", () => {
    expect(cases.length).toBe(13)
    expect(new Set(cases.map(({ epsilon }) => epsilon))).toEqual(new Set([1e-4, 1e-6]))
  })
  it.each(cases.map((one, i) => [i, one] as const))("case %i", (_, one) => {
    const credit = groupCredit(one.rewards.map((reward, i) => played(reward, one.evidence[i])), {
      gamma: one.gamma,
      reshapeLambda: one.lambda,
      weightBound: one.bound,
      epsilon: one.epsilon
    })
    credit.forEach((given, i) => {
      const expected = one.expected[i]
      close(given.sequenceAdvantage, expected.advantage)
      close(given.prior, expected.prior)
      given.turns.forEach((of, k) => {
        close(of.belief ?? NaN, expected.beliefs[k])
        // relative in the tails, where the difference of two rounded sigmoids would be noise
        const change = of.beliefChange ?? NaN
        expect(Math.abs(change - expected.changes[k])).toBeLessThanOrEqual(1e-9 * Math.abs(expected.changes[k]))
        close(of.weight, expected.weights[k])
        close(of.advantage, expected.advantages[k])
      })
    })
  })
})

describe("properties (design invariant 3)", () => {
  const evidence = FastCheck.array(FastCheck.double({ min: -60, max: 60, noNaN: true }), { maxLength: 30 })
  const group = FastCheck.array(FastCheck.tuple(FastCheck.boolean(), evidence), { minLength: 1, maxLength: 10 })
  const settings = FastCheck.record({
    gamma: FastCheck.double({ min: 0, max: 1, noNaN: true }),
    reshapeLambda: FastCheck.double({ min: 0, max: 1, noNaN: true }),
    weightBound: FastCheck.double({ min: 0, max: 1, noNaN: true }),
    epsilon: FastCheck.constantFrom(1e-6, 1e-4, 1e-2)
  })
  const creditOf = (turns: ReadonlyArray<readonly [boolean, ReadonlyArray<number>]>, given: CreditSettings) =>
    groupCredit(turns.map(([won, es]) => played(won ? 1 : 0, es)), given)

  it("the advantage keeps its sign and moves by at most λ·b·|A|; everything is finite", () => {
    FastCheck.assert(FastCheck.property(group, settings, (turns, given) => {
      for (const { sequenceAdvantage, turns: credited } of creditOf(turns, given)) {
        for (const { advantage, belief, weight } of credited) {
          const limit = given.reshapeLambda * given.weightBound * Math.abs(sequenceAdvantage)
          expect(Math.abs(advantage - sequenceAdvantage)).toBeLessThanOrEqual(limit + 1e-12)
          expect(advantage * sequenceAdvantage).toBeGreaterThanOrEqual(0)
          expect(Number.isFinite(weight)).toBe(true)
          expect(belief).toSatisfy((b: number) => b >= 0 && b <= 1)
        }
      }
    }))
  })

  it("λ = 0 is the group-relative advantage, bit for bit", () => {
    FastCheck.assert(FastCheck.property(group, settings, (turns, given) => {
      const rewards = turns.map(([won]) => won ? 1 : 0)
      const plain = groupAdvantages(rewards, given.epsilon)
      creditOf(turns, { ...given, reshapeLambda: 0 }).forEach((credit, i) =>
        credit.turns.forEach(({ advantage }) => expect(Object.is(advantage, plain[i])).toBe(true)))
    }))
  })

  it("a constant group has no advantage, whatever the evidence", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(evidence, { minLength: 1 }), FastCheck.boolean(), (es, won) => {
      for (const credit of creditOf(es.map((e) => [won, e] as const), paper)) {
        expect(Object.is(credit.sequenceAdvantage, 0)).toBe(true)
        credit.turns.forEach(({ advantage }) => expect(Object.is(advantage, 0)).toBe(true))
      }
    }))
  })

  it("adding a constant to all q leaves the weights unchanged", () => {
    const changes = FastCheck.array(FastCheck.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 })
    FastCheck.assert(FastCheck.property(changes, FastCheck.double({ min: -1, max: 1, noNaN: true }), (qs, shift) => {
      const before = turnWeights(qs, 1, 0.2, 1e-4)
      const after = turnWeights(qs.map((q) => q + shift), 1, 0.2, 1e-4)
      before.forEach((weight, k) => expect(after[k]).toBeCloseTo(weight, 9))
    }))
  })

  it("ΔB sums to the whole change of belief", () => {
    FastCheck.assert(FastCheck.property(evidence, FastCheck.double({ min: 0, max: 1, noNaN: true }), (es, gamma) => {
      const steps = beliefSteps(es, 0.3, gamma)
      const total = steps.reduce((sum, step) => sum + step.change, 0)
      expect(total).toBeCloseTo((steps.at(-1)?.belief ?? 0.3) - 0.3, 9)
    }))
  })
})

describe("edge cases", () => {
  it("drift: constant negative evidence blames the first turn", () => {
    const [winner, loser] = groupCredit([played(1, Array(6).fill(-3)), played(0, Array(6).fill(-3))], paper)
    expect(winner.turns[0].weight).toBe(0.8)
    expect(loser.turns[0].weight).toBe(1.2)
    winner.turns.slice(1).forEach(({ weight }) => expect(weight).toBeGreaterThan(1.04))
  })
  it("long evidence never overflows and keeps its tiny changes", () => {
    const [step] = beliefSteps([-40], 0.5, 1)
    expect(step.belief).toBeGreaterThan(0)
    expect(sigmoidChange(40, 41)).toBeGreaterThan(0)
    expect(sigmoidChange(40, 41)).toBeLessThan(1e-16)
    expect(sigmoidChange(-800, 800)).toBe(1)
    expect(sigmoidChange(800, -800)).toBe(-1)
  })
  it("a prior at the clip: ε decides how far the weights spread", () => {
    const spread = (epsilon: number) => {
      const steps = beliefSteps([0.5, -0.5, 0.2, 0.1], epsilon, 0.95).map(({ change }) => change)
      const weights = turnWeights(steps, 1, 0.2, epsilon === 1e-4 ? 1e-4 : 1e-6)
      return Math.max(...weights) - Math.min(...weights)
    }
    expect(spread(1e-4)).toBeLessThan(0.25)
    const fine = turnWeights(beliefSteps([0.5, -0.5, 0.2, 0.1], 1e-4, 0.95).map(({ change }) => change), 1, 0.2, 1e-6)
    expect(Math.max(...fine) - Math.min(...fine)).toBeGreaterThan(0.35)
  })
  it("no turns: nothing to credit, nothing divided by zero", () => {
    const [credit] = groupCredit([played(1, []), played(0, [0.5])], paper)
    expect(credit.turns).toEqual([])
    expect(credit.sequenceAdvantage).toBeGreaterThan(0)
  })
  it("a turn without ids is left out of the statistics and recorded", () => {
    const full = played(1, [0.3, 0.9])
    const withGap: ScoredTrajectory = {
      trajectory: {
        ...full.trajectory,
        turns: [full.trajectory.turns[0], turn(2, []), { ...full.trajectory.turns[1] }]
      },
      scores: { _tag: "Scored", tokens: 3, logprobs: [[0.3], [], [0.9]] }
    }
    const [gapped, plain] = [withGap, full].map((one) => trajectoryCredit(one, 1, 0.5, paper))
    expect([gapped.turns[0], gapped.turns[2]]).toEqual(plain.turns)
    expect(gapped.turns[1]).toMatchObject({ evidence: null, weight: 1, rejected: "the action has no ids" })
  })
  it("one turn weighs 1", () => {
    expect(groupCredit([played(1, [5]), played(0, [-5])], paper).map(({ turns }) => turns[0].weight)).toEqual([1, 1])
  })
  it("equal evidence with γ < 1 is not equal credit; no evidence at all is", () => {
    const [equal] = groupCredit([played(1, [1, 1, 1]), played(0, [])], paper)
    expect(new Set(equal.turns.map(({ weight }) => weight)).size).toBe(3)
    const [none] = groupCredit([played(1, [0, 0, 0]), played(0, [])], paper)
    expect(none.turns.map(({ weight }) => weight)).toEqual([1, 1, 1])
  })
  it("rewards that differ by rounding are equal", () => {
    expect(groupAdvantages([0.1, 0.1, 0.1 + 1e-16], 1e-4)).toEqual([0, 0, 0])
    expect(groupAdvantages([0.1 + 0.2, 0.3], 1e-4)).toEqual([0, 0])
  })
  it("a group of one has no advantage", () => {
    expect(groupAdvantages([1], 1e-4)).toEqual([0])
  })
  it("advantages of 0 are never −0", () => {
    for (const credit of groupCredit([played(0, [1, -1]), played(0, [2])], paper)) {
      credit.turns.forEach(({ advantage }) => expect(Object.is(advantage, 0)).toBe(true))
    }
    expect(Object.is(reshaped(0, 0.8, 0.5), 0)).toBe(true)
  })
  it.each([
    ["a missing Teacher value", [-1, -1], [null, -1], "no finite Teacher log-probability for action id 0"],
    ["a NaN of the Teacher", [-1, -1], [-1, NaN], "no finite Teacher log-probability for action id 1"],
    ["an infinity of the Teacher", [-1, -1], [-Infinity, -1], "no finite Teacher log-probability for action id 0"],
    ["too few Teacher values", [-1, -1], [-1], "2 action ids but 1 Teacher log-probabilities"],
    ["too many Teacher values", [-1], [-1, -1], "1 action ids but 2 Teacher log-probabilities"],
    ["an infinity of the student", [-1, -Infinity], [-1, -1], "no finite log-probability for action id 1"]
  ])("invariant 2: %s rejects the turn", (_, student, teacher, reason) => {
    expect(turnEvidence(turn(0, student), teacher)).toEqual({ rejected: reason })
  })
  it("invariant 2: a student whose lengths differ is not trained on; a Teacher's gap leaves the plain advantage", () => {
    const broken: ScoredTrajectory = {
      trajectory: { ...played(1, [0, 0]).trajectory, turns: [turn(1, [-1], 2), turn(3, [-1])] },
      scores: { _tag: "Scored", tokens: 3, logprobs: [[-1, -1], [null]] }
    }
    const { turns } = trajectoryCredit(broken, 0.7, 0.5, paper)
    expect(turns.map(({ advantage }) => advantage)).toEqual([0, 0.7])
    expect(turns.every(({ rejected }) => rejected !== null)).toBe(true)
  })
  it("a reading that does not fit leaves the plain advantage and says so", () => {
    const { turns } = trajectoryCredit({ ...played(1, [1, 2]), scores: { _tag: "TooLong", tokens: 9 } }, 0.5, 0.5, paper)
    expect(turns.map(({ advantage, weight }) => [advantage, weight])).toEqual([[0.5, 1], [0.5, 1]])
    expect(turns[0].rejected).toContain("too long")
  })
  it("a shaped reward enters neither the prior nor the sign of success", () => {
    expect(successPrior([true, false, false, false], 1e-4)).toBe(0.25)
    const group = [played(10, [1, 2], true), played(0.5, [1, 2], false)]
    expect(groupCredit(group, paper)[0].prior).toBe(0.5)
  })
})
