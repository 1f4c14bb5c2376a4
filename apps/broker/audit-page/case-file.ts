import { membersOf } from 'throughline/client'
import type { ComplianceSummary } from '../audit/compliance.ts'
import type { CaseState } from '../case/state.ts'
import type { Answer } from '../../studio/index.ts'

export interface CaseFile {
  readonly state: CaseState
  readonly compliance: ComplianceSummary
}

/** Returns the case file in the server's answer; undefined without an answer. */
export function caseFileIn(answer: Answer): CaseFile | undefined {
  if (answer.status !== 'answered') return undefined
  const { case: state, compliance } = membersOf(answer.value)
  // Our own server's answer, in the shape that it is made in.
  return { state, compliance } as unknown as CaseFile
}
