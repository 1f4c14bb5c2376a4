import type { CaseView } from './case-view.ts'

/** The end of the id, which no other case is likely to share: its beginning is the time. */
const SHORT_LENGTH = 12

/** Returns the case's reference for people, short enough to be read out. */
export function referenceOf({ sessionId }: Pick<CaseView, 'sessionId'>): string {
  return sessionId.slice(-SHORT_LENGTH)
}
