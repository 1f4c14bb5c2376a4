import { membersOf, textOf } from 'throughline/agui'
import { request } from 'throughline/client'
import type { Json } from 'throughline/log'

/** The addresses under which each role opens a case. */
export interface CaseLinks {
  readonly installer: string
  readonly customer: string
  readonly audit: string
}

/** How the demonstration's lenders answer. */
export const SCENARIOS = ['auto', 'clean', 'counter', 'decline'] as const
export type Scenario = (typeof SCENARIOS)[number]

/** @throws ClientError */
export async function startCase(retailerName: string, demoScenario: Scenario): Promise<CaseLinks> {
  const named = retailerName === '' ? {} : { retailerName }
  return readLinks(await request('/api/session', { body: { ...named, demoScenario } }))
}

/** The customer's page with the bar for whoever shows it to others. */
export function withDemoBar(customer: string): string {
  const [path = '', fragment = ''] = customer.split('#')
  return `${path}?demo=1#${fragment}`
}

function readLinks(answer: Json): CaseLinks {
  const links = membersOf(answer)['links'] ?? null
  return {
    installer: textOf(links, 'installer'),
    customer: textOf(links, 'customer'),
    audit: textOf(links, 'audit'),
  }
}
