import { membersOf, textOf } from 'throughline/agui'
import type { Json, LogRecord } from 'throughline/log'
import { listOf, tellingOf } from './tellings.ts'

export interface TimelineEntry {
  readonly ts: string
  readonly seq: number
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

/** Tells a case's records as an auditor reads them, oldest first. Pure. */
export function timeline(records: readonly LogRecord[]): readonly TimelineEntry[] {
  const texts = new Map<string, string>()
  let steps = 0
  return records.flatMap((record) => {
    if (record.type === 'TEXT_MESSAGE_CONTENT') gather(texts, record)
    const told = entriesOf(record, texts, steps)
    if (record.type === 'waterfall_recorded') steps += told.length
    return told
  })
}

function gather(texts: Map<string, string>, { data }: LogRecord): void {
  const id = textOf(data, 'messageId')
  texts.set(id, (texts.get(id) ?? '') + textOf(data, 'delta'))
}

function entriesOf(
  record: LogRecord,
  texts: ReadonlyMap<string, string>,
  stepsBefore: number,
): readonly TimelineEntry[] {
  const { seq, data, origin } = record
  const at = { ts: new Date(record.ts).toISOString(), seq }
  if (record.type === 'waterfall_recorded') {
    return newSteps(data, stepsBefore).map((summary) => ({
      ...at,
      kind: 'waterfall_step',
      summary,
    }))
  }
  if (record.type === 'TEXT_MESSAGE_END') {
    const who = origin.source === 'model' ? 'Assistant' : 'Person'
    const summary = `${who}: ${texts.get(textOf(data, 'messageId')) ?? ''}`
    return [{ ...at, kind: 'message', summary }]
  }
  const telling = tellingOf(record)
  if (!telling) return []
  const entry = { ...at, ...telling }
  return origin.rule
    ? [{ ...at, kind: 'rule_fired', summary: `Rule ${origin.rule}` }, entry]
    : [entry]
}

function newSteps(data: Json, before: number): readonly string[] {
  return listOf(membersOf(data)['result'] ?? null, 'steps')
    .slice(before)
    .map((step) => {
      const outcome = membersOf(step)['outcome'] ?? null
      const reason = textOf(outcome, 'reason')
      const told = `${textOf(step, 'lender')}: ${textOf(outcome, 'kind')}`
      return reason === '' ? told : `${told} (${reason})`
    })
}
