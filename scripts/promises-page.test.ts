import { expect, test } from 'vitest'
import { readPage, writePage } from './promises-page.ts'
import type { Page, Shown } from './promises-page.ts'

const promised = (id: string, tier: 'quick' | 'later') =>
  ({ id, when: 'it rains', figure: '0 drops', tier }) as const

const shown: Shown = {
  promises: [promised('D1', 'quick'), promised('D2', 'quick'), promised('D7', 'later')],
  filesOf: (id) => (id === 'D2' ? ['test/roof.test.ts'] : []),
  mutantsOf: (id) => (id === 'D1' ? ['D1-hole'] : []),
}

const page: Page = {
  measurements: [
    { id: 'D1', file: 'src/a.test.ts', figure: '0 of 7 drops', run: '2026-11-20 abc1234' },
    { id: 'D1', file: 'test/b.test.ts', figure: '0 of 9 drops', run: '2026-11-21 def5678+' },
  ],
  machines: [
    { run: '2026-11-20 abc1234', machine: '2 cores' },
    { run: '2026-11-21 def5678+', machine: '8 cores' },
  ],
}

test('a page of promises is read as it was written, so that a part of it can be measured anew', () => {
  expect(readPage(writePage(page, shown))).toEqual(page)
})

test('a figure with a line break or a bar stays in its cell', () => {
  const [first] = page.measurements
  if (!first) throw new Error('nothing measured')
  const odd = { ...first, figure: '0 |\n 1' }
  const { measurements } = readPage(writePage({ ...page, measurements: [odd] }, shown))
  expect(measurements).toEqual([{ ...first, figure: '0 / 1' }])
})

test('what was not measured says so, names its tests all the same, and a later promise is later', () => {
  const rows = writePage(page, shown).split('\n')
  expect(rows.find((row) => row.startsWith('| D2 |'))).toBe(
    '| D2 | it rains | 0 drops | not measured | – | quick | [roof.test.ts](../test/roof.test.ts) | – |',
  )
  expect(rows.find((row) => row.startsWith('| D7 |'))).toContain('| later |')
})

test('a run of which no figure is left is forgotten', () => {
  const [, second] = page.measurements
  const { machines } = readPage(writePage({ ...page, measurements: second ? [second] : [] }, shown))
  expect(machines).toEqual([{ run: '2026-11-21 def5678+', machine: '8 cores' }])
})
