import { expect, test } from 'vitest'
import { customValue } from 'throughline/client'
import { recordView } from '../case/index.ts'
import { Journey, handOver } from './journey.fixture.ts'
import { serveBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

test('[surfaces 54] support that was offered is on record by its article, for no side and no decision to read', async () => {
  const broker = await serveBroker()
  const journey = await Journey.start(broker)
  await handOver(journey)
  const { reply } = await journey.say('customer', 'My husband died and I am in debt')
  expect(reply).toMatch(/^I am sorry for your loss\./)
  const records = await recordsOf(broker.log, journey.sessionId)
  const offered = records.filter((record) => customValue(record, 'support_offered') !== undefined)
  expect(offered.map((record) => customValue(record, 'support_offered'))).toEqual([
    { article: 'bereavement' },
  ])
  for (const record of offered) {
    expect(recordView(record, 'installer')).toBeUndefined()
    expect(recordView(record, 'customer')).toBeUndefined()
  }
  expect(records.map(({ type }) => type)).not.toContain('record_vulnerability_indicators')
  await broker.close()
})
