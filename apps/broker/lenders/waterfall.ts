import { stableId } from 'throughline'
import type {
  CaseState,
  Offer,
  ProvisionalQuote,
  WaterfallOutcome,
  WaterfallResult,
} from '../case/state.ts'
import { applicationOf } from './application.ts'
import { outcomeOf } from './outcome.ts'
import type { DemoScenario, LenderPanel, PanelLender } from './panel.ts'

export interface Asking {
  readonly caseState: CaseState
  /** The lender's place in the panel: how many have answered before it. */
  readonly index: number
  readonly scenario: DemoScenario
  readonly panel: LenderPanel
  /** The key of this case's application; each lender's own key is made from it. */
  readonly key: string
  /** When the lender was first asked, so that a second attempt sends the same application. */
  readonly now: string
  /** Read before the lender is asked: once it says no, nothing more of the customer's leaves. */
  readonly stillWanted: () => Promise<boolean>
  readonly signal?: AbortSignal
}

/**
 * Asks one lender of the panel and adds its answer to those before it.
 *
 * The result is settled when the lender approved, or when no lender is left. Otherwise the next lender is
 * to be asked: a declined or unavailable lender is a step like any other. A case that has ended meanwhile
 * goes to no lender; then the result has the steps that it had.
 */
export async function askLender(asking: Asking): Promise<WaterfallResult> {
  const requestedQuote = asking.caseState.provisionalQuote
  if (!requestedQuote) throw new Error('Cannot ask a lender: the case holds no quote')
  const { panel, index, now: updatedAt } = asking
  const before = asking.caseState.waterfall?.steps ?? []
  const open = { requestedQuote, awaitingCounterDecision: false, exhausted: false, updatedAt }
  const lender = panel.lenders[index]
  if (!lender) return { ...open, steps: before, exhausted: true }
  if (!(await asking.stillWanted())) return { ...open, steps: before }
  const outcome = await ask(asking, { lender, requested: requestedQuote })
  const { lender: name, position } = lender
  const steps = [...before, { lender: name, position, outcome, askedAt: updatedAt }]
  switch (outcome.kind) {
    case 'approved_as_requested':
      return { ...open, steps, acceptedOffer: outcome.offer }
    case 'approved_with_counter':
      return { ...open, steps, awaitingCounterDecision: true }
    case 'declined':
    case 'unavailable':
      return { ...open, steps, exhausted: index + 1 >= panel.lenders.length }
  }
}

interface Enquiry {
  readonly lender: PanelLender
  readonly requested: ProvisionalQuote
}

async function ask(asking: Asking, enquiry: Enquiry): Promise<WaterfallOutcome> {
  const { caseState, index, panel, scenario, signal } = asking
  const { lender, requested } = enquiry
  // Says nothing of the panel's order: a place in it would reveal the decisions of the lenders before.
  const key = stableId(asking.key, lender.lender)
  const application = applicationOf(caseState, {
    applicationId: key,
    productCode: lender.productCode,
    submittedAt: asking.now,
  })
  const decision = await panel.decide(index, application, {
    key,
    scenario,
    ...(signal && { signal }),
  })
  return outcomeOf(decision, { lender, requested, offerId: `offer:${key}` })
}

/** Takes the counter-offer that waits; a waterfall where none waits is answered unchanged. */
export function acceptCounter(waterfall: WaterfallResult, at: string): WaterfallResult {
  if (!waterfall.awaitingCounterDecision) return waterfall
  const acceptedOffer = waitingOffer(waterfall)
  return { ...waterfall, acceptedOffer, awaitingCounterDecision: false, updatedAt: at }
}

/** Leaves the counter-offer that waits; the next lender is asked by a run from `steps.length`. */
export function refuseCounter(waterfall: WaterfallResult, at: string): WaterfallResult {
  if (!waterfall.awaitingCounterDecision) return waterfall
  return { ...waterfall, awaitingCounterDecision: false, updatedAt: at }
}

function waitingOffer({ steps }: WaterfallResult): Offer {
  const outcome = steps.at(-1)?.outcome
  if (outcome?.kind === 'approved_with_counter') return outcome.offer
  throw new Error(`Cannot accept the counter-offer: the last step is '${outcome?.kind}'`)
}
