import { decideByMeans } from './affordability.ts'
import type { ApplicationPayload } from './application.ts'
import type { DemoScenario, LenderDecision, LenderPanel } from './panel.ts'
import { RATE_CARDS, termsOf } from './rate-cards.ts'
import type { RateCard } from './rate-cards.ts'
import { chipsLongerThan } from './terms.ts'

type Decide = (card: RateCard, application: ApplicationPayload) => LenderDecision

const asRequested: Decide = (card, { requested }) => ({
  kind: 'approved',
  terms: termsOf(card, requested.amount, requested.termMonths),
})

const withLongerTerm: Decide = (card, { requested }) => {
  const [longer = requested.termMonths] = chipsLongerThan(requested.termMonths)
  return { kind: 'approved', terms: termsOf(card, requested.amount, longer) }
}

// By index in the panel; a lender beyond the list declines.
const SCRIPTS: Readonly<Record<Exclude<DemoScenario, 'auto'>, readonly Decide[]>> = {
  clean: [asRequested],
  counter: [declineByScript, withLongerTerm],
  decline: [],
}

function declineByScript(): LenderDecision {
  return { kind: 'declined', reason: 'DEMO_SCENARIO' }
}

/** Invented lenders that decide at once, without chance, a network or a credit search. */
export const builtInPanel: LenderPanel = {
  lenders: RATE_CARDS.map(({ lender, position, productCode }) => ({
    lender,
    position,
    productCode,
  })),
  async decide(index, application, { scenario }) {
    const card = RATE_CARDS[index]
    if (!card) throw new Error(`Cannot decide: the panel has no lender at index ${index}`)
    if (scenario === 'auto') return decideByMeans(card, application)
    const decide = SCRIPTS[scenario][index] ?? declineByScript
    return decide(card, application)
  },
}
