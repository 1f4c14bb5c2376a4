import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentEvent, customEvent } from '../activity/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { LogRecord } from '../log/index.ts'
import { emptySnapshot, foldSnapshot } from './snapshot.ts'

type Event = Pick<LogRecord, 'type' | 'data' | 'origin'>

const ui = { source: 'ui', depth: 0 } as const
const model = { source: 'model', depth: 0 } as const
const system = { source: 'system', depth: 0 } as const

const { event, domain } = defineDomain<{ readonly isLit: boolean }>()
const switchOn = event({
  schema: z.object({}),
  by: [],
  reduce: (state) => (state.isLit ? state : { isLit: true }),
})
const lamp = domain({ name: 'lamp', initial: { isLit: false }, events: { switch_on: switchOn } })

/** When the thread was last active, after events of the times 1, 2, 3 … */
function activeAfter(...events: readonly Event[]): number {
  const records = events.map((each, seq) => {
    const place = { id: `r${seq}`, thread: 't', seq, ts: seq + 1, v: 1, prev: '', hash: 'h' }
    return { ...each, ...place }
  })
  return foldSnapshot(lamp, emptySnapshot(lamp), records).activeAt
}

const on: Event = { type: 'switch_on', data: {}, origin: ui }
const onBySystem: Event = { ...on, origin: system }
const refused: Event = { type: 'event_refused', data: {}, origin: ui }
const said = (origin: Event['origin']) => ({
  ...agentEvent('TEXT_MESSAGE_END', { messageId: 'm' }, origin),
  origin,
})
const noted = (name: string, origin: Event['origin']) => ({
  ...customEvent(name, {}, origin),
  origin,
})

test.each<{ what: string; events: readonly Event[] }>([
  { what: 'an event of a person', events: [on] },
  { what: 'an event of a person that changes nothing', events: [on, on] },
  { what: 'an event of a person that was refused', events: [on, refused] },
  { what: 'a record of a run', events: [on, said({ ...model, run: 'r' })] },
  { what: 'a change of the state by the server', events: [refused, onBySystem] },
])('$what counts as activity', ({ events }) => {
  expect(activeAfter(...events)).toBe(events.length)
})

test.each<{ what: string; quiet: Event }>([
  { what: 'an event of the server that changes nothing', quiet: onBySystem },
  { what: 'a refused event of the server', quiet: { ...refused, origin: system } },
  { what: 'a note of the server', quiet: noted('webhook_delivered', system) },
  { what: 'a request of the operator', quiet: noted('webhook_resent', ui) },
  { what: 'an opened page', quiet: { type: 'link_opened', data: {}, origin: ui } },
  { what: 'a message that a seed brought back', quiet: said(ui) },
])('$what does not count as activity', ({ quiet }) => {
  expect(activeAfter(on, quiet)).toBe(1)
})

test('an empty thread was never active', () => {
  expect(activeAfter()).toBe(0)
})
