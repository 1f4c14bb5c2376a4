import type { RunAgentInput } from '@ag-ui/core'

/**
 * Asks a program for one run, and yields its answer as AG-UI events, not checked yet. The stream ends
 * with the program's; aborting the signal ends it at once.
 *
 * @throws {@link ProgramError} with `isUnreached` where the program has not begun
 */
export type EventSource = (
  input: RunAgentInput,
  options: { readonly signal: AbortSignal },
) => AsyncIterable<unknown>
