import { Backoff, ClientError } from 'throughline/client'
import { API, threadUrl } from './api.ts'
import { forgetToken, takeToken } from './fragment.ts'
import { offerSeed } from './recovery.ts'
import type { PageRole } from './session-request.ts'
import { sessionRequest } from './session-request.ts'

export interface PageEntry {
  readonly thread: string
  readonly role: PageRole
}

/** In `/customer/<thread>` and its like. */
const THREAD_SEGMENT = 2

/**
 * Opens the page's thread: exchanges the token of the link for a cookie, or records the opening of a
 * page that has its cookie. Then offers the recovery seed to a server that may have lost the case. Asks
 * until the server answers. Returns nothing when the address names no thread, or when the server refuses it.
 */
export async function enterPage(
  role: PageRole,
  threadSegment = THREAD_SEGMENT,
): Promise<PageEntry | undefined> {
  const thread = location.pathname.split('/')[threadSegment]
  if (!thread) return undefined
  const entry = { thread: decodeURIComponent(thread), role }
  try {
    const token = takeToken()
    await untilAnswered(() =>
      token === undefined ? recordOpening(entry) : exchangeToken(role, token),
    )
    await offerSeed(entry)
    return entry
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}

/** Exchanges the token of a link to a page of all threads for a cookie; the page itself learns what it opens. */
export async function enterList(): Promise<void> {
  const token = takeToken()
  if (token === undefined) return
  try {
    await untilAnswered(() => exchangeToken('operator', token))
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
  }
}

async function recordOpening({ thread, role }: PageEntry): Promise<void> {
  if (role === 'operator') return
  try {
    await sessionRequest(`${threadUrl(thread)}/opened`, role, { body: {} })
  } catch (error) {
    // A browser without a valid cookie learns that from the page's stream.
    if (!(error instanceof ClientError && error.final)) throw error
  }
}

async function exchangeToken(role: PageRole, token: string): Promise<void> {
  await sessionRequest(`${API}/token`, role, { body: { token } })
  forgetToken()
}

/** Asks again for as long as the server cannot be reached or cannot answer. */
async function untilAnswered(ask: () => Promise<void>): Promise<void> {
  const backoff = new Backoff(Math.random)
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (!(error instanceof ClientError) || error.final) throw error
      await pause(backoff.failed(error.retryAfterMs))
    }
  }
}

/** Ends early where the browser is online again. */
function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    clearTimeout(timer)
    removeEventListener('online', end)
    resolve()
  }
  const timer = setTimeout(end, ms)
  addEventListener('online', end)
  return promise
}
