import type { Refusal } from 'throughline'
import { NO_BUDGET } from './budget.ts'
import type { Payload } from './payloads.ts'
import type { TeamState } from './state.ts'
import { refuse } from './waiting.ts'

/** Opens a session; one that goes on keeps its conversation, its budget and what it has spent of it. */
export function beginSession(
  state: TeamState,
  { sessionId, pid, model, demoMode }: Payload<'session_start'>,
): TeamState {
  const id = sessionId ?? ''
  const before = state.resumable?.id === id ? state.resumable : null
  const claudeSessionId = before?.claudeSessionId ?? null
  const session = { id, pid, model, demoMode, claudeSessionId }
  const budget = before ? state.budget : NO_BUDGET
  return { ...state, session, resumable: session, budget, hasGivenUp: false, starting: null }
}

export function requireSession({ session }: TeamState): Refusal | undefined {
  return session ? undefined : refuse('no session is open')
}

/** A session goes on while its program runs, or is away for a moment. */
export function requireGoingOn({
  session,
  resumable,
}: Pick<TeamState, 'session' | 'resumable'>): Refusal | undefined {
  return session || resumable ? undefined : refuse('no session is open')
}

/** A session ends while it is open, while its program is away, and while it is being started. */
export function requireEndable({ session, resumable, starting }: TeamState): Refusal | undefined {
  return starting ? undefined : requireGoingOn({ session, resumable })
}

/** Whether a session that ended so is not to be resumed. */
export function isFinal(reason: Payload<'session_end'>['reason']): boolean {
  return reason === 'user_ended' || reason === 'inactivity_timeout'
}
