import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { lamp, switchOn } from '../domain/lamp.fixture.ts'
import { defineDomain } from '../domain/index.ts'
import { z } from 'zod'
import { Gate } from './index.ts'
import { memoryLog, recordsOf, sha256 } from '../../test/memory-log.fixture.ts'

const click = (watts: unknown) => ({ ...switchOn(watts), id: randomUUID() })
const parts = { sha256, now: () => 1, id: randomUUID as () => string }

test('the first decision of a commit is marked with how the commit was made', async () => {
  const log = memoryLog({ now: () => 1 })
  const gate = new Gate({ log, domain: lamp, ...parts })
  const before = [{ type: 'STEP_STARTED', data: { stepName: 'model:1' } }]
  await gate.commit('t', [click(80), click('no number')], { before, typed: true })
  await gate.commit('t', [click(5)], { pass: 'submit' })
  await gate.commit('t', [], { before })
  const marks = (await recordsOf(log)).map(({ type, origin }) => [type, origin.commit])
  expect(marks).toEqual([
    ['STEP_STARTED', undefined],
    ['switch_on', { records: 3, typed: true }],
    ['event_refused', undefined],
    ['report', undefined],
    ['event_refused', { records: 2, pass: 'submit' }],
    ['replace', undefined],
    ['STEP_STARTED', undefined],
  ])
})

test('a reducer does not see the mark: a commit is folded before it is marked', async () => {
  const { event, domain } = defineDomain<{ readonly origins: readonly object[] }>()
  const seen = domain({
    name: 'seen',
    initial: { origins: [] },
    events: {
      said: event({
        schema: z.object({}),
        by: [{ source: 'ui' }],
        reduce: ({ origins }, _data, { origin }) => ({ origins: [...origins, { ...origin }] }),
      }),
    },
  })
  const log = memoryLog({ now: () => 1 })
  const gate = new Gate({ log, domain: seen, ...parts })
  const said = { type: 'said', data: {}, origin: { source: 'ui', depth: 0 } } as const
  const { snapshot } = await gate.commit('t', [said])
  expect(snapshot.state).toEqual({ origins: [{ source: 'ui', depth: 0 }] })
  expect(await gate.verifyFold('t')).toBe(true)
  expect((await gate.state('t', 0)).state).toEqual(snapshot.state)
})
