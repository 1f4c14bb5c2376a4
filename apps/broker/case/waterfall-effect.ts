import type { EffectDue, EffectType } from 'throughline/domain'
import type { BrokerState } from './case-domain.ts'
import type { CaseState } from './state.ts'

/** Asking the lenders: due at submission, and again from the next lender after a refused counter. */
export const waterfallEffect: EffectType<BrokerState> = {
  name: 'waterfall',
  due: ({ case: state }) => {
    const fromIndex = lenderToAsk(state)
    return fromIndex === undefined ? undefined : waterfallRun(state.sessionId, fromIndex)
  },
}

function lenderToAsk({ status, waterfall }: CaseState): number | undefined {
  if (status === 'submitting' && !waterfall) return 0
  if (status !== 'waterfall_running' || !waterfall) return undefined
  const settled =
    waterfall.awaitingCounterDecision || waterfall.acceptedOffer || waterfall.exhausted
  return settled ? undefined : waterfall.steps.length
}

function waterfallRun(sessionId: string, fromIndex: number): EffectDue {
  return { key: `${sessionId}:waterfall:${fromIndex}`, input: { fromIndex } }
}
