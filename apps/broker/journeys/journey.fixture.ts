import { turnOf } from 'throughline/server/extend'
import type { Json, LogRecord } from 'throughline'
import { membersOf, textOf } from 'throughline'
import { PERSONAL_IN_CASE } from '../case/personal-data.ts'
import { takeTurn } from './page-turn.fixture.ts'
import type { PageAccess, PageTurn, Told } from './page-turn.fixture.ts'
import { request } from './served-broker.fixture.ts'
import type { Answered, ServedBroker } from './served-broker.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

export const REFERENCE_SENTENCE =
  'Seventeen and a half thousand pounds solar plus battery, ten percent deposit, customer is Sarah, ' +
  'sarah at example dot com, oh seven seven hundred nine hundred one two three.'

type Side = PageAccess['side']
type DirectEvent = readonly [type: string, data: Readonly<Record<string, Json>>]

/** Drives one case over HTTP as the pages of its sides do. */
export class Journey {
  readonly sessionId: string
  readonly tokens: Readonly<Record<'installer' | 'customer' | 'auditor', string>>
  broker: ServedBroker
  /** The one that came last. */
  seed: string | undefined

  constructor(broker: ServedBroker, started: Answered['body']) {
    this.broker = broker
    this.sessionId = String(started['sessionId'])
    this.tokens = started['tokens'] as unknown as Journey['tokens']
  }

  static async start(
    broker: ServedBroker,
    demoScenario = 'clean',
    more: { readonly demo?: true } = {},
  ): Promise<Journey> {
    const started = { demoScenario, ...more }
    const { body } = await request(`${broker.url}/api/session`, { body: started })
    return new Journey(broker, body)
  }

  say(side: Side, userMessage: string): Promise<Told> {
    return this.turn(side, { userMessage })
  }

  click(...events: readonly DirectEvent[]): Promise<Told> {
    return this.turn('customer', { directEvents: events.map(([type, data]) => ({ type, data })) })
  }

  /** Also gives a server that has lost the case its seed, and asks the model to report an effect. */
  async turn(side: Side, turn: PageTurn): Promise<Told> {
    const first = await takeTurn(this.page(side), turn)
    const isLost = first.status === 404 && this.seed !== undefined
    if (isLost) await offerSeed(this, this.seed ?? '')
    const told = isLost ? await takeTurn(this.page(side), turn) : first
    const { seed } = told.session
    if (typeof seed === 'string') this.seed = seed
    return told.isUnreported ? this.turn(side, {}) : told
  }

  page(side: Side): PageAccess {
    const { broker, sessionId: thread, tokens } = this
    const headers = { authorization: `Bearer ${tokens[side]}` }
    return {
      thread,
      side,
      headers,
      // Read for each request: a test may send each to another server.
      get url() {
        return broker.url
      },
    }
  }

  /** What the gate refused of what the model proposed in a turn: no side is shown that. */
  async refusedOfModel({ body }: Told): Promise<readonly { type: string; reason: string }[]> {
    const records = await recordsOf(this.broker.log, this.sessionId)
    return records
      .filter(({ type, origin }) => type === 'event_refused' && origin.source === 'model')
      .filter((record) => turnOf(record) === body['runId'])
      .map(({ data }) => ({ type: textOf(data, 'type'), reason: textOf(data, 'reason') }))
  }

  /** Presents a disclosure as the page does when the model has not. */
  async present(id: string): Promise<void> {
    const { disclosures } = (await this.state()) as unknown as { disclosures: { id: string }[] }
    if (disclosures.some((shown) => shown.id === id)) return
    const url = `${this.broker.url}/api/threads/${this.sessionId}/events`
    const events = [{ type: 'present_disclosure', data: { id } }]
    await request(url, { token: this.tokens.customer, body: { events } })
  }

  /** The whole case: what an auditor reads of it, and the personal data that the customer reads. */
  async state(): Promise<Readonly<Record<string, Json>>> {
    const { auditor, customer } = this.tokens
    const { url } = this.broker
    const audited = await request(`${url}/api/audit/${this.sessionId}`, { token: auditor })
    const own = await request(`${url}/api/session/${this.sessionId}`, { token: customer })
    const personal = Object.entries(membersOf(own.body['case'] ?? null)).filter(([member]) =>
      PERSONAL_PARTS.has(member),
    )
    return {
      ...membersOf(audited.body['case'] ?? null),
      ...Object.fromEntries(personal),
    } as Readonly<Record<string, Json>>
  }
}

