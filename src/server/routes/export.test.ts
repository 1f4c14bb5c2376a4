import { expect, test } from 'vitest'
import type { LogRecord } from '../../log/index.ts'
import { exportEnd, exportHeader, exportLine } from './export.ts'

const record: LogRecord = {
  seq: 0,
  id: 'i',
  thread: 't',
  ts: 0,
  type: '=cmd()',
  data: { text: 'say "hi",\nplease' },
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: 'h',
}

test('[X10] a cell that a spreadsheet would run is text', () => {
  for (const type of ['=cmd()', '+1', '-1', '@x', '\tx', '\rx']) {
    expect(exportLine('csv', { ...record, type })).toContain(`"'${type}"`)
  }
})

test('quotes are doubled, so that a cell ends where it ends', () => {
  expect(exportLine('csv', record)).toContain('"{""text"":""say \\""hi\\"",\\nplease""}"')
  expect(exportHeader('csv').split(',')).toHaveLength(7)
})

test('a line of JSON is the record', () => {
  expect(JSON.parse(exportLine('jsonl', record))).toEqual(record)
  expect(exportHeader('jsonl')).toBe('')
})

test('the last line has as many cells as the others, and no seq', () => {
  expect(exportEnd('csv', 2)).toBe('"","","","complete","","{""records"":2}",""\r\n')
  expect(JSON.parse(exportEnd('jsonl', 2))).toEqual({ complete: true, records: 2 })
})
