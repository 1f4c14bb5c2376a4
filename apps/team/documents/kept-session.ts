import type { LogRecord } from 'throughline'
import { flatEvent, isFinal } from '../events/index.ts'
import type { Payload } from '../events/index.ts'

/** A session to go on with, as far as another process needs it. */
export interface KeptSession {
  /** The reason of its end; null while it is open. */
  readonly endReason: Payload<'session_end'>['reason'] | null
  readonly id: string
  readonly claudeSessionId: string | null
  /** The process that plays the team. */
  readonly pid: number
  readonly model: string
  readonly demoMode: boolean
}

/** The session to go on with after a record. */
export function sessionAfter(session: KeptSession | null, record: LogRecord): KeptSession | null {
  const event = flatEvent(record)
  switch (event?.type) {
    case 'session_start': {
      const { sessionId, pid, model, demoMode } = event
      const id = sessionId ?? ''
      const claudeSessionId = session?.id === id ? session.claudeSessionId : null
      return { id, claudeSessionId, pid, model, demoMode, endReason: null }
    }
    case 'claude_system':
      return session && { ...session, claudeSessionId: event.claudeSessionId }
    case 'session_end':
      return isFinal(event.reason) ? null : session && { ...session, endReason: event.reason }
    default:
      return session
  }
}
