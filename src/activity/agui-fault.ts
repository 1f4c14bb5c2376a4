import type { AGUIEvent } from '@ag-ui/core'

/**
 * Why an event of a valid stream was not applied in full. `unknown_call`, `unknown_message`: the thread holds
 * no such call or message. `other_message`: the id belongs to a message of another kind. `misfit`: the patch
 * does not fit. `no_snapshot`: the agent sent no snapshot after a misfit.
 */
export type FaultCode =
  | 'unknown_call'
  | 'unknown_message'
  | 'other_message'
  | 'misfit'
  | 'no_snapshot'

/** An event that changed less than it says. The run goes on. */
export interface Fault {
  readonly code: FaultCode
  readonly message: string
  readonly event?: AGUIEvent
  readonly cause?: unknown
}

export type ReportFault = (fault: Fault) => void
