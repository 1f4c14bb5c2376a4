import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ComplianceSummary } from '../../apps/broker/audit/compliance.ts'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { takeTurn } from '../../apps/broker/journeys/page-turn.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { textOf } from '../../src/json/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import type { CookieBrowser } from './cookie-browser.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

type Opener = 'installer' | 'customer' | 'auditor'
type Side = Exclude<Opener, 'auditor'>

/** Events that each side may send at any time. */
const CLICKS = {
  customer: { type: 'record_customer_contact', data: { lastName: 'Jones' } },
  installer: { type: 'record_project_facts', data: { systemKwp: 4 } },
}

/** A case and what its people do in it, each in some browser. */
export class ActedCase {
  readonly journey: Journey
  /** Every opening of a link, as a role and a browser. */
  readonly opened = new Set<string>()
  /** Every act, as its record's id and a browser. */
  readonly acted = new Map<string, string>()

  constructor(journey: Journey) {
    this.journey = journey
  }

  async open(browser: CookieBrowser, role: Opener): Promise<void> {
    const { status } = await browser.open(this.journey.tokens[role])
    expect(status).toBe(200)
    this.opened.add(`${role} ${browser.session}`)
  }

  /** Enters a role's page without its token, by the cookie that the browser keeps. */
  async enter(browser: CookieBrowser, role: Opener): Promise<void> {
    const path = `/api/threads/${this.journey.sessionId}/opened`
    expect((await browser.ask(path, { role, body: {} })).status).toBe(200)
    this.opened.add(`${role} ${browser.session}`)
  }

  async click(browser: CookieBrowser, role: Side): Promise<void> {
    const { body } = await browser.ask(`/api/threads/${this.journey.sessionId}/events`, {
      role,
      body: { events: [CLICKS[role]] },
    })
    const [record] = body.records
    this.acted.set(record.id, browser.session)
  }

  async say(browser: CookieBrowser, role: Side): Promise<void> {
    const id = randomUUID()
    const directEvents = [{ ...CLICKS[role], id }]
    const headers = { ...browser.headers, 'throughline-role': role }
    const page = { ...this.journey.page(role), headers }
    const { end } = await takeTurn(page, { userMessage: 'Thank you', directEvents })
    expect(end).toBe('finished')
    this.acted.set(id, browser.session)
  }

  records(): Promise<readonly LogRecord[]> {
    return recordsOf(this.journey.broker.log, this.journey.sessionId)
  }

  async audit(): Promise<ComplianceSummary> {
    const url = `${this.journey.broker.url}/api/audit/${this.journey.sessionId}`
    const { body } = await request(url, { token: this.journey.tokens.auditor })
    return body['compliance'] as unknown as ComplianceSummary
  }
}

export function openingsIn(records: readonly LogRecord[]): readonly string[] {
  return records
    .filter(({ type }) => type === 'link_opened')
    .map(({ data }) => `${textOf(data, 'role')} ${textOf(data, 'session')}`)
}

/** Checks that each opening is in the log once, and each click with its browser; counts openings. */
export async function checkRecorded(acted: ActedCase, where: string): Promise<number> {
  const records = await acted.records()
  const openings = openingsIn(records)
  expect(openings.toSorted(), where).toEqual([...acted.opened].toSorted())
  const actors = new Map(records.map(({ id, origin }) => [id, origin.actor]))
  for (const [id, session] of acted.acted) expect(actors.get(id), where).toBe(session)
  expect(records[0]?.type).toBe('case_created')
  return openings.length
}
