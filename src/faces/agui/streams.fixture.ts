import type { Message } from '@ag-ui/core'
import type { EventLog, LogRecord, NewEvent } from '../../log/index.ts'
import type { Reading, RunWriter } from '../face.ts'
import { joinStream } from './join-stream.ts'
import type { JoinStreamOptions } from './join-stream.ts'
import { readFrames } from './stock-client.fixture.ts'
import type { ReadFrame } from './stock-client.fixture.ts'
import { ThreadEncoder } from './thread-encoder.ts'
import { viewOf } from './threads.fixture.ts'
import type { Reader } from './threads.fixture.ts'
import { turnStream } from './turn-stream.ts'
import type { TurnStreamOptions } from './turn-stream.ts'
import type { WireEvent } from './wire-event.ts'

interface Followed {
  readonly role?: Reader
  /** Learns of the text as it comes. */
  readonly told?: (text: string) => void
}

type TurnTextOptions = Followed &
  Partial<Omit<TurnStreamOptions, 'log' | 'turn'>> & { readonly turn: string }

/** All that a stream of a turn says. */
export function turnText(log: EventLog, options: TurnTextOptions): Promise<string> {
  return textOf(log, turnStream({ protocol: '1.0', onLoss: () => {}, log, ...options }), options)
}

export function joinText(
  log: EventLog,
  options: Followed & Partial<Omit<JoinStreamOptions, 'log'>> = {},
): Promise<string> {
  const reading = joinStream({
    protocol: '1.0',
    onLoss: () => {},
    runId: 'r',
    log,
    ...options,
  })
  return textOf(log, reading, options)
}

export async function textOf(
  log: EventLog,
  reading: Reading,
  { role = 'operator', told = () => {} }: Followed,
): Promise<string> {
  const writer = reading.writer({ thread: 't', view: viewOf(log, role) })
  if (writer.frames !== 'run') throw new Error('this face shows no run')
  let whole = ''
  for await (const text of textsOf(log, writer)) {
    whole += text
    told(text)
  }
  return whole
}

/** Writes recorded records for one reader, and those that come for all who share them. */
async function* textsOf(log: EventLog, writer: RunWriter): AsyncGenerator<string> {
  const [begun, head] = await Promise.all([writer.begin(), log.head('t')])
  yield begun.frames
  const batches = log.subscribe('t', { after: begun.after })
  while (!isOver(writer)) {
    const { value: records = [] } = await batches.next()
    const { name, status } = writer
    if (status === 'awaited' || (records[0]?.seq ?? 0) <= head) {
      yield await writer.ownFramesOf(records)
      continue
    }
    yield writer.framesOf(records)
    if (isOver(writer)) yield writer.endFor(name)
  }
  await batches.return?.()
}

function isOver({ status }: RunWriter): boolean {
  return status === 'over'
}

/** Joins a thread after one of its records; the others are appended while the client reads. */
export async function joined(
  log: EventLog,
  {
    records,
    at,
    role,
    after,
  }: {
    readonly records: readonly LogRecord[]
    readonly at: number
    readonly role: Reader
    readonly after?: string
  },
): Promise<{
  readonly frames: readonly ReadFrame[]
  readonly events: readonly WireEvent[]
  /** The record with which the stream ended. */
  readonly end: number
}> {
  const events = records.map(({ id, ts, type, data, origin, v }): NewEvent => {
    return { id, ts, type, data, origin, v }
  })
  await log.append('t', events.slice(0, at + 1))
  const reading = joinText(log, { role, after })
  for (const event of events.slice(at + 1)) await log.append('t', [event])
  const frames = readFrames(await reading)
  const last = frames.at(-1)?.id ?? ''
  return {
    frames,
    events: frames.map(({ event }) => event),
    end: Number(/\d+/.exec(last)?.[0] ?? -1),
  }
}

/** The messages of a thread up to a record, as a role sees them. */
export function messagesAt(
  records: readonly LogRecord[],
  { role, upTo }: { readonly role: Reader; readonly upTo: number },
): readonly Message[] {
  // It reads no state, so it needs no log.
  const view = viewOf({} as EventLog, role)
  const encoder = new ThreadEncoder({ view, includes: () => true })
  for (const each of records) if (each.seq <= upTo) encoder.take(each)
  return encoder.messages
}
