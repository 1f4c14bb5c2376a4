import { afterEach, expect, test } from 'vitest'
import type { LogRecord } from 'throughline'
import { HELD, heldReplies } from './held-replies.fixture.ts'
import type { Told } from './page-turn.fixture.ts'
import { request } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { Journey, caseAfter } from './journey.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

let broker: ServedBroker

afterEach(() => broker.close())

/** A case in which the customer has done some steps, and a reply that begins to their next and stays. */
async function midReply(steps: number, act: (journey: Journey) => Promise<Told>) {
  const held = { on: false }
  broker = await testBroker({ model: heldReplies(() => held.on) })
  const journey = await caseAfter(broker, steps)
  held.on = true
  const answered = act(journey)
  const run = await runThatSpeaks(journey)
  return { journey, answered, run, held }
}

async function runThatSpeaks({ broker: { log }, sessionId }: Journey): Promise<string> {
  const after = (await log.head(sessionId)) - 1
  for await (const batch of log.subscribe(sessionId, { after })) {
    const said = batch.find(
      ({ type, origin }) => type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'model',
    )
    if (said) return said.origin.run ?? ''
  }
  throw new Error('Cannot find the run: the thread has no RUN_STARTED')
}

const cancel = ({ sessionId }: Journey, run: string, token?: string) =>
  request(`${broker.url}/api/threads/${sessionId}/runs/${run}/cancel`, {
    body: {},
    ...(token === undefined ? {} : { token }),
  })

const endOf = (records: readonly LogRecord[], run: string) =>
  records.filter(({ type, origin }) => type.startsWith('RUN_') && origin.run === run).at(-1)

test('[surfaces 7] the customer stops the reply to their consent: the consent stands, the log says cancelled, and they go on', async () => {
  const { journey, answered, run, held } = await midReply(7, async (at) => {
    await at.present('credit_search_consent')
    return at.click(['capture_consent', { consentType: 'credit_search', granted: true }])
  })
  const { customer, installer } = journey.tokens
  expect(await cancel(journey, run, customer)).toMatchObject({ status: 202, body: { runId: run } })
  const { end, reply } = await answered
  expect([end, reply]).toEqual(['stopped', HELD])
  expect(await journey.state()).toMatchObject({
    consents: [{ type: 'credit_search', granted: true }],
    disclosures: expect.arrayContaining([
      expect.objectContaining({ id: 'pre_contract_summary' }),
    ]) as unknown,
  })
  expect(endOf(await recordsOf(broker.log, journey.sessionId), run)).toMatchObject({
    type: 'RUN_FINISHED',
    data: { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'customer' } },
  })
  const seen = async (token: string) => {
    const url = `${broker.url}/api/threads/${journey.sessionId}/events?limit=10000`
    const { records } = (await request(url, { token })).body
    return endOf(records as unknown as readonly LogRecord[], run)?.data
  }
  expect(await seen(customer)).toEqual({
    threadId: journey.sessionId,
    runId: run,
    outcome: { type: 'cancelled' },
  })
  expect(await seen(installer)).toBeUndefined()
  held.on = false
  const next = await journey.say('customer', 'What happens to my data?')
  expect(next.end).toBe('finished')
  expect(next.reply).toEqual(expect.stringMatching(/\w/))
})

test('[surfaces 7] a stop is taken once, and only from the turn’s own side', async () => {
  const { journey, answered, run } = await midReply(2, (at) => at.say('customer', 'Is it a loan?'))
  const foreign = await Journey.start(broker)
  const { customer, installer, auditor } = journey.tokens
  expect(await cancel(journey, run)).toMatchObject({ status: 401 })
  expect(await cancel(journey, run, foreign.tokens.customer)).toMatchObject({ status: 404 })
  expect(await cancel(journey, run, auditor)).toMatchObject({ status: 403 })
  const unknown = await cancel(journey, 'none', customer)
  expect(unknown).toMatchObject({ status: 409, body: { code: 'not_running' } })
  expect(await cancel(journey, run, installer)).toMatchObject({ status: 409 })
  expect(await cancel(foreign, run, foreign.tokens.customer)).toMatchObject({ status: 409 })
  const twice = await Promise.all([1, 2].map(() => cancel(journey, run, customer)))
  expect(twice.map(({ status }) => status)).toContain(202)
  for (const { status } of twice) expect([202, 409]).toContain(status)
  await answered
  expect(await cancel(journey, run, customer)).toMatchObject({ status: 409 })
  const ends = (await recordsOf(broker.log, journey.sessionId)).filter(
    ({ type, origin }) => type !== 'RUN_STARTED' && type.startsWith('RUN_') && origin.run === run,
  )
  expect(ends).toHaveLength(1)
})

test('[surfaces 7] no lender is asked in a turn that was stopped, and the next turn asks them', async () => {
  const { journey, answered, run, held } = await midReply(8, (at) =>
    at.click(['acknowledge_disclosure', { id: 'pre_contract_summary' }]),
  )
  await cancel(journey, run, journey.tokens.customer)
  const { end, isUnreported } = await answered
  expect([end, isUnreported]).toEqual(['stopped', false])
  const stopped = await journey.state()
  expect([stopped['status'], stopped['waterfall']]).toEqual(['quote_ready', undefined])
  held.on = false
  await journey.turn('customer', {})
  expect(await journey.state()).toMatchObject({ waterfall: { exhausted: false } })
})

test('[surfaces 7] the installer stops the reply to them', async () => {
  broker = await testBroker({ model: heldReplies(() => true) })
  const journey = await Journey.start(broker)
  const answered = journey.say('installer', 'The system costs 9,000 pounds')
  const run = await runThatSpeaks(journey)
  const { installer, customer } = journey.tokens
  expect(await cancel(journey, run, customer)).toMatchObject({ status: 409 })
  expect(await cancel(journey, run, installer)).toMatchObject({ status: 202 })
  expect((await answered).end).toBe('stopped')
})
