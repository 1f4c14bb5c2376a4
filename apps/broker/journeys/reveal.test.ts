import { afterAll, beforeAll, expect, test } from 'vitest'
import { Journey, handOver } from './journey.fixture.ts'
import { revealingAuditor } from './revealing-auditor.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

let broker: ServedBroker
let journey: Journey

beforeAll(async () => {
  broker = await serveBroker()
  journey = await Journey.start(broker)
  await handOver(journey)
  await journey.click(['withdraw', { reason: 'not now' }])
})

afterAll(() => broker.close())

const REVEAL = { type: 'reveal_personal_data', data: { reason: 'A complaint' } }

const propose = (role: keyof Journey['tokens'], ...events: readonly object[]) =>
  request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
    token: journey.tokens[role],
    body: { events },
  })

test('[surfaces 33] an auditor puts each reveal on record, also in an ended case, and proposes nothing else', async () => {
  const before = await journey.state()
  for (const reveal of [1, 2]) {
    const { status, body } = await propose('auditor', REVEAL)
    expect([reveal, status, body['refused']]).toEqual([reveal, 200, []])
  }
  expect(await journey.state()).toEqual(before)
  const revealed = (await recordsOf(broker.log, journey.sessionId)).slice(-2)
  expect(revealed).toMatchObject([
    { ...REVEAL, origin: { source: 'ui', surface: 'auditor' } },
    { ...REVEAL, origin: { source: 'ui', surface: 'auditor' } },
  ])
  expect((await propose('auditor', { type: 'case_complete', data: {} })).status).toBe(403)
})

test.each(['customer', 'installer'] as const)(
  '[surfaces 33] the %s may not reveal, and sees no reveal',
  async (role) => {
    await propose('auditor', REVEAL)
    const { body } = await propose(role, REVEAL)
    expect(body['refused']).toMatchObject([{ reason: 'not_authorised' }])
    const url = `${broker.url}/api/threads/${journey.sessionId}/events?limit=1000`
    const seen = JSON.stringify((await request(url, { token: journey.tokens[role] })).body)
    expect(seen).toContain('not_authorised')
    expect(seen).not.toContain('A complaint')
  },
)

test('[surfaces 33] the broker’s own routes show a reveal to the browser that made it, and to nobody else', async () => {
  await journey.say('customer', 'I am called Sarah, by the way')
  const { sessionId, tokens } = journey
  const paths = [`/api/audit/${sessionId}`, `/api/session/${sessionId}`]
  const [auditor, other] = [await revealingAuditor(journey), await revealingAuditor(journey)]
  for (const path of paths) {
    const hidden = await request(`${broker.url}${path}`, { headers: auditor.headers })
    expect([hidden.status, JSON.stringify(hidden.body).includes('Sarah')]).toEqual([200, false])
    const shown = await auditor.read(path)
    expect([shown.status, JSON.stringify(shown.body).includes('Sarah')]).toEqual([200, true])
    const url = `${broker.url}${path}?reveal=${auditor.reveal}`
    for (const options of [{ headers: other.headers }, { token: tokens.auditor }]) {
      const { status, body } = await request(url, options)
      expect([status, body['code']]).toEqual([403, 'not_revealed'])
    }
  }
})
