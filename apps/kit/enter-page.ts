import { ClientError } from 'throughline/client'
import { readFragment, writeFragment } from './fragment.ts'
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
 * Opens the page's thread: exchanges the token of the link for a cookie, and offers the recovery seed
 * to a server that may have lost the case. Gives nothing when the address names no thread or its
 * token does not hold.
 */
export async function enterPage(
  role: PageRole,
  threadSegment = THREAD_SEGMENT,
): Promise<PageEntry | undefined> {
  const thread = location.pathname.split('/')[threadSegment]
  if (!thread) return undefined
  const entry = { thread: decodeURIComponent(thread), role }
  try {
    await exchangeToken(role)
    await offerSeed(entry)
    return entry
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}

async function exchangeToken(role: PageRole): Promise<void> {
  const token = readFragment('token')
  if (token === undefined) return
  await sessionRequest('/api/token', role, { body: { token } })
  writeFragment('token', undefined)
}
