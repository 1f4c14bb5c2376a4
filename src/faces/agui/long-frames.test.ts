import type { Message } from '@ag-ui/core'
import fastJsonPatch from 'fast-json-patch'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../json/index.ts'
import type { AguiLoss } from './downgrade.ts'
import { AGUI_FRAME_BYTES_MAX, recordFrames } from './frame.ts'
import { messagesSnapshotEvents } from './messages-snapshot.ts'
import { stateDeltaEvents, stateSnapshotEvents } from './state-events.ts'
import { streamText } from './run-writer.ts'
import type { WireEvent } from './wire-event.ts'

const TEXT = '€'.repeat(40_000)

test('a history that is too long for a frame keeps its newest messages, and says how many are missing', () => {
  const messages = Array.from({ length: 100 }, (_, at): Message => {
    return { id: `m-${at}`, role: at % 2 === 0 ? 'user' : 'assistant', content: TEXT }
  })
  const [snapshot, truncated] = messagesSnapshotEvents(messages, { timestamp: 1 })
  const kept = snapshot?.['messages'] as readonly Message[]
  expect(bytesOf(snapshot)).toBeLessThanOrEqual(AGUI_FRAME_BYTES_MAX)
  expect(kept).toEqual(messages.slice(-kept.length))
  // One more would not have fitted.
  expect(bytesOf(snapshot) + 120_000).toBeGreaterThan(AGUI_FRAME_BYTES_MAX)
  expect(truncated).toMatchObject({
    type: 'CUSTOM',
    name: 'throughline.history_truncated',
    value: { missing: messages.length - kept.length },
  })
})

test('a cut history does not begin with the result of a call that it lacks', () => {
  const call = { id: 'c', type: 'function' as const, function: { name: 'n', arguments: TEXT } }
  const messages: readonly Message[] = [
    { id: 'a', role: 'assistant', toolCalls: [call] },
    { id: 'r', role: 'tool', toolCallId: 'c', content: 'ok' },
    { id: 'u', role: 'user', content: 'Thanks' },
  ]
  const [snapshot, truncated] = messagesSnapshotEvents(messages, {
    timestamp: 1,
    bytesMax: 10_000,
  })
  expect(snapshot).toMatchObject({ messages: [{ id: 'u' }] })
  expect(truncated).toMatchObject({ value: { missing: 2 } })
})

test('a state of any size reaches the client whole, in frames that are short enough', () => {
  // As a log holds them: JSON has no -0.
  const states = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as Json)
  const bytesMax = 1_024 + 200
  fc.assert(
    fc.property(states, states, (before, after) => {
      const options = { timestamp: 1, bytesMax }
      const first = appliedTo(null, stateSnapshotEvents(before, options))
      expect(first).toEqual(before)
      const events = stateDeltaEvents(before, after, options)
      expect(appliedTo(before, events)).toEqual(after)
      const long = events.filter((event) => bytesOf(event) > bytesMax)
      // A single text is never split.
      expect(long.every(({ delta }) => Array.isArray(delta) && delta.length === 1)).toBe(true)
    }),
  )
})

test('a state with keys that a JSON Patch may not name reaches the client whole', () => {
  const options = { timestamp: 1, bytesMax: 1_024 + 100 }
  const states: readonly Json[] = ['{}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}']
    .map((text) => JSON.parse(text) as Json)
    .flatMap((state) => [state, { in: state, text: TEXT.slice(0, 200) }])
  for (const before of states) {
    for (const after of states) {
      expect(appliedTo(null, stateSnapshotEvents(after, options))).toEqual(after)
      expect(appliedTo(before, stateDeltaEvents(before, after, options))).toEqual(after)
    }
  }
})

test('a state of 12 MB is a snapshot and deltas of at most 8 MiB', () => {
  const state = { lists: Array.from({ length: 100 }, () => ({ text: TEXT })) }
  const events = stateSnapshotEvents(state, { timestamp: 1 })
  expect(events.map(({ type }) => type)[0]).toBe('STATE_SNAPSHOT')
  expect(events.length).toBeGreaterThan(1)
  for (const event of events) expect(bytesOf(event)).toBeLessThanOrEqual(AGUI_FRAME_BYTES_MAX)
  expect(appliedTo(null, events)).toEqual(state)
})

test('a single text that is too long for a frame is sent, with the warning frame_too_long', () => {
  const lost: AguiLoss[] = []
  const options = { protocol: '1.0', onLoss: (loss: AguiLoss) => void lost.push(loss) } as const
  const textOf = (chars: number): string => {
    const events = stateDeltaEvents({}, { text: '€'.repeat(chars), n: 1 }, { timestamp: 1 })
    return streamText(recordFrames(7, events), options)
  }
  textOf(AGUI_FRAME_BYTES_MAX / 3 - 1_024)
  expect(lost).toEqual([])
  expect(Buffer.byteLength(textOf(AGUI_FRAME_BYTES_MAX / 3))).toBeGreaterThan(AGUI_FRAME_BYTES_MAX)
  expect(lost).toEqual([{ code: 'frame_too_long', type: 'STATE_DELTA' }])
})

function appliedTo(state: Json, events: readonly WireEvent[]): Json {
  let now = state
  for (const event of events) {
    if (event.type === 'STATE_SNAPSHOT') now = structuredClone(event['snapshot'] ?? null)
    else now = fastJsonPatch.applyPatch(now, event['delta'] as never, true, false).newDocument
  }
  return now
}

function bytesOf(event: unknown): number {
  return Buffer.byteLength(JSON.stringify(event))
}
