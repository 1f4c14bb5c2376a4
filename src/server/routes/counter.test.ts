import { expect, test } from 'vitest'
import { Counter, LABEL_SETS_MAX } from './counter.ts'

test('a counter is written with its labels, whose values are escaped', () => {
  const counter = new Counter('runs_total', 'Runs.', ['agent'])
  counter.add(1, { agent: 'a "b"\n\\' })
  counter.add(2, { agent: 'a "b"\n\\' })
  expect(counter.lines).toEqual([
    '# HELP runs_total Runs.',
    '# TYPE runs_total counter',
    String.raw`runs_total{agent="a \"b\"\n\\"} 3`,
  ])
})

test('a counter has so many sets of labels, and counts the rest together', () => {
  const counter = new Counter('calls_total', 'Calls.', ['model'])
  for (let at = 0; at < LABEL_SETS_MAX + 5; at++) counter.add(1, { model: `m${at}` })
  expect(counter.lines.length).toBe(2 + LABEL_SETS_MAX + 1)
  expect(counter.lines.at(-1)).toBe('calls_total{model="other"} 5')
})
