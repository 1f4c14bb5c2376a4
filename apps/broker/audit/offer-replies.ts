import type { CaseState, WaterfallStep } from '../case/state.ts'

export type OfferReply = 'accepted' | 'refused'

/** Says how the customer answered a lender's offer; nothing while they decide. Pure. */
export function offerReply(
  { waterfall, selectedOfferId }: Pick<CaseState, 'waterfall' | 'selectedOfferId'>,
  step: WaterfallStep,
): OfferReply | undefined {
  const { outcome } = step
  if (!('offer' in outcome)) return undefined
  if (outcome.offer.id === selectedOfferId) return 'accepted'
  if (outcome.kind !== 'approved_with_counter') return undefined
  const isOpen = waterfall?.awaitingCounterDecision === true && waterfall.steps.at(-1) === step
  return isOpen ? undefined : 'refused'
}
