import { runStarted, topOrigin } from '../../activity/turn-records.fixture.ts'
import { membersOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { EventLog, NewEvent, Origin } from '../../log/index.ts'
import { readFrames, verified } from './stock-client.fixture.ts'
import { turnText } from './streams.fixture.ts'
import type { WireEvent } from './wire-event.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

/** Ids of turns, which are those of their first records. */
export const TURN = '0190b6f0-0000-7000-8000-000000000001'
export const TURN_2 = '0190b6f0-0000-7000-8000-000000000002'
export const TURN_3 = '0190b6f0-0000-7000-8000-000000000003'

export const agent: Origin = topOrigin({ agent: 'A' }, TURN)
export const person: Origin = { ...agent, source: 'ui' }

/** The first record of a turn that a client of AG-UI began. */
export function startedBy(
  runId: string,
  origin = agent,
  wire: { readonly history?: string } = {},
): NewEvent {
  const started = runStarted(origin)
  return {
    ...started,
    id: origin.turn ?? '',
    data: { ...membersOf(started.data), wire: { runId, ...wire } },
  }
}

export async function eventsOfTurn(
  log: EventLog,
  options: Partial<Parameters<typeof turnText>[1]> = {},
): Promise<readonly WireEvent[]> {
  const turn = options.turn ?? (await lastTurn(log))
  const text = await turnText(log, { ...options, turn })
  const events = readFrames(text).map(({ event }) => event)
  await verified(events, options.protocol)
  return events
}

export async function lastTurn(log: EventLog): Promise<string> {
  const records = await recordsOf(log, 't')
  return records.findLast(({ type }) => type === 'RUN_STARTED')?.origin.turn ?? ''
}

export function typesOf(events: readonly WireEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}

export function custom(events: readonly WireEvent[], name: string): readonly Json[] {
  return events.flatMap((event) =>
    event['name'] === `throughline.${name}` ? [event['value'] ?? null] : [],
  )
}

export function waitData(id: string, toolCallId: string, reason: string): Json {
  return { name: 'throughline.wait_for_input', value: { id, toolCallId, reason } }
}
