import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

/** The answers to an earlier run's questions, if this run resumes it. */
export function resumedBy({ data }: LogRecord): readonly Json[] | undefined {
  const resume = membersOf(membersOf(data)['input'] ?? null)['resume']
  // Narrowed by hand: Array.isArray does not narrow readonly arrays away.
  return Array.isArray(resume) ? (resume as readonly Json[]) : undefined
}
