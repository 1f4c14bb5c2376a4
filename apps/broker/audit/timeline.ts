import type { Json, LogRecord } from 'throughline/log'
import { storyOf } from './story.ts'
import type { Told } from './story.ts'
import { whoOf } from './who.ts'

export interface TimelineEntry {
  readonly ts: string
  readonly seq: number
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

/** Tells what mattered in a case's records as an auditor reads them, oldest first. Pure. */
export function timeline(records: readonly LogRecord[]): readonly TimelineEntry[] {
  return storyOf(records)
    .filter(({ weight }) => weight === 'mattered')
    .flatMap(entriesOf)
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
