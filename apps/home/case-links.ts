import { ClientError, membersOf, request, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { CaseKind } from './kept-cases.ts'

/** The addresses under which each role opens a case. */
export interface CaseLinks {
  readonly installer: string
  readonly customer: string
  readonly audit: string
}

/** The scenarios of the demonstration's lenders. */
export const SCENARIOS = ['auto', 'clean', 'counter', 'decline'] as const
export type Scenario = (typeof SCENARIOS)[number]

const ROLES = ['installer', 'customer', 'auditor'] as const

export interface StartedCase {
  readonly sessionId: string
  readonly kind: CaseKind
  /** Each of them gives access. */
  readonly links: CaseLinks
  /** Whether this browser can open the case without them. */
  readonly entry: 'open' | 'by its links'
}

/** @throws ClientError */
export function startCase(retailerName: string): Promise<StartedCase> {
  return create('case', retailerName === '' ? {} : { retailerName })
}

/**
 * Starts a case in which one person plays every part.
 *
 * @throws ClientError
 */
export function startDemonstration(demoScenario: Scenario): Promise<StartedCase> {
  return create('demonstration', { demoScenario, demo: true })
}

async function create(kind: CaseKind, body: Json): Promise<StartedCase> {
  const answer = await request('/api/session', { body })
  const tokens = membersOf(answer)['tokens'] ?? null
  return {
    sessionId: textOf(answer, 'sessionId'),
    kind,
    links: readLinks(answer),
    entry: await enter(ROLES.map((role) => textOf(tokens, role))),
  }
}

/** Sends the requests in sequence, because the server counts the cookies of each request. */
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

/** The page that shows the three pages of a case side by side, with the tokens of its links. */
export function demonstrationAddress(sessionId: string, links?: CaseLinks): string {
  const tokens = Object.entries(links ?? {}).map(([name, link]: [string, string]) => {
    const fragment = new URL(link, location.origin).hash.slice(1)
    return [name, new URLSearchParams(fragment).get('token') ?? '']
  })
  const fragment = tokens.length === 0 ? '' : `#${new URLSearchParams(tokens)}`
  return `/demonstration/${encodeURIComponent(sessionId)}${fragment}`
}

function readLinks(answer: Json): CaseLinks {
  const links = membersOf(answer)['links'] ?? null
  return {
    installer: textOf(links, 'installer'),
    customer: textOf(links, 'customer'),
    audit: textOf(links, 'audit'),
  }
}
