import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { LibraryRecord } from '../../domain/index.ts'
import type { EventLog } from '../../log/index.ts'
import { isUuid } from '../../log/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Cookies } from './cookies.ts'
import { TOKEN_LIFETIME_S } from './tokens.ts'
import type { Grant } from './tokens.ts'

/** Begins in another way than the cookies of cases, of which the oldest are removed. */
const BROWSER_COOKIE = 'browser-of-throughline'

/**
 * Returns the random id of the browser that sent a request, and sets it in a cookie of its own. A
 * browser without one gets a new id.
 */
export function browserSession(context: Context, cookies: Cookies): string {
  const held = cookies.read(context, BROWSER_COOKIE)
  const session = isUuid(held) ? held : randomUUID()
  cookies.set(context, BROWSER_COOKIE, { value: session, lifetimeS: TOKEN_LIFETIME_S })
  return session
}

/**
 * Appends that a link was opened, once per role and browser session. An empty thread gets no record:
 * its case may still come from a recovery seed, whose record has to be the first.
 */
export async function recordLinkOpening(
  log: EventLog,
  { thread, role }: Grant,
  session: string,
): Promise<void> {
  if ((await log.head(thread)) === -1) return
  const id = stableId('link_opened', thread, role, session)
  // A browser that is known gets in even while nothing can be appended.
  if (await log.find(thread, id)) return
  const data = { role, session }
  const origin = { source: 'ui', surface: role, depth: 0, actor: session } as const
  const type = 'link_opened' satisfies LibraryRecord
  await log.append(thread, [{ id, type, data, origin }])
}
