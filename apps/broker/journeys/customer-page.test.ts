import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_FIRM } from '../disclosures/index.ts'
import { builtInPanel } from '../lenders/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import { Journey, acceptOffer, caseAfter, handOver, offerSeed, walk } from './journey.fixture.ts'
import { request, serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

let broker: ServedBroker

beforeAll(async () => {
  broker = await serveBroker()
})

afterAll(() => broker.close())

test('a demonstration is marked, for its customer and in its audit, also after a cold start', async () => {
  const other = await testBroker()
  const journey = await Journey.start(broker, 'clean', { demo: true })
  const real = await Journey.start(broker)
  await handOver(journey)
  const shown = async (of: Journey) => {
    const url = `${of.broker.url}/api/session/${of.sessionId}`
    return (await request(url, { token: of.tokens.customer })).body['case']
  }
  const audited = async (of: Journey) => {
    const url = `${of.broker.url}/api/audit/${of.sessionId}`
    return (await request(url, { token: of.tokens.auditor })).body['compliance']
  }
  expect(await shown(journey)).toMatchObject({ demonstration: true })
  expect(await audited(journey)).toMatchObject({ demonstration: true })
  expect(await shown(real)).not.toHaveProperty('demonstration')
  expect(await audited(real)).toMatchObject({ demonstration: false })
  journey.broker = other
  await offerSeed(journey, journey.seed ?? '')
  expect(await shown(journey)).toMatchObject({ demonstration: true })
  expect(await audited(journey)).toMatchObject({ demonstration: true })
})

test('anybody reads how to reach the firm, as the service was given it', async () => {
  const firm = { ...DEMO_FIRM, support: { ...DEMO_FIRM.support, phone: '0800 111 2222' } }
  const other = await testBroker({ firm })
  expect((await request(`${broker.url}/api/firm`)).body).toEqual(DEMO_FIRM)
  expect((await request(`${other.url}/api/firm`)).body).toEqual(firm)
})

test('the dates of the next steps are there once an offer is accepted, for its customer alone', async () => {
  const journey = await Journey.start(broker)
  const stranger = await Journey.start(broker)
  await handOver(journey)
  await walk(journey)
  const url = `${broker.url}/api/session/${journey.sessionId}/next-steps`
  const { customer: token } = journey.tokens
  expect((await request(url, { token })).body).toEqual({})
  await acceptOffer(journey)
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  expect((await request(url, { token })).body).toEqual({ hardSearchBy: day, agreementBy: day })
  expect((await request(url, { token: stranger.tokens.customer })).status).toBe(404)
})

test('while a lender decides, the customer sees which one, and the answers before it', async () => {
  let release = (): void => undefined
  const decides = new Promise<void>((resolve) => (release = resolve))
  const panel: LenderPanel = {
    ...builtInPanel,
    async decide(index, application, call) {
      if (index === 1) await decides
      return builtInPanel.decide(index, application, call)
    },
  }
  const other = await testBroker({ panel })
  const journey = await caseAfter(other, 0, 'decline')
  const walked = walk(journey)
  const url = `${other.url}/api/session/${journey.sessionId}`
  const lenders = async () => {
    const { body } = await request(url, { token: journey.tokens.customer })
    return (body['case'] as { lenders?: unknown }).lenders
  }
  const time = expect.stringMatching(/^\d{4}-.+Z$/)
  const answered = { status: 'answered', answer: 'declined', askedAt: time, answeredAt: time }
  await expect.poll(lenders).toEqual([
    { lender: 'Harbour Bank', ...answered },
    { lender: 'Meridian Bank', status: 'asking', askedAt: time },
    { lender: 'Steadfast Finance', status: 'next' },
  ])
  release()
  await walked
  expect(await lenders()).toEqual(
    builtInPanel.lenders.map(({ lender }) => ({ lender, ...answered })),
  )
})

const sha256 = (text: unknown) => createHash('sha256').update(String(text)).digest('hex')

const disclosure = async (id: string) => (await request(`${broker.url}/api/disclosures/${id}`)).body

test.each(['service_status', 'credit_search_consent', 'pre_contract_summary'])(
  'the key facts of %s come with its text, and the hash covers them',
  async (id) => {
    const { keyFacts, body, contentHash } = await disclosure(id)
    const facts = keyFacts as unknown as { title: string; text: string }[]
    expect(facts).toHaveLength(4)
    const items = facts.map(({ title, text }) => `- ${title}. ${text}`)
    expect(String(body).startsWith(`${items.join('\n')}\n\n`)).toBe(true)
    expect(sha256(body)).toBe(contentHash)
  },
)

test('a version from before key facts has none, and keeps its text', async () => {
  const first = await disclosure('service_status?version=1')
  expect(first).toMatchObject({ version: 1, keyFacts: [], title: 'About our service' })
  expect(sha256(first['body'])).toBe(first['contentHash'])
})
