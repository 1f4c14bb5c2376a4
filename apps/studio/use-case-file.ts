import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import type { ComplianceSummary } from '../broker/audit/compliance.ts'
import type { CaseState } from '../broker/case/state.ts'
import type { Answer } from './use-answer.ts'
import { useAnswer } from './use-answer.ts'

export interface CaseFile {
  readonly state: CaseState
  readonly compliance: ComplianceSummary
}

export type CaseFileAnswer =
  | Exclude<Answer, { readonly status: 'answered' }>
  | { readonly status: 'answered'; readonly file: CaseFile }

/** Reads the case that a thread is, anew for every new version; a thread that is no case fails. */
export function useCaseFile(thread: string, version: string): CaseFileAnswer {
  const answer = useAnswer(`/api/audit/${encodeURIComponent(thread)}`, version)
  return answer.status === 'answered'
    ? { status: 'answered', file: readFile(answer.value) }
    : answer
}

function readFile(value: Json): CaseFile {
  const { case: state, compliance } = membersOf(value)
  // Our own server's answer, in the shape that it is made in.
  return { state, compliance } as unknown as CaseFile
}
