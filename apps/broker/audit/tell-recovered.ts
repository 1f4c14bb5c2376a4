import { membersOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'
import type { Json } from 'throughline/json'
import { recoveredFacts } from './recovered.ts'
import type { RecoveredFact } from './recovered.ts'
import { listOf, said } from './sentence.ts'
import { lenderAnswer } from './lender-answer.ts'
import { TELLINGS } from './tellings.ts'

/** A fact that a recovery seed brought back, as an auditor reads it. */
export interface RecoveredTelling {
  /** ISO-8601, in UTC. */
  readonly ts: string
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

/** The tellings of the seed of a `case_hydrated` record, oldest first. Pure. */
export function tellRecovered(record: LogRecord): readonly RecoveredTelling[] {
  return recoveredFacts(record).flatMap(tellFact)
}

/** A lender answers once; the answer's time in the case is not that of the record. */
export function tellingKey({ ts, kind, summary }: RecoveredTelling): string {
  return kind === 'waterfall_step' ? summary : `${ts} ${kind}`
}

function tellFact({ type, data, at: ts }: RecoveredFact): readonly RecoveredTelling[] {
  if (type === 'waterfall_recorded') {
    const steps = listOf(membersOf(data)['result'] ?? null, 'steps')
    return steps.map((step) => ({ ts, kind: 'waterfall_step', summary: lenderAnswer(step) }))
  }
  const telling = TELLINGS.get(type)
  if (!telling) return []
  return [{ ts, kind: telling.kind, summary: said(telling.sentence, data), payload: data }]
}
