import { expect, test } from 'vitest'
import type { Origin } from '../log/index.ts'
import { watchImpurity } from '../replay/index.ts'
import { DomainChecks } from './domain-checks.ts'
import type { Seen } from './finding.ts'
import { loansApp } from './loans.fixture.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

const model = { source: 'model', surface: 'customer', depth: 0 } as const

/** What is found about records of these types, of which a model wrote so many in prose and in code. */
function foundIn(origin: Origin, counts: { readonly prose?: number; readonly code?: number } = {}) {
  const watch = watchImpurity()
  const seen: Seen[] = []
  const checks = new DomainChecks(loansApp() as never, { watch, found: (each) => seen.push(each) })
  const record = recordAt(0, { type: 'asked', data: { pounds: 5 }, origin })
  const { prose = 0, code = 0 } = counts
  checks.take([record], new Map([['asked', prose]]), new Map(code > 0 ? [['asked', code]] : []))
  watch.end()
  return seen.map(({ kind, part }) => `${kind} ${part}`)
}

test('an event of somebody whom no `by` names is beyond authority', () => {
  expect(foundIn({ source: 'system', depth: 0 })).toEqual(['beyond_authority "asked"'])
  expect(foundIn({ ...model, surface: 'elsewhere' }, { prose: 1 })).toEqual([
    'beyond_authority "asked"',
  ])
  expect(foundIn({ source: 'ui', surface: 'customer', depth: 0 })).toEqual([])
})

test('an event of a model that only a tag in code or an echo can have given is found', () => {
  expect(foundIn(model, { prose: 1, code: 1 })).toEqual([])
  expect(foundIn(model, { code: 1 })).toEqual(['quoted "asked"'])
})
