import { membersOf } from 'throughline/json'
import type { ComplianceSummary } from '../audit/compliance.ts'
import type { CaseState } from '../case/state.ts'
import type { Answer } from '../../studio/index.ts'

export interface CaseFile {
  readonly state: CaseState
  readonly compliance: ComplianceSummary
}

/** What the server answered of the case; nothing while it has not, or could not. */
export function caseFileIn(answer: Answer): CaseFile | undefined {
  if (answer.status !== 'answered') return undefined
  const { case: state, compliance } = membersOf(answer.value)
  // Our own server's answer, in the shape that it is made in.
  return { state, compliance } as unknown as CaseFile
}
