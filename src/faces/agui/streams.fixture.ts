import type { Message } from '@ag-ui/core'
import type { EventLog, LogRecord, NewEvent } from '../../log/index.ts'
import { joinStream } from './join-stream.ts'
import type { JoinStreamOptions } from './join-stream.ts'
import { SharedRuns } from './shared-runs.ts'
import type { SentText } from './stream-text.ts'
import { readFrames } from './stock-client.fixture.ts'
import type { ReadFrame } from './stock-client.fixture.ts'
import { ThreadEncoder } from './thread-encoder.ts'
import { viewOf } from './threads.fixture.ts'
import type { Reader } from './threads.fixture.ts'
import { turnStream } from './turn-stream.ts'
import type { TurnStreamOptions } from './turn-stream.ts'
import type { WireEvent } from './wire-event.ts'

interface TurnTextOptions extends Partial<Omit<TurnStreamOptions, 'log' | 'subject' | 'turn'>> {
  readonly role?: Reader
  readonly turn: string
}

/** All that a stream of a turn says. */
export async function turnText(
  log: EventLog,
  { role = 'operator', ...options }: TurnTextOptions,
): Promise<string> {
  const subject = { thread: 't', view: viewOf(log, role) }
  return textOf(turnStream({ ...defaults(), log, subject, ...options }))
}

export async function joinText(
  log: EventLog,
  {
    role = 'operator',
    ...options
  }: Partial<Omit<JoinStreamOptions, 'log' | 'subject'>> & { readonly role?: Reader } = {},
): Promise<string> {
  const subject = { thread: 't', view: viewOf(log, role) }
  return textOf(joinStream({ ...defaults(), runId: 'r', log, subject, ...options }))
}

/** All that a stream says until its run ends; `told` learns of it as it comes. */
export async function textOf(
  stream: ReturnType<typeof turnStream>,
  told: (text: string) => void = () => {},
): Promise<string> {
  let whole = ''
  const take = ({ text }: SentText): boolean => {
    whole += text
    told(text)
    return true
  }
  let step = await stream.next()
  for (; !step.done; step = await stream.next()) take(step.value)
  const live = step.value
  if (!live) return whole
  return new Promise((resolve, reject) =>
    live.follow({
      take,
      end: (_how, error) => (error === undefined ? resolve(whole) : reject(error)),
    }),
  )
}

function defaults() {
  return {
    protocol: '1.0',
    signal: new AbortController().signal,
    shared: new SharedRuns(),
    onLoss: () => {},
  } as const
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
