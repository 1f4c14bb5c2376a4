import { LastText, turnOf } from 'throughline/server/extend'
import { customValue, cutOf, endsRun, isAgentEventType, ourMetadata } from 'throughline/client'
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
  return turnResult(read.slice(0, end + 1))
}

function isOutcomeOfLane({ origin }: LogRecord): boolean {
  return origin.source === 'system' && origin.cause !== undefined && origin.turn === undefined
}

/** Of a turn that failed and ran again, its last run counts. */
function turnResult(records: readonly LogRecord[]): TurnResult {
  const end = records.findLast(endsRun)
  // A reply that is too long is a reply: its record says that it was cut.
  const cut = end ? cutOf(end) : 'failed'
  const error = end && cut === 'failed' && failureIn(end)
  return {
    status: cut === undefined || cut === 'length' ? 'finished' : cut,
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
function failureIn({ data }: LogRecord): TurnFailure {
  const ours = ourMetadata(data)
  const { until } = ours
  return {
    code: textOf(ours, 'code') || textOf(data, 'code'),
    ...(typeof until === 'number' ? { until } : {}),
  }
}

function displayOf(records: readonly LogRecord[]): string | null {
  const said = new LastText()
  for (const record of records) if (record.origin.source === 'model') said.take(record)
  return said.text || null
}

/** A refusal keeps only a digest of the proposal; its data is read from the text of the model. */
function proposedBy(records: readonly LogRecord[]): readonly ProposedEvent[] {
  const output = records.findLast((record) => customValue(record, 'model_output') !== undefined)
  if (!output) return []
  const text = textOf(customValue(output, 'model_output') ?? null, 'text')
  const tags = [...stripEventTags(text).events]
  const takeTag = (type: string) => {
    const at = tags.findIndex((tag) => tag.type === type)
    return at < 0 ? undefined : tags.splice(at, 1)[0]
  }
  const answers = records.filter(
    ({ seq, origin, type }) => isAnswer(type) && origin.source === 'model' && seq > output.seq,
  )
  return answers.map(({ type, data }) => {
    if (type !== 'event_refused') {
      takeTag(type)
      return { type, data, accepted: true }
    }
    const refused = { type: textOf(data, 'type'), reason: textOf(data, 'reason') }
    // An unreadable tag is not in the list; it must not get the data of a good tag of its type.
    const tag = UNREAD.has(refused.reason) ? undefined : takeTag(refused.type)
    // A tag's data was parsed from JSON.
    return { ...refused, data: (tag?.data ?? null) as Json, accepted: false }
  })
}

const UNREAD = new Set(['malformed', 'too_large', 'truncated', 'limit', 'quoted'])

function isAnswer(type: string): boolean {
  return type === 'event_refused' || !isAgentEventType(type)
}

function effectsEnded(records: readonly LogRecord[]): boolean {
  // In a turn only the outcomes of effects are events of the system; an earlier one may have asked.
  const own = new Set(['effect_requested', 'event_refused'])
  return records.some(
    ({ type, origin }) => origin.source === 'system' && isAnswer(type) && !own.has(type),
  )
}
