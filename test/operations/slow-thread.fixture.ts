import { pino } from 'pino'
import { defineApp, defineDomain, open } from 'throughline'
import { TokenIssuer } from '../../src/server/index.ts'
import { Tokens, serve } from 'throughline/server'
import { z } from 'zod'
import { memoryLog } from '../memory-log.fixture.ts'

/** How long the fold of one record takes, in milliseconds. */
const FOLD_MS = 0.1

/** A server over one thread whose records are slow to fold, without a writer. */
export async function serveSlowThread(records: number) {
  const log = memoryLog()
  const events = Array.from({ length: records }, (_, n) => ({ type: 'counted', data: { n } }))
  await log.append('slow', events)
  await log.append('quick', events.slice(0, 1))
  const domain = defineDomain<{ readonly count: number }>().domain({
    name: 'slow',
    initial: { count: 0 },
    events: {
      counted: {
        schema: z.object({ n: z.number() }),
        by: [{ source: 'ui' }],
        reduce: ({ count }) => {
          hold(FOLD_MS)
          return { count: count + 1 }
        },
      },
    },
  })
  const slow = defineApp({ name: 'slow', domain, roles: { auditor: { read: 'all' } } })
  const tokens = new Tokens(['a secret'])
  const issuer = new TokenIssuer({ tokens, log })
  const server = await serve(await open({ store: log, apps: [slow] }), {
    port: 0,
    tokens,
    store: 'memory',
    version: 'test',
    logger: pino({ level: 'silent' }),
  })
  return {
    ...server,
    tokenFor: async (thread: 'slow' | 'quick') =>
      (await issuer.issue({ thread, role: 'auditor' })).token,
  }
}

/** Keeps the event loop from all other work. */
function hold(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
