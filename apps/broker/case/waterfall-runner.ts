import type { EffectRunner } from 'throughline/agents'
import { z } from 'zod'
import { runWaterfall } from '../lenders/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import { isoTime } from './case-domain.ts'
import type { BrokerState } from './case-domain.ts'
import { isLocked } from './gates.ts'
import type { CaseState } from './state.ts'

const inputSchema = z.object({ fromIndex: z.int().min(0) })

/**
 * Asks the lenders that a due waterfall effect names and gives the event that records the answer.
 *
 * Taken up again with the same key it sends the same applications. `caseNow` reads a case as it has
 * become meanwhile: one that has ended goes to no further lender.
 */
export function waterfallRunner(
  panel: LenderPanel,
  caseNow: (sessionId: string) => Promise<CaseState>,
): EffectRunner<BrokerState> {
  return async ({ state, input, key, requestedAt }) => {
    const { fromIndex } = inputSchema.parse(input)
    const { case: caseState, scenario } = state
    const result = await runWaterfall({
      caseState,
      scenario,
      fromIndex,
      panel,
      key,
      now: isoTime({ ts: requestedAt }),
      stillWanted: async () => !isLocked(await caseNow(caseState.sessionId)),
    })
    return { type: 'waterfall_recorded', data: { result } }
  }
}
