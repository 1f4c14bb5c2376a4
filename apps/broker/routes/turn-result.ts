import { customValue, cutOf, isAgentEventType, ourMetadata } from 'throughline/client'
import { turnOf } from 'throughline/server/extend'
import { textOf } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import type { EventLog, Json, LogRecord } from 'throughline'

/** A proposal of the model with its outcome. */
export interface ProposedEvent {
  readonly type: string
  readonly data: Json
  readonly accepted: boolean
  readonly reason?: string
}

/** The result of a turn, read off its records: a repeated request gets the same result. */
export interface TurnResult {
  readonly run: string
  /** `stopped`: a person cancelled the turn. */
  readonly status: 'finished' | 'stopped' | 'failed'
  /** The model's text, or null without one. */
  readonly display: string | null
  readonly events: readonly ProposedEvent[]
  /** Direct events of this turn that were not accepted. */
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  /** An effect ended in this turn, and the model has not reported it yet. */
  readonly effectsEnded: boolean
  readonly error?: TurnFailure
}

export interface TurnFailure {
  readonly code: string
  readonly message: string
  /** When a `limit` ends, in milliseconds since the epoch. */
  readonly until?: number
}

/**
 * Reads the result of a turn that has ended off the log. Effects that the lane ended while the turn was at
 * work belong to it too: its model has not told of them.
 */
export async function endedTurn(log: EventLog, thread: string, turn: string): Promise<TurnResult> {
  const first = await log.find(thread, turn)
  const read: LogRecord[] = []
  for await (const batch of log.read(thread, { after: (first?.seq ?? 0) - 1 })) {
    read.push(...batch.filter((record) => turnOf(record) === turn || isOutcomeOfLane(record)))
  }
  const end = read.findLastIndex((record) => turnOf(record) === turn)
  return turnResult(turn, read.slice(0, end + 1))
}

function isOutcomeOfLane({ origin }: LogRecord): boolean {
  return origin.source === 'system' && origin.cause !== undefined && origin.turn === undefined
}

/** Reads a turn's result off its records; of a turn that failed and ran again, its last run counts. Pure. */
export function turnResult(run: string, records: readonly LogRecord[]): TurnResult {
  const end = records.findLast(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
  const error = end && failureIn(end)
  return {
    run,
    status: end ? statusOf(end) : 'failed',
    display: displayOf(records),
    events: proposedBy(records),
    refused: records
      .filter(({ type, origin }) => type === 'event_refused' && origin.source === 'ui')
      .map(({ data }) => ({ type: textOf(data, 'type'), reason: textOf(data, 'reason') })),
    effectsEnded: effectsEnded(records),
    ...(error && { error }),
  }
}

/** A reply that is too long is a reply: its record says that it was cut. */
function statusOf(end: LogRecord): TurnResult['status'] {
  const cut = cutOf(end)
  return cut === undefined || cut === 'length' ? 'finished' : cut
}

/** A limit ends a run as cancelled and is named beside that; any other failure is an error. */
function failureIn(end: LogRecord): TurnFailure | undefined {
  if (cutOf(end) !== 'failed') return undefined
  const { data } = end
  const ours = ourMetadata(data)
  const { until } = ours
  return {
    code: textOf(ours, 'code') || textOf(data, 'code'),
    message: textOf(ours, 'message') || textOf(data, 'message'),
    ...(typeof until === 'number' ? { until } : {}),
  }
}

function displayOf(records: readonly LogRecord[]): string | null {
  const said = records.filter(({ origin }) => origin.source === 'model')
  const last = said.findLast(({ type }) => type === 'TEXT_MESSAGE_START')
  const message = last && textOf(last.data, 'messageId')
  const text = said
    .filter(({ type, data }) => {
      return type === 'TEXT_MESSAGE_CONTENT' && textOf(data, 'messageId') === message
    })
    .map(({ data }) => textOf(data, 'delta'))
    .join('')
  return text === '' ? null : text
}

/** A refusal keeps only a digest of the proposal; its data is read from the text of the model. */
function proposedBy(records: readonly LogRecord[]): readonly ProposedEvent[] {
  const output = records.findLast((record) => customValue(record, 'model_output') !== undefined)
  if (!output) return []
  const text = textOf(customValue(output, 'model_output') ?? null, 'text')
  const tags = [...stripEventTags(text).events]
  return records
    .filter(
      ({ seq, origin, type }) => isAnswer(type) && origin.source === 'model' && seq > output.seq,
    )
    .map((record) => proposed(record, tags))
}

function isAnswer(type: string): boolean {
  return type === 'event_refused' || !isAgentEventType(type)
}

function proposed(
  record: LogRecord,
  tags: { readonly type: string; readonly data: unknown }[],
): ProposedEvent {
  if (record.type !== 'event_refused') {
    takeTag(tags, record.type)
    return { type: record.type, data: record.data, accepted: true }
  }
  const type = textOf(record.data, 'type')
  const reason = textOf(record.data, 'reason')
  // An unreadable tag is not in the list; it must not get the data of a good tag of its type.
  const tag = UNREAD.has(reason) ? undefined : takeTag(tags, type)
  // A tag's data was parsed from JSON.
  const data = (tag?.data ?? null) as Json
  return { type, data, accepted: false, reason }
}

const UNREAD = new Set(['malformed', 'too_large', 'truncated', 'limit', 'quoted'])

function takeTag(tags: { readonly type: string; readonly data: unknown }[], type: string) {
  const index = tags.findIndex((tag) => tag.type === type)
  return index < 0 ? undefined : tags.splice(index, 1)[0]
}

function effectsEnded(records: readonly LogRecord[]): boolean {
  // In a turn only the outcomes of effects are events of the system; an earlier one may have asked.
  const own = new Set(['effect_requested', 'event_refused'])
  return records.some(
    ({ type, origin }) => origin.source === 'system' && isAnswer(type) && !own.has(type),
  )
}
