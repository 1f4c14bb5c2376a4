import { ClientError, membersOf } from 'throughline/client'
import type { Fetch, Json } from 'throughline/client'
import { keepInBrowser, keptInBrowser } from './browser-storage.ts'
import { FRAGMENT_WRITTEN, readFragment, writeFragment } from './fragment.ts'
import { sessionRequest } from './session-request.ts'
import type { PageRole } from './session-request.ts'

interface CasePage {
  readonly thread: string
  readonly role: PageRole
}

/** Keeps the recovery seed of an answer or a frame, if there is one, in the address of the page. */
export function keepSeed(answer: Json): void {
  const { seed } = membersOf(answer)
  if (typeof seed === 'string') writeFragment('seed', seed)
}

/** Carries the newest seed to each entry that Back or Forward leads to: it holds an older one. */
export function keepSeedInHistory(): void {
  let newest = readFragment('seed')
  addEventListener(FRAGMENT_WRITTEN, () => {
    newest = readFragment('seed') ?? newest
  })
  addEventListener('popstate', () => {
    if (newest !== undefined) writeFragment('seed', newest)
  })
}

/** Keeps the page's seed in this browser too, for visits at an address without it. */
export function keepSeedForVisits({ thread }: CasePage): void {
  keepInBrowser(keptSeedKey(thread), readFragment('seed'))
}

function keptSeedKey(thread: string): string {
  return `seed ${thread}`
}

/** Offers the page's recovery seed to a server that may have lost the case. */
export async function offerSeed(page: CasePage): Promise<'held' | 'lost'> {
  const seed = readFragment('seed') ?? keptInBrowser(keptSeedKey(page.thread))
  if (seed === undefined) return 'lost'
  try {
    keepSeed(await sessionRequest(`${sessionUrl(page)}/seed`, page.role, { body: { seed } }))
    return 'held'
  } catch (error) {
    if (error instanceof ClientError) return 'lost'
    throw error
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
