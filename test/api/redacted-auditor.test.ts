import { expect, onTestFinished, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import type { ServedBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { recordsOf } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { revealingAuditor } from '../../apps/broker/journeys/revealing-auditor.fixture.ts'
import { allReads, foundIn } from '../../src/server/all-reads.fixture.ts'
import type { Ask } from '../../src/server/all-reads.fixture.ts'
import { CANARIES as C } from './canaries.fixture.ts'
import { serveApi } from './served-api.fixture.ts'

const NAMED = {
  firstName: C.firstName,
  lastName: C.lastName,
  email: C.email,
  emailCopy: C.emailCopy,
  fullName: C.fullName,
  dateOfBirth: C.dateOfBirth,
  postcode: C.postcode,
  addressLine1: C.addressLine1,
  addressLine2: C.addressLine2,
  town: C.town,
  county: C.county,
  income: C.income,
  outgoings: C.outgoings,
  commitments: C.commitments,
  vulnerability: C.vulnerability,
  withdrawal: C.withdrawal,
}
const words = (side: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${side} ${at}`,
      `${side}word${at}of${'qxz'[at % 3]}`,
    ]),
  )
const SAID = { installer: words('installer', 22), customer: words('customer', 22) }
const PLANTED = { ...NAMED, ...SAID.installer, ...SAID.customer }

/** A case from the first sentence to a withdrawal, with a planted value wherever there is something personal. */
async function plantedJourney(url: string): Promise<Journey> {
  const journey = await Journey.start({ url } as ServedBroker)
  for (const word of Object.values(SAID.installer)) await journey.say('installer', word)
  await handOver(journey)
  const { firstName, lastName, email } = C
  await journey.turn('customer', { isFirstTurn: true })
  for (const word of Object.values(SAID.customer).slice(0, 20)) await journey.say('customer', word)
  await journey.present('service_status')
  const adult = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
  await journey.click(
    ['record_customer_contact', { firstName, lastName, email }],
    ['acknowledge_disclosure', { id: 'service_status' }],
    ['record_eligibility', adult],
    ['record_provisional_quote', { termMonths: 120 }],
    ['record_email_preference', { wantsEmailCopy: true, email: C.emailCopy }],
    [
      'record_personal_facts',
      {
        fullName: C.fullName,
        dateOfBirth: C.dateOfBirth,
        postcode: C.postcode,
        addressLine1: C.addressLine1,
        addressLine2: C.addressLine2,
        town: C.town,
        county: C.county,
        propertyType: 'Terraced',
        residentialStatus: 'Mortgaged',
      },
    ],
    [
      'record_financial_facts',
      {
        employmentStatus: 'Employed',
        annualIncome: Number(C.income),
        monthlyOutgoings: Number(C.outgoings),
        existingCommitments: C.commitments,
      },
    ],
    ['record_vulnerability_indicators', { indicators: [], note: C.vulnerability }],
  )
  for (const word of Object.values(SAID.customer).slice(20)) await journey.say('customer', word)
  await journey.click(['withdraw', { reason: C.withdrawal }])
  return journey
}

test('[X28] of 60 personal values in a whole journey an auditor reads none on any route before a reveal', async ({
  annotate,
}) => {
  expect(Object.keys(PLANTED)).toHaveLength(60)
  const api = await serveApi()
  onTestFinished(() => api.close())
  const { url, log } = api
  const journey = await plantedJourney(url)
  const { sessionId, tokens } = journey
  const stored = await recordsOf(log, sessionId)
  const inLog = foundIn(new Map([['log', JSON.stringify(stored)]]), PLANTED)
  expect(inLog).toHaveLength(60)

  const bearer = { authorization: `Bearer ${tokens.auditor}` }
  const asker =
    (own: Readonly<Record<string, string>>): Ask =>
    (path, asked = {}) =>
      fetch(`${url}${path}`, { ...asked, headers: { ...asked.headers, ...own } })
  const read = { thread: sessionId, agents: ['installer', 'customer'] }
  const head = stored.length - 1
  const answers = new Map(await allReads(asker(bearer), { ...read, head }))
  const others = api
    .routes()
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
    .map(({ path }) => path.replace(':id', sessionId))
  const replay = `/api/audit/${sessionId}/replay`
  for (const path of [...others, `/api/quotes?sessionId=${sessionId}`, replay]) {
    const body = path === replay ? { method: 'POST', body: '{"n":1}' } : {}
    const headers = { ...bearer, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { headers, ...body })
    answers.set(path, `${response.status} ${await response.text()}`)
  }
  const ofThread = [...answers].filter(
    ([path]) => path.includes('state') || path.includes(sessionId),
  )
  expect(ofThread.filter(([, text]) => text.startsWith('200')).length).toBeGreaterThan(20)
  const found = foundIn(answers, PLANTED)
  expect(found).toEqual([])
  expect(await revealsIn()).toEqual([])

  const auditor = await revealingAuditor(journey)
  const query = `reveal=${auditor.reveal}`
  const shown = await allReads(asker(auditor.headers), { ...read, head: auditor.reveal, query })
  const inLists = foundIn(
    new Map([...shown].filter(([path]) => path.startsWith('events'))),
    PLANTED,
  )
  expect(new Set(inLists.map((each) => each.split(' in ')[0])).size).toBe(60)
  expect(foundIn(await allReads(asker(auditor.headers), { ...read, head }), PLANTED)).toEqual([])
  expect(await revealsIn()).toMatchObject([{ seq: auditor.reveal, origin: { surface: 'auditor' } }])
  await annotate(
    `${found.length} of 60 values in ${answers.size} answers before a reveal, 60 after it; ${(await revealsIn()).length} of 1 reveals on record`,
    'promise',
  )

  async function revealsIn() {
    const records = await recordsOf(log, sessionId)
    return records.filter(({ type }) => type === 'reveal_personal_data')
  }
}, 60_000)
