import { stableId } from 'throughline/gate'
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

export interface WaterfallRun {
  readonly caseState: CaseState
  /** Where to go on: 0 at submission, the number of steps taken after a refused counter-offer. */
  readonly fromIndex?: number
  readonly scenario: DemoScenario
  readonly panel: LenderPanel
  /** The key of the effect; every lender's own key is made from it. */
  readonly key: string
  /** When the run was requested, so that a second attempt sends the same applications. */
  readonly now: string
  /** Asked before each lender: once it says no, nothing more of the customer's leaves the broker. */
  readonly stillWanted: () => Promise<boolean>
  readonly signal?: AbortSignal
}

/**
 * Asks the panel one lender after the other and stops at the first that approves.
 *
 * A declined or unavailable lender is a step and the next one is asked; a panel that has no lender
 * left is exhausted. When the customer withdraws on the way, the lender that was being asked is the
 * last. The steps of an earlier run come first.
 */
export async function runWaterfall(run: WaterfallRun): Promise<WaterfallResult> {
  const requestedQuote = run.caseState.provisionalQuote
  if (!requestedQuote) throw new Error('Cannot run the waterfall: the case holds no quote')
  const { panel, fromIndex = 0, now: updatedAt } = run
  const settled = { requestedQuote, awaitingCounterDecision: false, exhausted: false, updatedAt }
  const steps = [...(run.caseState.waterfall?.steps ?? [])]
  for (const [index, lender] of panel.lenders.entries()) {
    if (index < fromIndex) continue
    if (!(await run.stillWanted())) return { ...settled, steps }
    const outcome = await ask(run, { index, lender, requested: requestedQuote })
    steps.push({ lender: lender.lender, position: lender.position, outcome })
    if (outcome.kind === 'approved_as_requested') {
      return { ...settled, steps, acceptedOffer: outcome.offer }
    }
    if (outcome.kind === 'approved_with_counter') {
      return { ...settled, steps, awaitingCounterDecision: true }
    }
  }
  return { ...settled, steps, exhausted: true }
}

interface Enquiry {
  readonly index: number
  readonly lender: PanelLender
  readonly requested: ProvisionalQuote
}

async function ask(run: WaterfallRun, enquiry: Enquiry): Promise<WaterfallOutcome> {
  const { caseState, panel, scenario, signal } = run
  const { index, lender, requested } = enquiry
  // Says nothing of the panel's order: a place in it would tell what the lenders before decided.
  const key = stableId(run.key, lender.lender)
  const application = applicationOf(caseState, {
    applicationId: key,
    productCode: lender.productCode,
    submittedAt: run.now,
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
