import type { Refusal } from 'throughline'
import { isLocked } from './gates.ts'
import type { CaseState } from './state.ts'

type CaseRefusal = Extract<Refusal['refused'], 'precondition' | 'locked' | 'evidence_mismatch'>

/** `detail` is read by the model too: a plain sentence that names the missing fact. */
export function refuse(refused: CaseRefusal, detail: string): Refusal {
  return { refused, detail }
}

export function refuseLocked(state: CaseState): Refusal | undefined {
  if (!isLocked(state)) return undefined
  const ended = state.caseOutcome?.kind ?? state.status
  return refuse('locked', `The case has ended as "${ended}" and takes no more changes`)
}

/** Refuses changes once the application has been submitted to lenders. */
export function refuseOnceSubmitted(state: CaseState): Refusal | undefined {
  if (state.status !== 'submitting' && !state.waterfall) return undefined
  return refuse('precondition', 'The application has already been submitted')
}
