import { membersOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'
import type { Json } from 'throughline/json'
import { recoveredFacts } from './recovered.ts'
import type { RecoveredFact } from './recovered.ts'
import { listOf, said } from './sentence.ts'
import { storyOf } from './story.ts'
import type { Told } from './story.ts'
import { TELLINGS, lenderAnswer } from './tellings.ts'
import { whoOf } from './who.ts'

export interface TimelineEntry {
  readonly ts: string
  readonly seq: number
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

/**
 * Tells what mattered in a case's records as an auditor reads them, oldest first. What a recovery seed
 * brought back stands before its record, in the order of its times. Pure.
 */
export function timeline(records: readonly LogRecord[]): readonly TimelineEntry[] {
  const story = storyOf(records).filter(({ weight }) => weight === 'mattered')
  const entries: TimelineEntry[] = []
  for (let index = 0; index < story.length; index++) {
    const told = story[index]
    if (told?.record.type !== 'case_hydrated') {
      entries.push(...(told ? entriesOf(told) : []))
      continue
    }
    const rest = story.slice(index + 1)
    const end = rest.findIndex((next) => !isRestated(next))
    const messages = end === -1 ? rest : rest.slice(0, end)
    const recovered = [...recoveredEntries(told, entries), ...messages.flatMap(entriesOf)]
    entries.push(...recovered.toSorted(byTime), ...entriesOf(told))
    index += messages.length
  }
  return entries
}

function byTime(one: TimelineEntry, other: TimelineEntry): number {
  return Date.parse(one.ts) - Date.parse(other.ts)
}

/** A message that a seed brought back belongs to no run. */
function isRestated({ kind, record }: Told): boolean {
  return kind === 'message' && record.origin.run === undefined
}

/** What the seed tells and this log has not told: where a case comes back, the log holds a part itself. */
function recoveredEntries(
  { record }: Told,
  before: readonly TimelineEntry[],
): readonly TimelineEntry[] {
  const told = new Set(before.map(nameOf))
  return recoveredFacts(record)
    .flatMap((fact) => entriesFor(fact, record.seq))
    .filter((entry) => !told.has(nameOf(entry)))
}

/** A lender answers once; its time in the case is not that of the record. */
function nameOf({ ts, kind, summary }: TimelineEntry): string {
  return kind === 'waterfall_step' ? summary : `${ts} ${kind}`
}

function entriesFor({ type, data, at: ts }: RecoveredFact, seq: number): readonly TimelineEntry[] {
  if (type === 'waterfall_recorded') {
    const steps = listOf(membersOf(data)['result'] ?? null, 'steps')
    return steps.map((step) => ({ ts, seq, kind: 'waterfall_step', summary: lenderAnswer(step) }))
  }
  const telling = TELLINGS.get(type)
  if (!telling) return []
  return [{ ts, seq, kind: telling.kind, summary: said(telling.sentence, data), payload: data }]
}

function entriesOf({ record, kind, sentences, payload, by }: Told): readonly TimelineEntry[] {
  const at = { ts: new Date(record.ts).toISOString(), seq: record.seq }
  switch (kind) {
    case 'waterfall_step':
      return sentences.map((summary) => ({ ...at, kind, summary }))
    case 'message':
      return sentences.map((said) => ({ ...at, kind, summary: `${whoOf(by)}: ${said}` }))
    default: {
      const told = sentences.map((summary) => ({ ...at, kind, summary, payload }))
      const { rule } = record.origin
      return rule ? [{ ...at, kind: 'rule_fired', summary: `Rule ${rule}` }, ...told] : told
    }
  }
}
