import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import type { EventLog, IndexedThread, ThreadIndex } from '../log/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { besideLog } from '../storage/shelves.fixture.ts'
import { freshPath } from '../storage/sqlite-folder.fixture.ts'
import { Throughline, defineApp } from './index.ts'
import type { AnyApp, AppParts } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

export interface Ticket {
  readonly status: string
  readonly owner?: string
}

const { event, domain } = defineDomain<Ticket>()
const person = { by: [{ source: 'ui' as const }] }
export const tickets = domain({
  name: 'tickets',
  initial: { status: 'new' },
  events: {
    opened: event({
      schema: z.object({ owner: z.string().optional() }),
      ...person,
      reduce: (_state, { owner }) => ({ status: 'open', ...(owner !== undefined && { owner }) }),
    }),
    closed: event({
      schema: z.object({}),
      ...person,
      reduce: (state) => ({ ...state, status: 'closed' }),
    }),
  },
})
const notes = defineDomain<object>()
const noted = notes.event({ schema: z.object({}), ...person, reduce: (state) => state })
export const notesApp = defineApp({
  name: 'notes',
  domain: notes.domain({ name: 'notes', initial: {}, events: { noted } }),
})

export const byStatus = {
  status: ({ status }: Ticket) => status,
  owner: ({ owner }: Ticket) => owner,
}
export const ticketsApp = (parts: Partial<AppParts<Ticket>> = {}) =>
  defineApp<Ticket>({
    name: 'tickets',
    domain: tickets,
    index: byStatus,
    domainVersion: '1',
    ...parts,
  })

export const newLog = (epoch = uuidv7()) => memoryLog({ now: () => 1_000, epoch })

export interface Setting {
  readonly log?: EventLog
  readonly apps?: readonly AnyApp[]
  readonly threadIndex?: ThreadIndex
  readonly onFault?: (error: unknown, thread?: string) => void
}

export function start({ log = newLog(), apps = [ticketsApp(), notesApp], ...rest }: Setting = {}) {
  return Throughline.start({ log, apps, now: Date.now, id: uuidv7, sha256, ...rest })
}

export const open = (tl: Throughline, thread: string, owner?: string) =>
  tl.propose(thread, [{ type: 'opened', data: owner === undefined ? {} : { owner } }])
export const close = (tl: Throughline, thread: string) =>
  tl.propose(thread, [{ type: 'closed', data: {} }])
export const note = (tl: Throughline, thread: string) =>
  tl.propose(thread, [{ type: 'noted', data: {} }])
export const names = (threads: readonly IndexedThread[]) => threads.map(({ thread }) => thread)

export function newIndex(): ThreadIndex {
  return besideLog(freshPath()).threadIndex
}
