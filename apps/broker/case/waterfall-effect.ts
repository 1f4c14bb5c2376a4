import type { Due, EffectType } from 'throughline'
import type { BrokerState } from './case-domain.ts'
import type { CaseState } from './state.ts'

/** Asking the lenders: due at submission, and again from the next lender after a refused counter. */
export const waterfallEffect = {
  name: 'waterfall',
  due: ({ case: state }: BrokerState) => {
    const fromIndex = lenderToAsk(state)
    return fromIndex === undefined ? undefined : waterfallRun(state.sessionId, fromIndex)
  },
} satisfies EffectType<BrokerState>

function lenderToAsk({ status, waterfall }: CaseState): number | undefined {
  if (status === 'submitting' && !waterfall) return 0
  if (status !== 'waterfall_running' || !waterfall) return undefined
  const settled =
    waterfall.awaitingCounterDecision || waterfall.acceptedOffer || waterfall.exhausted
  return settled ? undefined : waterfall.steps.length
}

function waterfallRun(sessionId: string, fromIndex: number): Due {
  return { key: `${sessionId}:waterfall:${fromIndex}`, input: { fromIndex } }
}
