import type { Face, FrameWriter, Subject } from 'throughline/server/extend'
import { RETRY_MS, namedFrame } from 'throughline/server/extend'
import { membersOf } from 'throughline'
import type { LogRecord } from 'throughline'
import { flatEvent } from '../events/index.ts'

/** Records beside the 21 types that pages follow too, as events of these names: their data, and `ts`. */
const NAMED = new Set([
  'budget_set',
  'budget_spent',
  'permission_asked',
  'permission_answered',
  'permission_decided',
  'permission_rule_added',
  'permission_rule_removed',
  'job_saved',
  'offer_declined',
  'message_dropped',
])

/** Each record as one flat event: `{ id, ts, sessionId, type, … }`. */
export function flatFace(sessionId: () => string | null): Face {
  return {
    name: 'team',
    reading: () => ({
      key: '',
      state: false,
      writer,
      async list({ thread }: Subject, { log, after, limit }) {
        const texts: string[] = []
        for await (const records of log.read(thread, { after, limit })) {
          texts.push(...records.flatMap((record) => flatText(record) ?? []))
        }
        return { name: 'events', texts, rest: { head: await log.head(thread), epoch: log.epoch } }
      },
    }),
    opening: (place) => `retry: ${RETRY_MS}\n${namedFrame('hello', place)}`,
    async restart(_subject, { reason, epoch }) {
      // Everything that is held is sent again, and begins with what the new log began with.
      return { after: -1, frames: namedFrame('reset', { reason, epoch }) }
    },
    heartbeat(_thread, ts) {
      const beat = { id: null, ts, sessionId: sessionId(), type: 'heartbeat' }
      return `data: ${JSON.stringify(beat)}\n\n`
    },
  }
}

function writer(): FrameWriter {
  return {
    frames: 'written',
    async catchUp() {},
    framesOf: (records) => records.map(frameOf).join(''),
  }
}

function frameOf(record: LogRecord): string {
  const text = flatText(record)
  if (text !== undefined) return `id: ${record.seq}\ndata: ${text}\n\n`
  if (!NAMED.has(record.type)) return `id: ${record.seq}\n\n`
  const data = JSON.stringify({ ...membersOf(record.data), ts: record.ts })
  return `id: ${record.seq}\nevent: ${record.type}\ndata: ${data}\n\n`
}

function flatText(record: LogRecord): string | undefined {
  const event = flatEvent(record)
  return event && JSON.stringify(event)
}
