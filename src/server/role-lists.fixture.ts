import { z } from 'zod'
import { defineApp } from '../application/index.ts'
import type { Throughline } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import { byHeader, mounted } from './mounted-routes.fixture.ts'
import type { Caller } from './index.ts'

export interface Claim {
  readonly status: string
  readonly name: string
}

const { event, domain } = defineDomain<Claim>()
export const claims = domain({
  name: 'claims',
  initial: { status: 'new', name: '' },
  events: {
    filed: event({
      schema: z.object({ name: z.string() }),
      by: [{ source: 'ui' }],
      reduce: (_state, { name }) => ({ status: 'open', name }),
      personal: ['name'],
    }),
  },
})
const app = defineApp<Claim>({
  name: 'claims',
  domain: claims,
  index: { status: ({ status }) => status, name: ({ name }) => name },
  roles: {
    holder: { read: 'all', propose: 'all' },
    clerk: { read: 'redacted', lists: ['status'] },
    guest: { read: { state: () => null } },
  },
})

/** Holders enter the threads that begin with their own name; a stranger enters none. */
const ownThreads = (request: Request, thread: string | undefined): Caller | undefined => {
  const caller = byHeader(request, thread) as Caller | undefined
  if (caller?.role !== 'holder' || thread === undefined) return caller
  return thread.startsWith(`${caller.actor}-`) ? caller : undefined
}

export const served = () => mounted({ authenticate: ownThreads }, app)
export const file = (tl: Throughline, thread: string, name = thread) =>
  tl.propose(thread, [{ type: 'filed', data: { name } }])
