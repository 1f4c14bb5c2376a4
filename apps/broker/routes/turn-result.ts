import { customValue, isAgentEventType, ourMetadata, outcomeOf, turnOf } from 'throughline/activity'
import { textOf } from 'throughline/json'
import { stripEventTags } from 'throughline/inline'
import type { EventLog, LogRecord } from 'throughline/log'
import type { Json } from 'throughline/json'

/** What the model proposed, and what became of it. */
export interface ProposedEvent {
  readonly type: string
  readonly data: Json
  readonly accepted: boolean
  readonly reason?: string
}

/** What a turn came to: a projection of its records, so a turn that is asked for twice answers twice. */
export interface TurnResult {
  readonly run: string
  /** `stopped`: somebody did not want the rest of what the model said. */
  readonly status: 'finished' | 'stopped' | 'failed'
  /** What the model said, or null when it said nothing. */
  readonly display: string | null
  readonly events: readonly ProposedEvent[]
  /** Direct events of this turn that were not accepted. */
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  /** Work in the world ended in this turn, and nobody has told of it yet. */
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
    status: error || !end ? 'failed' : outcomeOf(end) === 'cancelled' ? 'stopped' : 'finished',
    display: displayOf(records),
    events: proposedBy(records),
    refused: records
      .filter(({ type, origin }) => type === 'event_refused' && origin.source === 'ui')
      .map(({ data }) => ({ type: textOf(data, 'type'), reason: textOf(data, 'reason') })),
    effectsEnded: effectsEnded(records),
    ...(error && { error }),
  }
}

/** A limit ends a run as cancelled and is named beside that; any other failure is an error. */
function failureIn({ type, data }: LogRecord): TurnFailure | undefined {
  const ours = ourMetadata(data)
  const limit = textOf(ours, 'code')
  if (type !== 'RUN_ERROR' && limit === '') return undefined
  const { until } = ours
  return {
    code: limit || textOf(data, 'code'),
    message: textOf(ours, 'message') || textOf(data, 'message'),
    ...(typeof until === 'number' ? { until } : {}),
  }
}

function displayOf(records: readonly LogRecord[]): string | null {
  const said = records.filter(({ origin }) => origin.source === 'model')
  const last = said.findLast((record) => record.type === 'TEXT_MESSAGE_START')
  const text = said
    .filter((record) => record.type === 'TEXT_MESSAGE_CONTENT')
    .filter((record) => last && sameMessage(record, last))
    .map((record) => textOf(record.data, 'delta'))
    .join('')
  return text === '' ? null : text
}

function sameMessage(one: LogRecord, other: LogRecord): boolean {
  return textOf(one.data, 'messageId') === textOf(other.data, 'messageId')
}

/** A refusal keeps a digest of what was proposed; what it said stands in the model's own output. */
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
  // What could not be read is not among the tags; a good one of its type must not lend it its data.
  const tag = UNREAD.has(reason) ? undefined : takeTag(tags, type)
  // A tag's data was parsed from JSON.
  const data = (tag?.data ?? null) as Json
  return { type, data, accepted: false, reason }
}

const UNREAD = new Set(['malformed', 'too_large', 'truncated', 'limit'])

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
