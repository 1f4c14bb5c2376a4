import type { EffectRunner } from 'throughline'
import { z } from 'zod'
import { askLender } from '../lenders/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import { isoTime } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { isLocked } from './gates.ts'

const inputSchema = z.object({ fromIndex: z.int().min(0) })

/**
 * Asks the lender that a due waterfall effect names and gives the event that records the answer.
 *
 * With the same key it sends the same application. A case that has ended meanwhile goes to no further
 * lender.
 */
export function waterfallRunner(panel: LenderPanel): EffectRunner<BrokerState> {
  return {
    async run({ state, input, requestedAt, now }) {
      const { fromIndex: index } = inputSchema.parse(input)
      const { case: caseState, scenario } = state
      const result = await askLender({
        caseState,
        scenario,
        index,
        panel,
        // The same for all lenders of a case: a place in the panel would reveal the decisions of others.
        key: `${caseState.sessionId}:waterfall:0`,
        now: isoTime({ ts: requestedAt }),
        stillWanted: async () => !isLocked((await now()).case),
      })
      return { type: 'waterfall_recorded', data: { result } }
    },
  }
}
