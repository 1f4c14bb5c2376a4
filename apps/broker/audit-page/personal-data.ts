import type { ThreadDescription } from '../../studio/index.ts'
import { PERSONAL_IN_CASE, PERSONAL_MEMBERS } from '../case/personal-data.ts'

/** The personal data that the audit of a case hides until a reveal. */
export const CASE_PERSONAL = {
  events: PERSONAL_MEMBERS,
  state: PERSONAL_IN_CASE,
  revealedBy: 'reveal_personal_data',
} as const satisfies ThreadDescription['personal']
