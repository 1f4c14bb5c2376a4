import { expect, test } from 'vitest'
import { customEvent } from 'throughline/server/extend'
import type { Json } from 'throughline'
import { EMITTERS, domain, given } from '../case/given-case.fixture.ts'
import { upTo } from '../case/journey.fixture.ts'
import { NOTED } from './outbox.ts'
import { Outboxes } from './outboxes.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

test('[broker 15] dead letters are read from the current log, also after earlier reads', async () => {
  const log = memoryLog()
  const outboxes = new Outboxes({ log, domain })
  const { records } = given(...upTo('handoff'))
  await log.append(
    'case-1',
    records.map(({ ts, type, data, origin }) => ({ ts, type, data, origin })),
  )
  const note = (name: string, value: Json) =>
    log.append('case-1', [customEvent(name, value, EMITTERS.system)])
  expect([outboxes.isKnown('case-1'), await outboxes.dead('case-1')]).toEqual([false, []])
  const [delivery = ''] = (await outboxes.read('case-1')).pending.map(({ id }) => id)
  await note(NOTED.deadLettered, { delivery, attempt: 10, reason: 'TIMEOUT' })
  const dead = [{ id: delivery, reason: 'TIMEOUT' }]
  expect(await outboxes.dead('case-1')).toMatchObject(dead)
  expect(await outboxes.dead('case-1')).toMatchObject(dead)
  await note(NOTED.resent, { delivery })
  expect([outboxes.isKnown('case-1'), await outboxes.dead('case-1')]).toEqual([true, []])
})
