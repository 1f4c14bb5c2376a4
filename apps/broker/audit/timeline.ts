import type { Json, LogRecord } from 'throughline'
import { whoOf } from '../../studio/story/index.ts'
import type { Told } from '../../studio/story/index.ts'
import { storyOf } from './case-story.ts'

export interface TimelineEntry {
  readonly ts: string
  readonly seq: number
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

/**
 * The records of a case that mattered, as an auditor reads them, oldest first. What a recovery seed
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
    const end = rest.findIndex(({ restatedAt }) => restatedAt === undefined)
    const messages = end === -1 ? rest : rest.slice(0, end)
    const { seq } = told.record
    const facts = (told.recovered ?? []).map(({ ts, type: _type, ...fact }) => ({
      ts,
      seq,
      ...fact,
    }))
    const recovered = [...facts, ...messages.flatMap(entriesOf)]
    entries.push(...recovered.toSorted(byTime), ...entriesOf(told))
    index += messages.length
  }
  return entries
}

function byTime(one: TimelineEntry, other: TimelineEntry): number {
  return Date.parse(one.ts) - Date.parse(other.ts)
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
