import { agentEvent, customEvent } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'

/** Returns AG-UI's required mark on events of a sub-agent: its run. */
export function subagentMark({ depth, run }: Origin): { readonly subagentRunId?: string } {
  return depth > 0 && run !== undefined ? { subagentRunId: run } : {}
}

/** A `CUSTOM` event of ours, marked as a sub-agent's where it is one's. */
export function customTagged(name: string, value: Json, origin: Origin): NewEvent {
  const event = customEvent(name, value, origin)
  return { ...event, data: { ...(event.data as object), ...subagentMark(origin) } }
}

/** Marks the text of a model call that failed: it stays on record, beside that of the next attempt. */
export function markFailed(events: readonly NewEvent[], error: string): readonly NewEvent[] {
  // The text of a cancelled call still counts as said.
  if (error === 'cancelled') return events
  return events.map((event) => {
    if (event.type !== 'TEXT_MESSAGE_END') return event
    const metadata = { throughline: { failed: error } }
    return { ...event, data: { ...(event.data as object), metadata } }
  })
}

export function stepStarted(stepName: string, origin: Origin): NewEvent {
  return agentEvent('STEP_STARTED', { stepName, ...subagentMark(origin) }, origin)
}

/** `settles`: the run's last model call counted, so that the run ends well whatever comes after. */
export function stepFinished(
  stepName: string,
  origin: Origin,
  { settles = false }: { readonly settles?: boolean } = {},
): NewEvent {
  const metadata = settles ? { metadata: { throughline: { settles } } } : {}
  return agentEvent('STEP_FINISHED', { stepName, ...subagentMark(origin), ...metadata }, origin)
}
