import { emitWarning } from './warning.ts'

/** Goes on with work that nobody waits for; its failure is reported, by default as a warning of the process. */
export function inBackground(
  work: Promise<unknown> | undefined,
  report: (error: unknown) => void = warn,
): void {
  work?.catch(report)
}

function warn(error: unknown): void {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  emitWarning(`Work in the background failed: ${why}`)
}
