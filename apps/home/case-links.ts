import { membersOf, textOf } from 'throughline/json'
import { ClientError, request } from 'throughline/client'
import type { Json } from 'throughline/json'

/** The addresses under which each role opens a case. */
export interface CaseLinks {
  readonly installer: string
  readonly customer: string
  readonly audit: string
}

/** How the demonstration's lenders answer. */
export const SCENARIOS = ['auto', 'clean', 'counter', 'decline'] as const
export type Scenario = (typeof SCENARIOS)[number]

const ROLES = ['installer', 'customer', 'auditor'] as const

export interface StartedCase {
  readonly sessionId: string
  /** Whoever has one of them is let in, once. */
  readonly links: CaseLinks
  /** Whether this browser is let in by now, without them. */
  readonly entry: 'open' | 'by its links'
}

/** @throws ClientError */
export async function startCase(
  retailerName: string,
  demoScenario: Scenario,
): Promise<StartedCase> {
  const named = retailerName === '' ? {} : { retailerName }
  const answer = await request('/api/session', { body: { ...named, demoScenario } })
  const tokens = membersOf(answer)['tokens'] ?? null
  return {
    sessionId: textOf(answer, 'sessionId'),
    links: readLinks(answer),
    entry: await enter(ROLES.map((role) => textOf(tokens, role))),
  }
}

/** One after the other: the server counts the cookies that each request brings. */
async function enter(tokens: readonly string[]): Promise<StartedCase['entry']> {
  try {
    for (const token of tokens) {
      await request('/api/token', { body: { token, purpose: 'keep' } })
    }
    return 'open'
  } catch (error) {
    if (error instanceof ClientError) return 'by its links'
    throw error
  }
}

/** The addresses of a case that this browser has entered. */
export function linksOf(sessionId: string): CaseLinks {
  const id = encodeURIComponent(sessionId)
  return { installer: `/installer/${id}`, customer: `/customer/${id}`, audit: `/audit/${id}` }
}

/** The customer's page with the bar for whoever shows it to others. */
export function withDemoBar(customer: string): string {
  const [path = '', fragment] = customer.split('#')
  return `${path}?demo=1${fragment === undefined ? '' : `#${fragment}`}`
}

function readLinks(answer: Json): CaseLinks {
  const links = membersOf(answer)['links'] ?? null
  return {
    installer: textOf(links, 'installer'),
    customer: textOf(links, 'customer'),
    audit: textOf(links, 'audit'),
  }
}
