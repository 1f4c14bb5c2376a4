import type { Domain, LibraryRecord } from '../domain/index.ts'
import { textOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** The decisions of one commit: decided events, then those of its rules. */
export interface StoredCommit {
  readonly records: readonly LogRecord[]
  readonly decided: readonly LogRecord[]
  readonly derived: readonly LogRecord[]
  /** Absent: the record is older than the marks of commits, and says neither this nor `typed`. */
  readonly pass?: 'derive' | 'submit'
  readonly typed?: boolean
}

/** The commit whose decisions begin at a place; nothing where a record is no decision. */
export function commitAt(
  records: readonly LogRecord[],
  at: number,
  domain: Domain<unknown>,
): StoredCommit | undefined {
  const first = records[at]
  const mark = first?.origin.commit
  if (mark) {
    const marked = records.slice(at, at + mark.records)
    return { ...parts(marked), pass: mark.pass ?? 'derive', typed: mark.typed ?? false }
  }
  return first && isDecision(domain, first) ? parts(guessed(records, at, domain)) : undefined
}

/** Whether a record is the decision on a proposal: an event of the domain, or a refusal. */
export function isDecision({ events }: Domain<unknown>, { type }: LogRecord): boolean {
  return events.has(type) || type === ('event_refused' satisfies LibraryRecord)
}

/** The type of event that was proposed: a refusal names it in its data. */
export function proposedType({ type, data }: LogRecord): string {
  return type === ('event_refused' satisfies LibraryRecord) ? textOf(data, 'type') : type
}

function parts(records: readonly LogRecord[]): StoredCommit {
  const isRules = ({ origin }: LogRecord): boolean => origin.source === 'rule'
  const derived = records.filter(isRules)
  return { records, derived, decided: records.filter((record) => !isRules(record)) }
}

/** Without marks: records with the same time, those of rules last. */
function guessed(
  records: readonly LogRecord[],
  at: number,
  domain: Domain<unknown>,
): readonly LogRecord[] {
  let end = at
  const goesOn = (byRules: boolean): boolean => {
    const next = records[end]
    if (!next || next.ts !== records[at]?.ts || next.origin.commit) return false
    return isDecision(domain, next) && (next.origin.source === 'rule') === byRules
  }
  while (goesOn(false)) end++
  while (goesOn(true)) end++
  return records.slice(at, end)
}
