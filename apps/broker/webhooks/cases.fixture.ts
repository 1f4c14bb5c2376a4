import { randomUUID } from 'node:crypto'
import type { EventLog, NewEvent } from 'throughline'
import { ShelvedCursors } from 'throughline/server/extend'
import { MemoryShelves, openLog } from 'throughline/log'
import { logWith } from '../../../src/log/log-with.fixture.ts'
import { given } from '../case/given-case.fixture.ts'
import { upTo } from '../case/journey.fixture.ts'
import type { KeptCursors } from '../journeys/served-broker.fixture.ts'

export function newLog(): Promise<EventLog> {
  return openLog('memory:')
}

export function newCursors(): KeptCursors {
  const shelves = new MemoryShelves()
  return Object.assign(new ShelvedCursors(shelves), { shelves })
}

const eventsOf = (step: 'contact' | 'handoff'): readonly NewEvent[] =>
  given(...upTo(step)).records.map(({ type, data, origin }) => ({ type, data, origin }))
const HANDED_OVER = eventsOf('handoff')
const [CREATED] = eventsOf('contact')

/** Appends a case whose link is to be sent, and returns its thread. */
export async function appendHandedOver(log: EventLog): Promise<string> {
  const thread = randomUUID()
  await log.append(thread, HANDED_OVER)
  return thread
}

/** Appends cases that have nothing to send. */
export async function appendCases(log: EventLog, count: number): Promise<void> {
  const created = CREATED ? [CREATED] : []
  await Promise.all(Array.from({ length: count }, () => log.append(randomUUID(), created)))
}

/** A log that counts the threads that are read. */
export function counted(log: EventLog) {
  const read = new Set<string>()
  const counting = logWith(log, {
    read(thread, options) {
      read.add(thread)
      return log.read(thread, options)
    },
  })
  return { log: counting, read }
}
