import { OURS } from './benchmark.ts'
import type { Benchmark, Figures } from './benchmark.ts'
import { speedBeside } from './goals.ts'

export const HEADINGS = ['id', 'what', 'ours', 'limit', 'peers', 'goal', 'met']
export const COMPARED_HEADINGS = ['id', 'what', 'now', 'before', 'before ÷ now']

/**
 * One benchmark's line of the table. A ratio says how many times as fast as the other ours is,
 * first by what the benchmark counts, then by the other clock (wall or CPU).
 */
export function rowOf(benchmark: Benchmark, figures: Figures): readonly string[] {
  const { id, what, unit, yields, costs = 'ns', limit, peers, goals } = benchmark
  const ours = yieldOf(figures, OURS)
  const difference = (name: string) =>
    yieldOf(figures, name) === ours ? '' : `, ${yieldOf(figures, name)} ${yields}`
  const otherClock = (name: string) => {
    const clock = figures.get(name)?.otherClock
    return clock && costs === 'ns' ? `, ${clock.name} ${digits(clock.timesOurs)}×` : ''
  }
  const describe = (name: string, remark = '') => {
    const ratios = `${digits(speedBeside(figures, name))}×${otherClock(name)}`
    return `${name} ${costOf(figures, name)} ${costs} (${ratios}${remark})`
  }
  return [
    id,
    what,
    `${costOf(figures, OURS)} ${costs}/${unit}, ${ours} ${yields}`,
    limit ? describe(limit.name) : '–',
    peers.map(({ name }) => describe(name, difference(name))).join('; ') || '–',
    goals.map((goal) => goal.text).join(', ') || '–',
    goals.map((goal) => (goal.isMet(figures) ? 'yes' : 'no')).join(', ') || '–',
  ]
}

/** One line of a comparison with an earlier commit: above 1 where today's is quicker. */
export function comparedRowOf(
  { id, what, unit, costs = 'ns' }: Benchmark,
  figures: Figures,
  commit: string,
): readonly string[] {
  const [low = Number.NaN, high = Number.NaN] = figures.get(commit)?.timesOursRange ?? []
  return [
    id,
    what,
    `${costOf(figures, OURS)} ${costs}/${unit}`,
    `${costOf(figures, commit)} ${costs} at ${commit}`,
    `${digits(speedBeside(figures, commit))} [${digits(low)}–${digits(high)}]`,
  ]
}

/** A Markdown table whose columns line up as plain text too. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

function yieldOf(figures: Figures, name: string): number {
  return figures.get(name)?.yielded ?? Number.NaN
}

function costOf(figures: Figures, name: string): string {
  return digits(figures.get(name)?.costPerUnit ?? Number.NaN)
}

/** Three digits say all that a measurement here can. */
function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
