import type { Promised } from './promises.ts'

/** What one test file measured of one promise, and in which run. */
export interface Measurement {
  readonly id: string
  readonly file: string
  readonly figure: string
  readonly run: string
}

/** The row of a run in the second table: its name and where it ran. */
export interface Machine {
  readonly run: string
  readonly machine: string
}

export interface Page {
  readonly measurements: readonly Measurement[]
  readonly machines: readonly Machine[]
}

export interface Shown {
  readonly promises: readonly Promised[]
  /** The files of tests that name a promise in a title. */
  readonly filesOf: (id: string) => readonly string[]
  readonly mutantsOf: (id: string) => readonly string[]
}

const NOT_MEASURED = 'not measured'
const LINE_BREAK = '<br>'
const PROMISE_CELLS = 8
const RUN_CELLS = 2
const BEGINS_WITH_DAY = /^\d{4}-\d{2}-\d{2} /

/** Reads what `writePage` wrote. */
export function readPage(text: string): Page {
  const rows = text.split('\n').flatMap((line) => {
    return line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []
  })
  return {
    measurements: rows.filter((cells) => cells.length === PROMISE_CELLS).flatMap(measured),
    machines: rows
      .filter(([run = '', ...rest]) => rest.length === RUN_CELLS - 1 && BEGINS_WITH_DAY.test(run))
      .map(([run = '', machine = '']) => ({ run, machine })),
  }
}

function measured(cells: readonly string[]): readonly Measurement[] {
  const [id = '', , , figures = '', runs = '', , tests = ''] = cells
  const files = [...tests.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file)
  const figureOf = figures.split(LINE_BREAK)
  const runOf = runs.split(LINE_BREAK)
  return files.flatMap((file, index) => {
    const [figure, run] = [figureOf[index], runOf[index]]
    return figure === undefined || !run || run === '–' ? [] : [{ id, file, figure, run }]
  })
}

export function writePage({ measurements, machines }: Page, shown: Shown): string {
  const rows = shown.promises.map((promise) => rowOf(promise, measurements, shown))
  const runs = new Set(measurements.map(({ run }) => run))
  const ran = machines.filter(({ run }) => runs.has(run))
  return `${[
    '# Promises',
    '',
    ...INTRODUCTION,
    '',
    '| id | when | promised | measured | in run | tier | test | mutants |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| run | machine |',
    '|---|---|',
    ...ran.map(({ run, machine }) => `| ${run} | ${machine} |`),
  ].join('\n')}\n`
}

const INTRODUCTION = [
  'What we promise, what was measured of it, and how often the test was seen to fail. `npm run test:full` writes this page from what the tests themselves count; after `npm run test:full -- test/order` only the promises that are tested there are new. A run is named by its day and commit, `+` for changes on top of it.',
  '',
  'A mutant is an edit in [test/mutants](../test/mutants) that breaks the product in the way that the promise excludes. `npm run test:mutants` applies each mutant to a copy and expects the named tests to fail. Tier quick runs with every `npm test`, full with `npm run test:full` only; quick, full means with smaller counts in every run.',
]

function rowOf(
  { id, when, figure, tier }: Promised,
  measurements: readonly Measurement[],
  { filesOf, mutantsOf }: Shown,
): string {
  const mine = measurements
    .filter((measurement) => measurement.id === id)
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
  const files = mine.length > 0 ? mine.map(({ file }) => file) : filesOf(id)
  const cells = [
    id,
    when,
    figure,
    lines(mine.map((measurement) => cell(measurement.figure))) ||
      (tier === 'later' ? 'later' : NOT_MEASURED),
    lines(mine.map(({ run }) => run)) || '–',
    tier,
    lines(files.map((file) => `[${nameOf(file)}](../${file})`)) || '–',
    lines(mutantsOf(id).map((name) => `[${name}](../test/mutants/${name}.mutant)`)) || '–',
  ]
  return `| ${cells.join(' | ')} |`
}

const lines = (parts: readonly string[]) => parts.join(LINE_BREAK)

/** Text that stays in its cell. */
const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '/')

const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1)
