import { randomUUID } from 'node:crypto'
import { takeTurn } from '../apps/broker/journeys/page-turn.fixture.ts'
import type { PageTurn, Told } from '../apps/broker/journeys/page-turn.fixture.ts'
import { request } from '../apps/broker/journeys/served-broker.fixture.ts'
import type { Answered } from '../apps/broker/journeys/served-broker.fixture.ts'

type Role = 'installer' | 'customer' | 'auditor'
type Event = readonly [type: string, data: object]

export interface CaseRecord {
  readonly id: string
  readonly type: string
  readonly origin: { readonly source: string }
}

/** A case that is driven by clicks alone, so that getting it ready costs no model call. */
export class LenderCase {
  readonly id: string
  readonly #tokens: Readonly<Record<Role, string>>
  readonly #sent = new Map<string, PageTurn>()
  /** Changes when the server is started again. */
  url: string

  private constructor(url: string, started: Answered['body']) {
    this.url = url
    this.id = String(started['sessionId'])
    this.#tokens = started['tokens'] as unknown as Readonly<Record<Role, string>>
  }

  /** A case in which only the pre-contract summary has still to be confirmed. */
  static async ready(url: string): Promise<LenderCase> {
    const { body } = await request(`${url}/api/session`, { body: {} })
    const started = new LenderCase(url, body)
    await started.click('installer', ...HANDOVER)
    for (const events of CUSTOMER_CLICKS) await started.click('customer', ...events)
    return started
  }

  click(side: 'installer' | 'customer', ...events: readonly Event[]): Promise<Answered> {
    return request(`${this.url}/api/threads/${this.id}/events`, {
      token: this.#tokens[side],
      body: { events: events.map(([type, data]) => ({ type, data })) },
    })
  }

  /** A turn of the customer's; under the same key once more it is the same request. */
  turn(key: string, ...events: readonly Event[]): Promise<Told> {
    const headers = { authorization: `Bearer ${this.#tokens.customer}` }
    const page = { url: this.url, thread: this.id, side: 'customer', headers } as const
    const directEvents = events.map(([type, data]) => ({ id: randomUUID(), type, data }))
    const turn = this.#sent.get(key) ?? { key, directEvents }
    this.#sent.set(key, turn)
    return takeTurn(page, turn)
  }

  async records(): Promise<readonly CaseRecord[]> {
    const url = `${this.url}/api/threads/${this.id}/events?limit=10000`
    const { body } = await request(url, { token: this.#tokens.auditor })
    return body['records'] as unknown as readonly CaseRecord[]
  }

  async state(role: Role = 'auditor') {
    const url = `${this.url}/api/session/${this.id}`
    const { body } = await request(url, { token: this.#tokens[role] })
    return body['case']
  }
}

export const CONFIRM: Event = ['acknowledge_disclosure', { id: 'pre_contract_summary' }]

const HANDOVER: readonly Event[] = [
  ['record_project_facts', { projectValue: 17_500, depositPct: 10, productSpec: 'panels_battery' }],
  [
    'record_customer_contact',
    { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
  ],
  ['generate_customer_link', {}],
  ['installer_handoff_complete', {}],
]

const CUSTOMER_CLICKS: readonly (readonly Event[])[] = [
  [['present_disclosure', { id: 'service_status' }]],
  [
    ['acknowledge_disclosure', { id: 'service_status' }],
    [
      'record_eligibility',
      { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true },
    ],
    ['record_provisional_quote', { termMonths: 120 }],
    ['record_email_preference', { wantsEmailCopy: false }],
    [
      'record_personal_facts',
      {
        fullName: 'Sarah Jones',
        dateOfBirth: '1984-03-02',
        postcode: 'SW1A 1AA',
        addressLine1: '1 High Street',
        town: 'London',
      },
    ],
    [
      'record_financial_facts',
      { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 },
    ],
    [
      'record_vulnerability_indicators',
      { indicators: ['recent_life_event'], note: 'A canary of the customer’s own' },
    ],
  ],
  [['present_disclosure', { id: 'credit_search_consent' }]],
  [['capture_consent', { consentType: 'credit_search', granted: true }]],
]
