import type { ThreadDescription } from '../../studio/index.ts'
import { PERSONAL_IN_CASE, PERSONAL_MEMBERS } from '../case/personal-data.ts'

/** What stays hidden in the audit of a case until it is revealed. */
export const CASE_PERSONAL = {
  events: PERSONAL_MEMBERS,
  state: PERSONAL_IN_CASE,
  revealedBy: 'reveal_personal_data',
} as const satisfies ThreadDescription['personal']
