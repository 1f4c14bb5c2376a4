import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { customValue } from 'throughline/client'
import { textOf } from 'throughline'
import { CUSTOMER_STEPS, Journey, caseAfter } from '../journeys/journey.fixture.ts'
import { request } from '../journeys/served-broker.fixture.ts'
import type { Answered, ServedBroker } from '../journeys/served-broker.fixture.ts'
import type { WebhookOptions } from './index.ts'
import { SECRET, fails, notedIn, receiver, takes } from './receiver.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const WAIT = { timeout: 8_000, interval: 10 }
const OPERATOR = 'the-operator'

const impatient = {
  secret: SECRET,
  retryDelaysMs: [5, 5],
  onFault: (error: unknown) => {
    throw error
  },
}

async function served(
  webhooks?: WebhookOptions,
  more: { readonly log?: ServedBroker['log'] } = {},
) {
  const broker = await testBroker({ ...more, ...(webhooks ? { webhooks } : {}) })
  return broker
}

const list = async (broker: ServedBroker, query = '') =>
  request(`${broker.url}/api/webhooks/dead-letters${query}`)

const resend = (
  broker: ServedBroker,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> => request(`${broker.url}/api/webhooks/dead-letters/resend`, { body, headers })

/** The dead letters in the list's JSON. */
async function deadIn(broker: ServedBroker): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await list(broker)
  return body['deadLetters'] as unknown as readonly Readonly<Record<string, unknown>>[]
}

/** A case whose `customer_link_ready` is a dead letter. */
async function undelivered(broker: ServedBroker): Promise<{ journey: Journey; delivery: string }> {
  const journey = await caseAfter(broker)
  const own = async () =>
    (await deadIn(broker)).find(({ sessionId }) => sessionId === journey.sessionId)
  await expect.poll(own, WAIT).toBeDefined()
  return { journey, delivery: String((await own())?.['delivery']) }
}

const namesIn = async ({ log }: ServedBroker, { sessionId }: Journey) =>
  notedIn(await recordsOf(log, sessionId)).map(({ name }) => name.replace('webhook_', ''))

