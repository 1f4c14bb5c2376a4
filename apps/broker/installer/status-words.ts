import type { LogRecord } from 'throughline/client'
import type { InstallerCase } from '../case/case-view.ts'
import { WORDS } from './words.ts'

const ACCEPTING: readonly string[] = ['select_offer', 'accept_counter_offer']

/**
 * Says how far a case is, from its status and the types of its records: an installer sees nothing else of
 * what the customer answered. Pure.
 */
export function statusWords(
  { status }: Pick<InstallerCase, 'status'>,
  records: readonly Pick<LogRecord, 'type'>[],
): string {
  const { names, accepted, noLoan } = WORDS.status
  if (status !== 'selected' && status !== 'complete') return names[status]
  if (records.some(({ type }) => ACCEPTING.includes(type))) return accepted
  // A recovery seed holds no records, so an accepted offer may be missing from this list.
  const isRecovered = records.some(({ type }) => type === 'case_hydrated')
  return status === 'complete' && !isRecovered ? noLoan : names[status]
}
