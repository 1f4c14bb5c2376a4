import { z } from 'zod'
import { AUDITOR_PAGE, OPERATOR_PAGE } from '../authority.ts'
import { broker } from '../case-domain.ts'
import { REASON_LENGTH_MAX } from '../limits.ts'
import { prose } from '../payload-fields.ts'

export const auditEvents = {
  // Also in a case that has ended: that is when it is audited.
  reveal_personal_data: broker.event({
    schema: z.object({ reason: prose(REASON_LENGTH_MAX).min(1, 'must not be empty') }),
    by: [AUDITOR_PAGE, OPERATOR_PAGE],
    // A changed state would begin a new silence.
    reduce: (state) => state,
  }),
}
