import type { CaseView } from '../broker/customer/case-view.ts'
import { currentCard } from '../broker/customer/current-card.ts'
import { STEP_NAMES, placeOf, stepOf } from '../broker/customer/steps.ts'
import { loanOutcome } from '../broker/case/loan-outcome.ts'
import { money } from '../kit/index.ts'
import { WORDS } from './words.ts'

/** The data of a case in the list of cases. */
export interface CaseStanding {
  /** The customer's name and the loan, once both are known. */
  readonly name: string | undefined
  readonly stands: string
}

/** Says where a case stands: its outcome, or the step that the customer is at. Pure. */
export function standingOf(view: CaseView): CaseStanding {
  return { name: nameOf(view), stands: standsAt(view) }
}

function standsAt(view: CaseView): string {
  const outcome = loanOutcome(view)
  if (outcome !== undefined) return WORDS.cases.outcomes[outcome]
  const place = placeOf(currentCard(view))
  if (place === 'handoff') return WORDS.cases.withInstaller
  return WORDS.cases.step(stepOf(place) ?? STEP_NAMES.length, STEP_NAMES.length)
}

function nameOf({ contact, project }: CaseView): string | undefined {
  const { firstName = '' } = contact
  if (firstName === '') return undefined
  const { netLoanAmount: amount } = project
  return amount === undefined ? firstName : WORDS.cases.named(firstName, money(amount))
}
