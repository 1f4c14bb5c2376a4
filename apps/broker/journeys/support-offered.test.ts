import { expect, test } from 'vitest'
import { customValue } from 'throughline/client'
import { recordView } from '../case/index.ts'
import { caseAfter } from './journey.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

test('[surfaces 54] support that was offered is on record by its article, for no side and no decision to read', async () => {
  const broker = await testBroker()
  const journey = await caseAfter(broker)
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
})
