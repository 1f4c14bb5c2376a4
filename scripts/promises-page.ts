import type { Figure, Figures } from './figures.ts'
import type { Mutant } from './mutants.ts'
import type { Promised } from './promised.ts'

export interface Shown {
  readonly promises: readonly Promised[]
  /** The files of tests that name a promise in a title. */
  readonly filesOf: (id: string) => readonly string[]
  readonly mutantsOf: (id: string) => readonly Pick<Mutant, 'name' | 'room'>[]
}

const NOT_MEASURED = 'not measured'
const LINE_BREAK = '<br>'

export function writePage({ figures, machines }: Figures, shown: Shown): string {
  const rows = shown.promises.map((promise) => rowOf(promise, figures, shown))
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
    ...machines.map(({ run, machine }) => `| ${run} | ${machine} |`),
  ].join('\n')}\n`
}

const INTRODUCTION = [
  'What we promise, and what the tests measured. `npm run test:full` writes this page and [promises.json](promises.json) from what the tests count. `npm run test:full -- test/order` measures the promises of that folder only. A run is named by its day and commit, `+` for changes that were not committed; what the code or the test has become since is not in its figures.',
  '',
  'A mutant is an edit in [test/mutants](../test/mutants) that breaks the product in the way that the promise excludes. `npm run test:mutants` applies each mutant to a copy and expects the named tests to fail. Tier quick runs with every `npm test`, full only in the full tier. Tier "quick, full" runs with smaller counts in `npm test`. The check of a change also runs a seventh of the full tier, another one each day (`npm run test:slice`); [scripts/slice.ts](../scripts/slice.ts) lists the files that are too large for it and run in full with `npm run test:full` alone.',
]

function rowOf(
  { id, when, figure, tier }: Promised,
  figures: readonly Figure[],
  { filesOf, mutantsOf }: Shown,
): string {
  const mine = figures.filter((measured) => measured.id === id)
  const files = mine.length > 0 ? mine.map(({ file }) => file) : filesOf(id)
  const cells = [
    id,
    when,
    figure,
    lines(mine.map((measured) => cell(measured.figure))) ||
      (tier === 'later' ? 'later' : NOT_MEASURED),
    lines(mine.map(({ run }) => run)) || '–',
    tier,
    lines(files.map((file) => `[${nameOf(file)}](../${file})`)) || '–',
    lines(mutantsOf(id).map(({ name, room }) => `[${name}](../test/mutants/${room})`)) || '–',
  ]
  return `| ${cells.join(' | ')} |`
}

const lines = (parts: readonly string[]) => parts.join(LINE_BREAK)

/** Text that stays in its cell. */
const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '/')

const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1)
