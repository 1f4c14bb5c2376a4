import { EventType } from '@ag-ui/core'
import fc from 'fast-check'
import fastJsonPatch from 'fast-json-patch'
import { expect, test } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { toAgui } from '../../agui/index.ts'
import { turnOf } from '../../activity/index.ts'
import { brokenRules } from '../../activity/wire-rules.fixture.ts'
import { schemaFaults } from '../../activity/wire-schema.fixture.ts'
import { textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { applied, readFrames, verified } from './stock-client.fixture.ts'
import type { ReadFrame } from './stock-client.fixture.ts'
import { joinText, joined, messagesAt, turnText } from './streams.fixture.ts'
import { anyThread, randomThread, viewOf } from './threads.fixture.ts'
import type { Reader } from './threads.fixture.ts'
import type { WireEvent } from './wire-event.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const RUNS = timesInTier({ quick: 12, full: 500 })
const TIMEOUT = 20_000 * RUNS
const TYPES: readonly string[] = Object.values(EventType)
const reader = fc.constantFrom<Reader>('operator', 'guest')

test(
  '[E006] [E020] [E037] any turn of any tree passes the checks of the stock clients',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, async ({ shape, ...how }, role) => {
        const { log, records } = await randomThread(shape, how)
        for (const turn of turnsOf(records)) {
          const events = eventsIn(await turnText(log, { role, turn }))
          expect(events.flatMap(schemaFaults)).toEqual([])
          await verified(events)
          const before = await turnText(log, { role, turn, protocol: 'before-1.0' })
          await verified(eventsIn(before), 'before-1.0')
        }
        const all = [...toAgui(records)].map(({ event }) => event)
        // The stock verifier allows more than the protocol does.
        expect(brokenRules(all as never)).toEqual([])
        await verified(all)
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E1] [E029] [E038] [E042] at every position a fresh state is the snapshot and the deltas, per role',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, async ({ shape, ...how }, role) => {
        const { log, records } = await randomThread(shape, how)
        const view = viewOf(log, role)
        for (const turn of turnsOf(records)) {
          let state: Json = null
          const frames = readFrames(await turnText(log, { role, turn }))
          for (const [at, { id, event }] of frames.entries()) {
            state = stateAfter(state, event)
            if (at === 0 || id.includes('.')) continue
            const fresh = await view.state('t', Number(id))
            expect(state).toEqual(fresh.state)
          }
        }
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E002] [E003] [E045] [E046] frames carry a type of AG-UI, the time of their record, ids that grow, and a role on each message',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, async ({ shape, ...how }, role) => {
        const { log, records } = await randomThread(shape, how)
        for (const turn of turnsOf(records)) {
          const frames = readFrames(await turnText(log, { role, turn }))
          const times = frames.map(({ id }) => records[seqOf(id)]?.ts)
          expect(frames.map(({ event }) => event.timestamp)).toEqual(times)
          for (const { event } of frames) expect(TYPES).toContain(event.type)
          expect(idsThatFit(frames)).toEqual(frames.map(({ id }) => id))
          const starts = frames.filter(({ event }) => event.type === 'TEXT_MESSAGE_START')
          for (const { event } of starts) expect(textOf(event, 'role')).not.toBe('')
        }
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E1] a stream that is cut after any frame goes on with the same bytes',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, fc.nat(), async ({ shape, ...how }, role, pick) => {
        const { log, records } = await randomThread(shape, how)
        for (const turn of turnsOf(records)) {
          const whole = await turnText(log, { role, turn })
          const texts = whole.split(/(?<=\n\n)/)
          for (const [at, { id }] of readFrames(whole).entries()) {
            // Inside of records wherever it is possible, and at one of the other places.
            if (!id.includes('.') && at !== pick % texts.length) continue
            const rest = await turnText(log, { role, turn, after: id })
            expect(texts.slice(0, at + 1).join('') + rest).toBe(whole)
          }
        }
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E1] [E032] [E040] a client that joins at any record holds what one holds that was there from the start',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, fc.nat(), async ({ shape, ...how }, role, pick) => {
        const { records } = await randomThread(shape, how)
        const at = pick % records.length
        const { events, frames, end } = await joined(memoryLog(), { records, at, role })
        await verified(events)
        const client = await applied(events)
        expect(client.messages).toEqual(messagesAt(records, { role, upTo: end }))
        const fresh = await viewOf(await logOf(records), role).state('t', end)
        expect(client.state).toEqual(fresh.state)
        // A prelude's frames are no record's.
        const [prelude] = frames
        expect(prelude?.id).toBe(`p${at}.0`)
        const cut = pick % frames.length
        const after = frames[cut]?.id ?? ''
        const again = await joined(memoryLog(), { records, at: records.length - 1, role, after })
        expect(again.frames).toEqual(frames.slice(cut + 1))
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E040] a client that was there for all turns holds the messages of the thread',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, async ({ shape, ...how }, role) => {
        const { log, records } = await randomThread(shape, how)
        let client = await applied([])
        for (const turn of turnsOf(records)) {
          client = await applied(eventsIn(await turnText(log, { role, turn })), client)
        }
        expect(client.messages).toEqual(messagesAt(records, { role, upTo: records.length }))
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

test(
  '[E11] a record that a role may not see leaves no trace in its streams',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, async ({ shape, ...how }) => {
        const { log, records } = await randomThread(shape, how)
        const turns = turnsOf(records)
        const texts = [
          ...(await Promise.all(turns.map((turn) => turnText(log, { role: 'guest', turn })))),
          await joinText(log, { role: 'guest' }),
        ]
        for (const text of texts) {
          expect(text).not.toMatch(/secret|Hm\.|TOOL_CALL|STEP_|SUBAGENT|model_output/)
        }
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

function turnsOf(records: readonly LogRecord[]): readonly string[] {
  return [...new Set(records.filter(({ type }) => type === 'RUN_STARTED').map(turnOf))]
}

function eventsIn(text: string): readonly WireEvent[] {
  return readFrames(text).map(({ event }) => event)
}

async function logOf(records: readonly LogRecord[]) {
  const log = memoryLog()
  await log.append(
    't',
    records.map(({ id, ts, type, data, origin, v }) => ({ id, ts, type, data, origin, v })),
  )
  return log
}

function stateAfter(state: Json, event: WireEvent): Json {
  if (event.type === 'STATE_SNAPSHOT') return event['snapshot'] ?? null
  if (event.type !== 'STATE_DELTA') return state
  const { newDocument } = fastJsonPatch.applyPatch(
    structuredClone(state),
    event['delta'] as never,
    true,
  )
  return newDocument as Json
}

/** The ids that frames of these records have, in their order. */
function idsThatFit(frames: readonly ReadFrame[]): readonly string[] {
  const seqs = frames.map(({ id }) => seqOf(id))
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
  return seqs.map((seq, at) => {
    const part = at - seqs.indexOf(seq)
    return at === seqs.lastIndexOf(seq) ? String(seq) : `${seq}.${part}`
  })
}

function seqOf(id: string): number {
  return Number(id.split('.')[0])
}
