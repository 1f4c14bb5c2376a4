import { membersOf } from 'throughline'
import type { LogRecord } from 'throughline'
import { recoveredFacts } from './recovered.ts'
import type { RecoveredFact } from './recovered.ts'
import { listOf, said } from '../../studio/story/index.ts'
import type { RecoveredTelling, Tellings } from '../../studio/story/index.ts'
import { lenderAnswer } from './lender-answer.ts'
import { CASE_TELLINGS } from './tellings.ts'

const TELLINGS: Tellings = CASE_TELLINGS

/** The tellings of the seed of a `case_hydrated` record, oldest first. Pure. */
export function tellRecovered(record: LogRecord): readonly RecoveredTelling[] {
  return recoveredFacts(record).flatMap(tellFact)
}

/** A lender answers once; the answer's time in the case is not that of the record. */
export function tellingKey({
  ts,
  kind,
  summary,
}: Pick<RecoveredTelling, 'ts' | 'kind' | 'summary'>): string {
  return kind === 'waterfall_step' ? summary : `${ts} ${kind}`
}

function tellFact({ type, data, at: ts }: RecoveredFact): readonly RecoveredTelling[] {
  if (type === 'waterfall_recorded') {
    const steps = listOf(membersOf(data)['result'] ?? null, 'steps')
    return steps.map((step) => ({ type, ts, kind: 'waterfall_step', summary: lenderAnswer(step) }))
  }
  const telling = TELLINGS[type]
  if (!telling) return []
  return [
    { type, ts, kind: telling.kind ?? type, summary: said(telling.sentence, data), payload: data },
  ]
}
