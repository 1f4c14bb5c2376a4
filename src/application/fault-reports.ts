import { startOf, thrownMessage } from '../json/index.ts'
import { NewestMap } from '../thread/index.ts'

/** A fault that comes again within this time is the same one. */
export const FAULT_REPEAT_MS = 60_000
/** Faults that are remembered. */
const FAULTS_KEPT_MAX = 1_000
/** Characters of a message that tell it from others. */
const FAULT_MESSAGE_CHARS = 500

type Report = (error: unknown, thread?: string) => void

/**
 * Reports each fault of background work once: what looks at a thread after a commit, at its next time and in the
 * feed meets the same one.
 */
export function reportOnce(report: Report, now: () => number): Report {
  const reportedAt = new NewestMap<number>(FAULTS_KEPT_MAX)
  return (error, thread) => {
    const key = JSON.stringify([thread, startOf(thrownMessage(error), FAULT_MESSAGE_CHARS)])
    const at = now()
    if (Math.abs(at - (reportedAt.get(key) ?? Number.NEGATIVE_INFINITY)) < FAULT_REPEAT_MS) return
    reportedAt.set(key, at)
    report(error, thread)
  }
}
