import { takeTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import type { PageAccess, PageTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import { CANARIES as C } from './canaries.fixture.ts'

interface Told {
  readonly status: number
  readonly body: string
}

export interface CanaryJourney {
  /** Bodies and headers of every answer from 400 on. */
  readonly errors: readonly string[]
  /** Addresses that the server gave, without fragments, which browsers send nowhere. */
  readonly addresses: readonly string[]
  readonly health: string
  /** What the operator can read. */
  readonly stored: string
  /** Tokens and seeds of this journey. */
  readonly carried: Readonly<Record<string, string>>
}

interface Request {
  readonly token?: string
  readonly body?: unknown
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

class Traveller {
  readonly errors: string[] = []
  readonly addresses: string[] = []
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  async ask(path: string, { token, body, raw, headers }: Request = {}): Promise<Told> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${this.url}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await response.text()
    if (response.status >= 400) {
      this.errors.push(`${text}\n${JSON.stringify([...response.headers])}`)
    }
    for (const [address] of text.matchAll(/"(?:https?:\/\/[^"\s]+|\/[a-z]+\/[^"\s]+)"/g)) {
      this.addresses.push(address.split('#')[0] ?? '')
    }
    const location = response.headers.get('location')
    if (location !== null) this.addresses.push(location)
    return { status: response.status, body: text }
  }
}

interface Started {
  readonly sessionId: string
  readonly tokens: Readonly<Record<'installer' | 'customer' | 'auditor', string>>
}

/** A case from its first sentence to its end, and everything that can go wrong on the way, full of canaries. */
export async function canaryJourney(url: string): Promise<CanaryJourney> {
  const traveller = new Traveller(url)
  const operator = { token: C.operatorToken }
  const made = await traveller.ask('/api/session', {
    ...operator,
    body: { retailerName: C.retailer },
  })
  const started = JSON.parse(made.body) as Started
  const { sessionId, tokens } = started
  const seed = await live(traveller, started)
  await stumble(traveller, started)
  await askAgents(traveller)
  const auditor = { token: tokens.auditor }
  const events = await traveller.ask(`/api/threads/${sessionId}/events?limit=10000`, operator)
  await traveller.ask(`/api/audit/${sessionId}`, auditor)
  const { body: health } = await traveller.ask('/api/health')
  const { errors, addresses } = traveller
  // A token's head and a seed's are the same for all; the rest is what must not be told.
  const rest = (text: string) => text.slice(text.indexOf('.') + 1)
  const carried = {
    installerToken: rest(tokens.installer),
    customerToken: rest(tokens.customer),
    auditorToken: rest(tokens.auditor),
    ...(seed === undefined ? {} : { seed: rest(seed) }),
  }
  return { errors, addresses, health, stored: events.body, carried }
}

type Event = readonly [type: string, data: object]
type Side = PageAccess['side']

async function live(traveller: Traveller, { sessionId, tokens }: Started) {
  let seed: string | undefined
  const newKey = () => `${C.key}-${crypto.randomUUID()}`
  const turn = async (side: Side, taken: PageTurn) => {
    const headers = { authorization: `Bearer ${tokens[side]}` }
    const page = { url: traveller.url, thread: sessionId, side, headers }
    const { session } = await takeTurn(page, { ...taken, key: newKey() })
    seed = String(session['seed'])
  }
  const chat = (side: Side, more: object) =>
    traveller.ask(`/api/chat/${side}`, {
      token: tokens[side],
      body: { sessionId, seed, ...more },
      headers: { 'idempotency-key': newKey() },
    })
  const click = (...events: readonly Event[]) =>
    turn('customer', { directEvents: events.map(([type, data]) => ({ type, data })) })
  await turn('installer', { userMessage: `${C.installerSaid} ${C.taggedText}` })
  const handOver: readonly Event[] = [
    [
      'record_project_facts',
      {
        projectValue: Number(C.projectValue),
        depositAmount: Number(C.deposit),
        productSpec: 'panels_battery',
      },
    ],
    [
      'record_customer_contact',
      { firstName: C.firstName, lastName: C.lastName, email: C.email, mobile: C.mobile },
    ],
    ['installer_handoff_complete', {}],
  ]
  await turn('installer', { directEvents: handOver.map(([type, data]) => ({ type, data })) })
  await chat('installer', {})
  await turn('customer', { isFirstTurn: true })
  await chat('customer', { userMessage: C.customerSaid })
  await click(
    ['present_disclosure', { id: 'service_status' }],
    ['acknowledge_disclosure', { id: 'service_status' }],
    [
      'record_eligibility',
      { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true },
    ],
    ['record_provisional_quote', { termMonths: 120 }],
    ['record_email_preference', { wantsEmailCopy: true, email: C.emailCopy }],
    ['record_personal_facts', PERSONAL],
    ['record_financial_facts', FINANCIAL],
    ['record_vulnerability_indicators', { indicators: [], note: C.vulnerability }],
    ['present_disclosure', { id: 'credit_search_consent' }],
    ['capture_consent', { consentType: 'credit_search', granted: true }],
  )
  await turn('customer', { userMessage: C.customerAsked })
  await click(['acknowledge_disclosure', { id: 'pre_contract_summary' }])
  await turn('customer', {})
  await click(['withdraw', { reason: C.withdrawal }])
  return seed
}

const PERSONAL = {
  fullName: C.fullName,
  dateOfBirth: C.dateOfBirth,
  postcode: C.postcode,
  addressLine1: C.addressLine1,
  addressLine2: C.addressLine2,
  town: C.town,
  county: C.county,
  propertyType: 'Terraced',
  residentialStatus: 'Mortgaged',
}

const FINANCIAL = {
  employmentStatus: 'Employed',
  annualIncome: Number(C.income),
  monthlyOutgoings: Number(C.outgoings),
  existingCommitments: C.commitments,
}

/** All that can be got wrong, each with a canary where the fault is. */
async function stumble(traveller: Traveller, { sessionId, tokens }: Started): Promise<void> {
  const { customer } = tokens
  const thread = `/api/threads/${sessionId}`
  const events = (...list: readonly Event[]) => ({
    token: customer,
    body: { events: list.map(([type, data]) => ({ type, data })) },
  })
  await traveller.ask(
    `${thread}/events`,
    events(
      [C.unknownType, { [C.unknownName]: C.unknownData }],
      ['record_financial_facts', { annualIncome: C.wrongAmount }],
      ['record_personal_facts', { dateOfBirth: C.wrongDate }],
      ['record_customer_contact', { mobile: C.wrongMobile, email: C.wrongEmail }],
      ['capture_consent', { consentType: 'marketing', granted: true, contentHash: C.wrongHash }],
    ),
  )
  const chat = '/api/chat/customer'
  const bodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
    `{"sessionId":"${sessionId}","userMessage": ${C.brokenJson}}`,
    `{"sessionId":"${C.brokenJsonEnd}`,
    `${C.brokenJson}`,
    new Uint8Array(Buffer.from(`{"sessionId":"${C.notUtf8}\xff"}`, 'latin1')),
    `{"a":${'['.repeat(50)}"${C.deep}"${']'.repeat(50)}}`,
    `{"userMessage":"${C.customerSaid}","userMessage":"${C.customerAsked}"}`,
    JSON.stringify({ sessionId, userMessage: C.customerSaid.repeat(400) }),
    JSON.stringify({ sessionId, userMessage: { said: C.customerSaid } }),
    JSON.stringify({ sessionId, directEvents: C.unknownData }),
    JSON.stringify({ sessionId: C.pathPart, userMessage: C.customerSaid }),
    JSON.stringify({
      sessionId,
      seed: C.badSeed,
      userMessage: C.customerSaid,
      isFirstTurn: C.email,
    }),
    JSON.stringify([C.fullName, C.email]),
    JSON.stringify(C.commitments),
  ]
  for (const raw of bodies) await traveller.ask(chat, { token: customer, raw })
  await traveller.ask(chat, {
    token: tokens.auditor,
    body: { sessionId, userMessage: C.customerSaid },
  })
  await traveller.ask('/api/token', { body: { token: C.badToken } })
  await traveller.ask('/api/token', { body: { token: customer } })
  await traveller.ask('/api/session', {
    token: C.authorization,
    body: { retailerName: C.retailer },
  })
  await traveller.ask('/api/session', {
    token: C.operatorToken,
    body: { retailerName: C.otherRetailer, demoScenario: C.unknownData },
  })
  await traveller.ask(`/api/session/${sessionId}/seed`, {
    token: customer,
    body: { seed: C.badSeed },
  })
  await traveller.ask('/api/address-lookup', { body: { postcode: C.postcodeAsked } })
  await traveller.ask('/api/address-lookup', { body: { postcode: C.postcodeWrong } })
  await wander(traveller, thread, customer)
}

/** Wrong addresses and headers. */
async function wander(traveller: Traveller, thread: string, token: string): Promise<void> {
  const part = encodeURIComponent(C.pathPart)
  for (const path of [
    `/${part}`,
    `/api/${part}`,
    `/api/threads/${part}/state`,
    `/api/session/${part}`,
    `/api/audit/${part}`,
    `/api/disclosures/${part}`,
    `/assets/${part}`,
    `/api/quotes?sessionId=${part}`,
    `${thread}/state?at=${C.query}`,
    `${thread}/events?after=${C.cursor}`,
    `${thread}/events?limit=${C.query}`,
    `${thread}/events?epoch=${C.epoch}&after=x`,
    `/api/disclosures/service_status?version=${C.query}`,
  ]) {
    await traveller.ask(path, { token })
  }
  const odd: readonly Record<string, string>[] = [
    { 'last-event-id': C.lastEventId },
    { 'idempotency-key': C.key.repeat(20) },
    { cookie: `throughline-customer-x=${C.cookie}` },
    { 'user-agent': C.userAgent, referer: `https://example.com/${C.referer}` },
    { 'x-forwarded-for': C.forwarded, 'throughline-role': C.role },
  ]
  for (const headers of odd) await traveller.ask(`${thread}/events`, { token, headers })
  for (const headers of [
    { 'sec-fetch-site': C.fetchSite },
    { 'idempotency-key': C.key.repeat(20) },
  ]) {
    const body = { events: [{ type: 'withdraw', data: { reason: C.withdrawal } }] }
    await traveller.ask(`${thread}/events`, { token, headers, body })
  }
  await traveller.ask(`${thread}/state`, { token: C.authorization })
}

async function askAgents(traveller: Traveller): Promise<void> {
  const operator = { token: C.operatorToken }
  const runs = '/api/threads/desk-canary/runs'
  await traveller.ask(runs, { ...operator, body: { agent: 'desk', input: C.prompt } })
  await traveller.ask(`${runs}/no-run/resume`, {
    ...operator,
    body: { values: { call: C.resumed } },
  })
  await traveller.ask(runs, { ...operator, body: { agent: 'desk', input: { text: C.prompt } } })
  await traveller.ask(runs, { token: C.authorization, body: { agent: 'desk', input: C.prompt } })
  await new Promise((resolve) => setTimeout(resolve, 300))
}
