import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFigures } from './figures.ts'
import type { Figures } from './figures.ts'
import { writePage } from './promises-page.ts'
import type { Shown } from './promises-page.ts'
import { PROMISES } from './promises.ts'

const promised = (id: string, tier: 'quick' | 'later') =>
  ({ id, when: 'it rains', figure: '0 drops', tier }) as const

const SHOWN: Shown = {
  promises: [promised('D1', 'quick'), promised('D2', 'quick'), promised('D7', 'later')],
  filesOf: (id) => (id === 'D2' ? ['test/roof.test.ts'] : []),
  mutantsOf: (id) => (id === 'D1' ? [{ name: 'D1-hole', room: 'log.mutants' }] : []),
}

const measured = (file: string, figure: string, commit: string) => {
  return { id: 'D1', file, figure, run: `2026-11-20 ${commit}` }
}

const FIGURES: Figures = {
  figures: [measured('src/a.test.ts', '0 of 7', '3'), measured('test/b.test.ts', '0 |\n 1', '4')],
  machines: [{ run: '2026-11-20 3', machine: '2 cores' }],
}

const rowOf = (page: string, start: string) =>
  page.split('\n').find((row) => row.startsWith(`| ${start} |`))

test('a row shows each figure with its run, in cells that stay whole', () => {
  const page = writePage(FIGURES, SHOWN)
  expect(rowOf(page, 'D1')).toBe(
    '| D1 | it rains | 0 drops | 0 of 7<br>0 / 1 | 2026-11-20 3<br>2026-11-20 4 | quick | [a.test.ts](../src/a.test.ts)<br>[b.test.ts](../test/b.test.ts) | [D1-hole](../test/mutants/log.mutants) |',
  )
  expect(rowOf(page, '2026-11-20 3')).toBe('| 2026-11-20 3 | 2 cores |')
})

test('a promise that was not measured names its tests, and a later promise is later', () => {
  const page = writePage(FIGURES, SHOWN)
  expect(rowOf(page, 'D2')).toBe(
    '| D2 | it rains | 0 drops | not measured | – | quick | [roof.test.ts](../test/roof.test.ts) | – |',
  )
  expect(rowOf(page, 'D7')).toContain('| later |')
})

test('docs/promises.md shows every promise and stored figure: run npm run promises', () => {
  // Mutants and tests come and go: they are those of the day of the page.
  const stable = (page: string) =>
    PROMISES.map(({ id }) => rowOf(page, id)?.split(' | ').slice(0, 5) ?? `no row for ${id}`)
  const shown = { ...SHOWN, promises: PROMISES }
  const written = readFileSync('docs/promises.md', 'utf8')
  expect(stable(written)).toEqual(stable(writePage(readFigures(), shown)))
  expect(readFigures().figures.filter(({ id }) => !PROMISES.some((row) => row.id === id))).toEqual(
    [],
  )
})
