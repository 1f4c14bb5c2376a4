import { emitWarning } from '../platform/index.ts'

/** Warns of a fault in work that no request waits for. */
export function warnOfFault(error: unknown, thread?: string): void {
  const where = thread === undefined ? '' : ` in "${thread}"`
  emitWarning(`Cannot do work in the background${where}: ${String(error)}`)
}
