/**
 * Draws learning curves of finished runs as an SVG: success of each update's rollouts, a thin line a run and a thick
 * one for the mean of its arm (runs with equal λ), smoothed over five updates.
 *
 *     npx tsx bench/learning-curve.ts docs/learning-curve.svg runs/a runs/b …
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"

const [output, ...folders] = process.argv.slice(2)
if (output === undefined || folders.length === 0) {
  console.error("usage: learning-curve.ts OUTPUT.svg RUN-FOLDER…")
  process.exit(2)
}

const Config = Schema.parseJson(Schema.Struct({ settings: Schema.Struct({ reshapeLambda: Schema.Number }) }))
const Line = Schema.parseJson(Schema.Struct({ "train/success_rate": Schema.Number }))

const smooth = (values: ReadonlyArray<number>, width = 5): ReadonlyArray<number> =>
  values.map((_, i) => {
    const window = values.slice(Math.max(0, i - width + 1), i + 1)
    return window.reduce((a, b) => a + b, 0) / window.length
  })

const runs = folders.map((folder) => ({
  lambda: Schema.decodeSync(Config)(readFileSync(join(folder, "config.json"), "utf8")).settings.reshapeLambda,
  success: smooth(
    readFileSync(join(folder, "metrics.jsonl"), "utf8").trimEnd().split("\n")
      .map((line) => Schema.decodeSync(Line)(line)["train/success_rate"])
  )
}))

const width = 720
const height = 400
const margin = { left: 64, right: 120, top: 24, bottom: 52 }
const updates = Math.max(...runs.map(({ success }) => success.length))
const x = (update: number) => margin.left + (width - margin.left - margin.right) * (update - 1) / Math.max(1, updates - 1)
const y = (success: number) => height - margin.bottom - (height - margin.top - margin.bottom) * success
const path = (values: ReadonlyArray<number>) =>
  values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i + 1).toFixed(1)} ${y(value).toFixed(1)}`).join("")

const colours = ["#1f6f8b", "#c8553d", "#6a994e", "#7b5ea7"]
const lambdas = [...new Set(runs.map(({ lambda }) => lambda))].sort((a, b) => b - a)
const arms = lambdas.map((lambda, i) => {
  const members = runs.filter((run) => run.lambda === lambda)
  const length = Math.min(...members.map(({ success }) => success.length))
  const average = Array.from({ length }, (_, k) =>
    members.reduce((sum, { success }) => sum + success[k], 0) / members.length)
  const colour = colours[i % colours.length]
  const label = `λ = ${lambda} (${members.length} ${members.length === 1 ? "seed" : "seeds"})`
  const end = average[length - 1]
  return { average, colour, end, label, length, members }
})
// Labels at the ends of lines, kept apart where lines end close together.
let above = Number.NEGATIVE_INFINITY
const labelled = arms.slice().sort((a, b) => b.end - a.end).map((arm) => {
  above = Math.max(y(arm.end), above + 16)
  return { arm, at: above }
})

const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
const updateTicks = Array.from({ length: Math.floor(updates / 5) + 1 }, (_, i) => Math.max(1, i * 5))
writeFileSync(output, [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
  `<rect width="${width}" height="${height}" fill="white"/>`,
  ...ticks.map((tick) =>
    `<path d="M${margin.left} ${y(tick)}H${width - margin.right}" stroke="#ddd"/>` +
    `<text x="${margin.left - 8}" y="${y(tick) + 4}" text-anchor="end" fill="#444">${Math.round(100 * tick)} %</text>`
  ),
  ...updateTicks.map((tick) =>
    `<text x="${x(tick)}" y="${height - margin.bottom + 20}" text-anchor="middle" fill="#444">${tick}</text>`
  ),
  `<text x="${(margin.left + width - margin.right) / 2}" y="${height - 12}" text-anchor="middle" fill="#222">update</text>`,
  `<text x="16" y="${(margin.top + height - margin.bottom) / 2}" text-anchor="middle" fill="#222" ` +
  `transform="rotate(-90 16 ${(margin.top + height - margin.bottom) / 2})">success of rollouts</text>`,
  ...arms.flatMap(({ average, colour, members }) => [
    ...members.map(({ success }) => `<path d="${path(success)}" fill="none" stroke="${colour}" stroke-opacity="0.3"/>`),
    `<path d="${path(average)}" fill="none" stroke="${colour}" stroke-width="2.5"/>`
  ]),
  ...labelled.map(({ arm, at }) =>
    `<text x="${x(arm.length) + 8}" y="${at + 4}" fill="${arm.colour}">${arm.label}</text>`
  ),
  "</svg>",
  ""
].join("\n"))
