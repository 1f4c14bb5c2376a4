import { decideByMeans } from './affordability.ts'
import type { Means } from './affordability.ts'
import type { DemoScenario, LenderPanel, LenderVerdict } from './panel.ts'
import { RATE_CARDS, termsOf } from './rate-cards.ts'
import type { RateCard } from './rate-cards.ts'
import { chipsLongerThan } from './terms.ts'

type Decide = (card: RateCard, means: Means) => LenderVerdict

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

function declineByScript(): LenderVerdict {
  return { kind: 'declined', reason: 'DEMO_SCENARIO' }
}

/** Returns the decision of the invented lender at this place of the panel. Pure. */
export function inventedDecision(
  index: number,
  means: Means,
  scenario: DemoScenario,
): LenderVerdict {
  const card = RATE_CARDS[index]
  if (!card) throw new Error(`Cannot decide: the panel has no lender at index ${index}`)
  if (scenario === 'auto') return decideByMeans(card, means)
  const decide = SCRIPTS[scenario][index] ?? declineByScript
  return decide(card, means)
}

/** Invented lenders that decide at once, without chance, a network or a credit search. */
export const builtInPanel: LenderPanel = {
  lenders: RATE_CARDS.map(({ lender, position, productCode }) => ({
    lender,
    position,
    productCode,
  })),
  async decide(index, application, { scenario }) {
    return inventedDecision(index, application, scenario)
  },
}
