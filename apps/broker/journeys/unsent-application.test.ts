import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Gate } from 'throughline/server/extend'
import { EMITTERS, domain } from '../case/given-case.fixture.ts'
import { JOURNEY, upTo } from '../case/journey.fixture.ts'
import { memoryLog, recordsOf, sha256 } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

const HOUR_MS = 3_600_000

/** A log with a case whose customer confirmed an hour ago, just before the process died. */
async function confirmedAnHourAgo(thread: string) {
  const id: () => string = randomUUID
  const now = () => Date.now() - HOUR_MS
  const log = memoryLog({ now })
  const gate = new Gate({ log, domain, now, id, sha256 })
  const acts = upTo('confirmSummary').map((act) =>
    act === JOURNEY.acknowledgeStatus ? { ...act, data: { id: 'service_status' } } : act,
  )
  for (const { by, type, data = {} } of acts) {
    const { answers } = await gate.commit(thread, [{ id: id(), type, data, origin: EMITTERS[by] }])
    expect(answers[0]?.refusal, type).toBeUndefined()
  }
  return log
}

test('[B049] an application that was confirmed and not sent is sent by itself, once, without a model', async () => {
  const log = await confirmedAnHourAgo('case-1')
  const broker = await testBroker({ log })
  const typesOf = async () => (await recordsOf(log, 'case-1')).map(({ type }) => type)
  await expect.poll(typesOf).toContain('waterfall_recorded')
  await broker.close()
  const again = await testBroker({ log })
  await again.close()
  const records = await recordsOf(log, 'case-1')
  const sent = records.filter(({ type }) => type === 'submit_application')
  expect(sent.map(({ origin }) => origin.source)).toEqual(['system'])
  const types = records.map(({ type }) => type)
  expect(types.filter((type) => type === 'effect_requested')).toHaveLength(1)
  expect(types).not.toContain('RUN_STARTED')
})
