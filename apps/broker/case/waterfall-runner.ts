import type { EffectRunner } from 'throughline/due-work'
import { z } from 'zod'
import { runWaterfall } from '../lenders/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import { isoTime } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { isLocked } from './gates.ts'

const inputSchema = z.object({ fromIndex: z.int().min(0) })

/**
 * Asks the lenders that a due waterfall effect names and gives the event that records the answer.
 *
 * With the same key it sends the same applications. A case that has ended meanwhile goes to no further
 * lender.
 */
export function waterfallRunner(panel: LenderPanel): EffectRunner<BrokerState> {
  return {
    async run({ state, input, key, requestedAt, now }) {
      const { fromIndex } = inputSchema.parse(input)
      const { case: caseState, scenario } = state
      const result = await runWaterfall({
        caseState,
        scenario,
        fromIndex,
        panel,
        key,
        now: isoTime({ ts: requestedAt }),
        stillWanted: async () => !isLocked((await now()).case),
      })
      return { type: 'waterfall_recorded', data: { result } }
    },
  }
}