const PERSONAL_PARTS = new Set(PERSONAL_IN_CASE.map((path) => path.split('.')[1] ?? ''))

const YES = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }

const PERSONAL = {
  fullName: 'Sarah Jones',
  dateOfBirth: '1984-03-02',
  postcode: 'SW1A 1AA',
  addressLine1: '1 High Street',
  town: 'London',
  propertyType: 'Terraced',
  residentialStatus: 'Mortgaged',
}

const FINANCIAL = { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 }

/** The steps of the clean journey after the installer's sentence, in the order of the gates. */
export const CUSTOMER_STEPS: readonly ((journey: Journey) => Promise<Told>)[] = [
  (journey) => journey.turn('customer', { isFirstTurn: true }),
  async (journey) => {
    await journey.present('service_status')
    return journey.click(['acknowledge_disclosure', { id: 'service_status' }])
  },
  (journey) => journey.click(['record_eligibility', YES]),
  (journey) => journey.click(['record_provisional_quote', { termMonths: 120 }]),
  (journey) => journey.click(['record_email_preference', { wantsEmailCopy: false }]),
  (journey) =>
    journey.click(['record_personal_facts', PERSONAL], ['record_financial_facts', FINANCIAL]),
  (journey) => journey.click(['record_vulnerability_indicators', { indicators: [] }]),
  async (journey) => {
    await journey.present('credit_search_consent')
    return journey.click(['capture_consent', { consentType: 'credit_search', granted: true }])
  },
  (journey) => journey.click(['acknowledge_disclosure', { id: 'pre_contract_summary' }]),
]

/** Accepts what the panel approved. */
export async function acceptOffer(journey: Journey): Promise<Told> {
  const { waterfall } = await journey.state()
  const { acceptedOffer } = waterfall as unknown as { acceptedOffer: { id: string } }
  return journey.click(['select_offer', { offerId: acceptedOffer.id }])
}

/** Hands over without the model, as an installer's page can. */
export async function handOver(journey: Journey): Promise<Told> {
  const project = { projectValue: 17_500, depositPct: 10, productSpec: 'panels_battery' }
  const contact = { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' }
  return journey.turn('installer', {
    directEvents: [
      { type: 'record_project_facts', data: project },
      { type: 'record_customer_contact', data: contact },
      { type: 'generate_customer_link', data: {} },
      { type: 'installer_handoff_complete', data: {} },
    ],
  })
}

/** A case that its installer handed over, with the first of the customer's steps done. */
export async function caseAfter(
  broker: ServedBroker,
  steps = 0,
  scenario = 'clean',
): Promise<Journey> {
  const journey = await Journey.start(broker, scenario)
  await handOver(journey)
  for (const step of CUSTOMER_STEPS.slice(0, steps)) await step(journey)
  return journey
}

export async function walk(journey: Journey): Promise<void> {
  for (const step of CUSTOMER_STEPS) await step(journey)
}

const BY = { model: 'M', ui: 'U', rule: 'R', system: 'Y', process: 'P', remote: 'P' }

/** Returns the events of a case in order: source, type, and the disclosure's id. */
export function traceOf(records: readonly LogRecord[]): readonly string[] {
  return records.filter(({ type }) => type !== type.toUpperCase()).map(traced)
}

function traced({ origin, type, data }: LogRecord): string {
  const surface = origin.source === 'model' ? origin.surface?.[0] : ''
  const by = origin.rule ?? `${BY[origin.source]}${surface}`
  const id = data && typeof data === 'object' && 'id' in data ? `(${String(data.id)})` : ''
  return `${by} ${type}${id}`
}

/** A page that finds its server has forgotten the case gives it the seed. */
export function offerSeed(
  journey: Journey,
  seed: string,
  { url } = journey.broker,
): Promise<Answered> {
  const token = journey.tokens.customer
  return request(`${url}/api/session/${journey.sessionId}/seed`, { token, body: { seed } })
}
