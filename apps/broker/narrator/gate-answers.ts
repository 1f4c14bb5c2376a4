import { CASE_GATES } from '../case/index.ts'
import type { CaseGate } from '../case/index.ts'
import { ASK_PERSON, ON_PAGE, ROWS } from './page-names.ts'

/** The place of the customer in the journey, as the prompt has it. */
export interface Where {
  readonly gate: string
  readonly status: string
  /** `none` while the case goes on. */
  readonly outcome: string
  /** The lender whose offer is open or accepted, where the message asks for it. */
  readonly lender?: string
}

export function howToStop({ gate }: Pick<Where, 'gate'>): string {
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

export function takeYourTime({ gate }: Where): string {
  if (gate === 'closed')
    return `This application has ended, so nothing more is asked of you. ${ASK_PERSON}`
  return (
    'Take the time that you need, and do nothing that you do not want. Nothing is agreed until you press ' +
    `its button. ${ON_PAGE.leave} keeps what is recorded for another day. ${ASK_PERSON}`
  )
}

export function whoLends({ lender }: Where): string | undefined {
  if (lender === undefined) return undefined
  return `${lender} makes this offer and would lend the money. We are the credit broker. The card shows its terms.`
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
    return `Nothing binds you before you sign the lender’s own agreement. ${howToStop({ gate })}`
  }
  return (
    'Without your consent to the credit search no search is made and nothing is sent to a lender. You ' +
    'can leave it there or come back to the question.'
  )
}

const NO_EFFECT = 'Using it does not affect any decision.'

/** Says where the support card is now; a customer's message is not recorded as its answer. */
export function whereIsSupport({ gate }: Where): string {
  if (isPast(gate, 'submit')) return ''
  if (isPast(gate, 'vulnerability')) {
    return `${ON_PAGE.change} beside ${ROWS.vulnerability} opens the support card again, if you would like us to know. ${NO_EFFECT}`
  }
  const where = gate === 'vulnerability' ? 'is on your screen' : 'comes before the credit search'
  return `The support card ${where}, if you would like us to know. ${NO_EFFECT}`
}

function isPast(gate: string, other: CaseGate): boolean {
  return CASE_GATES.findIndex((known) => known === gate) > CASE_GATES.indexOf(other)
}