test('[broker 15] a dead letter is shown to the operator and sent again under its id, from the first attempt on', async () => {
  const { url, received } = await receiver(0, fails, fails, fails, fails, takes)
  const broker = await served({ ...impatient, url })
  const { journey, delivery } = await undelivered(broker)
  const { sessionId } = journey
  expect(await deadIn(broker)).toEqual([
    {
      sessionId,
      delivery: received[0]?.delivery.id,
      event: 'customer_link_ready',
      seq: expect.any(Number),
      occurredAt: expect.stringMatching(/Z$/),
      attempts: 3,
      givenUpAt: expect.stringMatching(/Z$/),
      reason: 'STATUS_500',
      sentAgain: 0,
    },
  ])
  const answer = await resend(broker, { sessionId, delivery })
  expect(answer).toMatchObject({
    status: 202,
    body: { resent: [{ sessionId, delivery, seq: expect.any(Number) }] },
  })
  await expect.poll(() => namesIn(broker, journey), WAIT).toContain('delivered')
  const failed3 = ['failed', 'failed', 'dead_lettered']
  expect(await namesIn(broker, journey)).toEqual([...failed3, 'resent', 'failed', 'delivered'])
  expect(received.map((each) => each.delivery)).toEqual(
    [1, 2, 3, 1, 2].map((attempt) => ({ id: delivery, attempt })),
  )
  expect(received.every(({ signed }) => signed)).toBe(true)
  expect(new Set(received.map((each) => each.text.replace(/"deliveredAt.*/, ''))).size).toBe(1)
  expect(await deadIn(broker)).toEqual([])
})

test('[broker 15] the request is a record of the case by the operator, which neither side sees', async () => {
  const { url } = await receiver(0, fails)
  const broker = await served({ ...impatient, url })
  const { journey, delivery } = await undelivered(broker)
  const { sessionId } = journey
  const { body } = await resend(broker, { sessionId, delivery })
  const [{ seq } = { seq: -1 }] = body['resent'] as unknown as readonly { seq: number }[]
  const record = (await recordsOf(broker.log, sessionId))[seq]
  expect(record?.origin).toEqual({ source: 'ui', surface: 'operator', depth: 0 })
  const value = record && customValue(record, 'webhook_resent')
  expect(value).toEqual({ delivery, event: 'customer_link_ready' })
  for (const token of [journey.tokens.customer, journey.tokens.installer]) {
    const seen = await request(`${broker.url}/api/threads/${sessionId}/events`, { token })
    expect(JSON.stringify(seen.body)).not.toContain('webhook')
  }
})

test('[broker 15] a letter that dies again is shown again, and can be sent again as often as it takes', async () => {
  const { url, received } = await receiver(0, ...Array(9).fill(fails), takes)
  const broker = await served({ ...impatient, url })
  const { journey, delivery } = await undelivered(broker)
  const { sessionId } = journey
  for (const sentAgain of [1, 2]) {
    await resend(broker, { sessionId, delivery })
    const dead = async () => (await deadIn(broker))[0]
    await expect.poll(dead, WAIT).toMatchObject({ delivery, sentAgain, attempts: 3 })
  }
  await resend(broker, { sessionId, delivery })
  await expect.poll(() => namesIn(broker, journey), WAIT).toContain('delivered')
  expect(received).toHaveLength(10)
  const ids = (await recordsOf(broker.log, sessionId)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('[broker 15] asked for many times at once, or again while it is on its way, it is sent again once', async () => {
  const { url, received } = await receiver(0, fails, fails, fails, fails, takes)
  const broker = await served({ ...impatient, url, retryDelaysMs: [300, 5] })
  const { journey, delivery } = await undelivered(broker)
  const one = { sessionId: journey.sessionId, delivery }
  const answers = await Promise.all(Array.from({ length: 10 }, () => resend(broker, one)))
  const again = await resend(broker, one)
  for (const answer of answers) expect(answer).toEqual(again)
  expect(again.status).toBe(202)
  await expect.poll(() => namesIn(broker, journey), WAIT).toContain('delivered')
  expect((await namesIn(broker, journey)).filter((name) => name === 'resent')).toHaveLength(1)
  expect(received).toHaveLength(5)
})

test('[broker 15] one request sends all dead letters of all cases again, and no other delivery', async () => {
  const { url, received } = await receiver(0, ...Array(9).fill(fails), takes)
  const broker = await served({ ...impatient, url })
  const cases = [await undelivered(broker), await undelivered(broker), await undelivered(broker)]
  const key = { 'idempotency-key': 'all' }
  const { status, body } = await resend(broker, { all: true }, key)
  expect([status, body['next']]).toEqual([202, undefined])
  const resent = body['resent'] as unknown as readonly { delivery: string }[]
  expect(resent.map(({ delivery }) => delivery)).toEqual(cases.map(({ delivery }) => delivery))
  for (const { journey } of cases) {
    await expect.poll(() => namesIn(broker, journey), WAIT).toContain('delivered')
  }
  expect((await resend(broker, { all: true }, key)).body).toEqual(body)
  expect((await resend(broker, { all: true })).body).toEqual({ resent: [] })
  const [first] = cases
  const other = { sessionId: first?.journey.sessionId, delivery: first?.delivery }
  expect((await resend(broker, other, key)).body['code']).toBe('key_reused')
  await pause(60)
  expect(received).toHaveLength(12)
})

test('[broker 15] a list that is longer than asked for goes on where it says', async () => {
  const { url } = await receiver(0, fails)
  const broker = await served({ ...impatient, url })
  const cases = [await undelivered(broker), await undelivered(broker), await undelivered(broker)]
  const told: unknown[] = []
  let [query, pages] = ['?limit=2', 0]
  while (query !== '') {
    const { body } = await list(broker, query)
    told.push(...(body['deadLetters'] as unknown as readonly { delivery: string }[]))
    query = body['next'] === undefined ? '' : `?limit=2&from=${Number(body['next'])}`
    pages += 1
  }
  expect(told).toMatchObject(cases.map(({ delivery }) => ({ delivery })))
  expect(pages).toBe(2)
})

test('[broker 15] a server that was restarted shows its dead letters and sends them again', async () => {
  const first = await receiver(0, fails)
  const before = await served({ ...impatient, url: first.url })
  const { journey, delivery } = await undelivered(before)
  await before.close()
  first.close()
  const second = await receiver(first.port, takes)
  const after = await served({ ...impatient, url: second.url }, { log: before.log })
  expect(await deadIn(after)).toMatchObject([{ delivery, attempts: 3 }])
  await pause(60)
  expect(second.received).toEqual([])
  // Asked for, and the server is gone before it is sent.
  await resend(after, { sessionId: journey.sessionId, delivery })
  await after.close()
  const last = await served({ ...impatient, url: second.url }, { log: before.log })
  await expect.poll(() => namesIn(last, journey), WAIT).toContain('delivered')
  expect(new Set(second.received.map((each) => each.delivery.id))).toEqual(new Set([delivery]))
})

test('[broker 15] a delivery that is not dead or does not exist is refused with a reason', async () => {
  const { url, received } = await receiver(0, takes, fails)
  const broker = await served({ ...impatient, url, retryDelaysMs: [60_000] })
  const journey = await caseAfter(broker)
  await expect.poll(() => namesIn(broker, journey), WAIT).toEqual(['delivered'])
  for (const step of CUSTOMER_STEPS.slice(0, 2)) await step(journey)
  await expect.poll(() => namesIn(broker, journey), WAIT).toContain('failed')
  const { sessionId } = journey
  const noted = (await recordsOf(broker.log, sessionId)).flatMap((record) => {
    const ended = customValue(record, 'webhook_delivered') ?? customValue(record, 'webhook_failed')
    return ended === undefined ? [] : [textOf(ended, 'delivery')]
  })
  const [delivered = '', waiting = ''] = noted
  const head = await broker.log.head(sessionId)
  for (const [body, status, code, detail] of [
    [{ sessionId, delivery: delivered }, 409, 'not_dead', /taken/],
    [{ sessionId, delivery: waiting }, 409, 'not_dead', /not come to an end/],
    [{ sessionId, delivery: 'nothing' }, 404, 'not_found', /delivery/],
    [{ sessionId: 'nothing', delivery: delivered }, 404, 'not_found', /delivery/],
    [{ sessionId }, 400, 'invalid_body', /./],
    [{ sessionId, delivery: '' }, 400, 'invalid_body', /./],
    [{ all: false }, 400, 'invalid_body', /./],
    [{ all: true, sessionId }, 400, 'invalid_body', /./],
    [{ all: true, from: -1 }, 400, 'invalid_body', /./],
    [{}, 400, 'invalid_body', /./],
  ] as const) {
    const answer = await resend(broker, body)
    expect([answer.status, answer.body['code']], JSON.stringify(body)).toEqual([status, code])
    expect(answer.body['detail']).toMatch(detail)
  }
  for (const query of ['?limit=0', '?limit=1001', '?from=-1', '?limit=1&limit=2']) {
    expect((await list(broker, query)).body['code']).toBe('invalid_query')
  }
  expect(await broker.log.head(sessionId)).toBe(head)
  expect(received).toHaveLength(2)
})

test('[X7] only the operator may list dead letters and have them sent again', async () => {
  const { url } = await receiver(0, fails)
  const broker = await testBroker({ webhooks: { ...impatient, url }, operatorToken: OPERATOR })
  const created = await request(`${broker.url}/api/session`, { token: OPERATOR, body: {} })
  const tokens = Object.values(created.body['tokens'] as Readonly<Record<string, string>>)
  const place = `${broker.url}/api/webhooks/dead-letters`
  for (const token of [undefined, 'wrong', ...tokens]) {
    const bearing = token === undefined ? {} : { token }
    const answers = [
      await request(place, bearing),
      await request(`${place}/resend`, { ...bearing, body: { all: true } }),
    ]
    for (const { status, body } of answers) {
      expect([status, body['code']]).toEqual([401, 'unauthenticated'])
    }
  }
  expect((await request(place, { token: OPERATOR })).status).toBe(200)
})

test('where no receiver is named any more, dead letters are shown and not sent', async () => {
  const { url } = await receiver(0, fails)
  const before = await served({ ...impatient, url })
  const { journey, delivery } = await undelivered(before)
  await before.close()
  const after = await served(undefined, { log: before.log })
  expect(await deadIn(after)).toMatchObject([{ delivery }])
  const head = await after.log.head(journey.sessionId)
  for (const body of [{ sessionId: journey.sessionId, delivery }, { all: true }]) {
    const answer = await resend(after, body)
    expect([answer.status, answer.body['code']]).toEqual([409, 'no_receiver'])
  }
  expect(await after.log.head(journey.sessionId)).toBe(head)
  const none = await served()
  expect(await resend(none, { all: true })).toEqual({ status: 202, body: { resent: [] } })
})
