import { membersOf, textOf } from 'throughline/agui'
import { request } from 'throughline/client'
import type { Json } from 'throughline/log'

/** The addresses under which each role opens a case. */
export interface CaseLinks {
  readonly installer: string
  readonly customer: string
  readonly audit: string
}

/** @throws ClientError */
export async function startCase(retailerName: string): Promise<CaseLinks> {
  const body = retailerName === '' ? {} : { retailerName }
  return readLinks(await request('/api/session', { body }))
}

function readLinks(answer: Json): CaseLinks {
  const links = membersOf(answer)['links'] ?? null
  return {
    installer: textOf(links, 'installer'),
    customer: textOf(links, 'customer'),
    audit: textOf(links, 'audit'),
  }
}
