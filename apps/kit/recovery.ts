import { membersOf } from 'throughline/json'
import { ClientError } from 'throughline/client'
import type { Fetch } from 'throughline/client'
import type { Json } from 'throughline/json'
import { readFragment, writeFragment } from './fragment.ts'
import { sessionRequest } from './session-request.ts'
import type { PageRole } from './session-request.ts'

interface CasePage {
  readonly thread: string
  readonly role: PageRole
}

/** Keeps the recovery seed of an answer, if there is one, in the address of the page. */
export function keepSeed(answer: Json): void {
  const { seed } = membersOf(answer)
  if (typeof seed === 'string') writeFragment('seed', seed)
}

/** Offers the page's recovery seed to a server that may have lost the case. */
export async function offerSeed(page: CasePage): Promise<'held' | 'lost'> {
  const seed = readFragment('seed')
  if (seed === undefined) return 'lost'
  try {
    keepSeed(await sessionRequest(`${sessionUrl(page)}/seed`, page.role, { body: { seed } }))
    return 'held'
  } catch (error) {
    if (error instanceof ClientError) return 'lost'
    throw error
  }
}

/** Gets a first seed for a page that has none: without one it could not bring its case back. */
export async function fetchSeed(page: CasePage): Promise<void> {
  if (readFragment('seed') !== undefined) return
  try {
    const answer = await sessionRequest(sessionUrl(page), page.role)
    if (readFragment('seed') === undefined) keepSeed(answer)
  } catch (error) {
    // The next answer brings one.
    if (!(error instanceof ClientError)) throw error
  }
}

/** Fetches; where the server answers that it has no such case, offers it the seed and fetches again. */
export function fetchOfferingSeed(page: CasePage): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.status !== 404 || (await offerSeed(page)) === 'lost') return response
    return fetch(url, init)
  }
}

function sessionUrl({ thread }: CasePage): string {
  return `/api/session/${encodeURIComponent(thread)}`
}
