import { CASE_GATES } from '../case/index.ts'
import type { CaseGate } from '../case/index.ts'
import { ON_PAGE, ROWS } from './page-names.ts'

/** Where the customer who asks stands, as the prompt has it. */
export interface Where {
  readonly gate: string
  readonly status: string
}

export function howToStop({ gate }: Where): string {
  if (gate === 'closed') return 'This application has ended, so there is nothing to stop.'
  if (gate === 'complete') {
    return 'You have accepted an offer here, and you can still stop: nothing is owed until you have signed.'
  }
  return (
    `You can stop at any time: press ${ON_PAGE.leave}. What is recorded is kept, unless you choose ` +
    `${ON_PAGE.withdraw} there, which ends it for good. You need not give a reason, and I cannot ` +
    'press it for you.'
  )
}

const OPTIONAL: readonly string[] = ['email', 'vulnerability']

export function mayBeLeftOut(where: Where): string {
  const { gate } = where
  if (OPTIONAL.includes(gate))
    return 'What the card on your screen asks is optional, and nothing depends on it.'
  if (gate === 'disclosure:credit_search_consent' || gate === 'consent_refused')
    return ifRefused(where)
  if (isPast(gate, 'submit')) return howToStop(where)
  return 'The application cannot go on without what the card on your screen asks, and you need not go on.'
}

export function ifRefused({ gate }: Where): string {
  if (gate === 'counter') return 'Then the next lender on the panel is asked, if one is left.'
  if (isPast(gate, 'consent_refused')) {
    return `Nothing binds you before you sign the lender’s own agreement. ${howToStop({ gate, status: '' })}`
  }
  return (
    'Without your consent to the credit search no search is made and nothing is sent to a lender. You ' +
    'can leave it there or come back to the question.'
  )
}

const THANKS = 'Thank you for telling me.'
const NO_EFFECT = 'Using it does not affect any decision.'

/** Where the card about support stands now; what a customer says of themselves is not recorded here. */
export function whereIsSupport({ gate }: Where): string {
  if (isPast(gate, 'submit')) {
    return `${THANKS} ${ON_PAGE.person}, at the foot of the page, is there if you would like to talk about it.`
  }
  if (isPast(gate, 'vulnerability')) {
    return `${THANKS} ${ON_PAGE.change} beside ${ROWS.vulnerability} opens the support card again, if you would like us to know. ${NO_EFFECT}`
  }
  const where = gate === 'vulnerability' ? 'is on your screen' : 'comes before the credit search'
  return `${THANKS} The support card ${where}, if you would like us to know. ${NO_EFFECT}`
}

function isPast(gate: string, other: CaseGate): boolean {
  return CASE_GATES.findIndex((known) => known === gate) > CASE_GATES.indexOf(other)
}
