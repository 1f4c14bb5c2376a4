import { membersOf, textOf } from 'throughline'
import type { Json, LogRecord } from 'throughline'
import { listOf } from '../../studio/story/index.ts'

const EVIDENCE: readonly string[] = ['acknowledge_disclosure', 'capture_consent']

/** The positions of answers that do not name the text they answer, and of seeds that bring some. */
export function unboundEvidence(records: readonly LogRecord[]): readonly number[] {
  return records.filter(isUnbound).map(({ seq }) => seq)
}

function isUnbound({ type, data, origin }: LogRecord): boolean {
  if (type === 'case_hydrated') return bringsUnbound(membersOf(data)['case'] ?? null)
  // A rule's acknowledgement follows from a grant, which is looked at itself.
  if (!EVIDENCE.includes(type) || origin.source === 'rule') return false
  const { bound } = membersOf(data)
  // Older records do not say; they hold the hash that was given.
  return bound === undefined ? textOf(data, 'contentHash') === '' : bound === false
}

function bringsUnbound(state: Json): boolean {
  const answers = [...listOf(state, 'disclosures'), ...listOf(state, 'consents')]
  return answers.some((answer) => membersOf(answer)['bound'] === false)
}
