import type { CustomerContact, ProjectFacts } from '../case/index.ts'

/** An installer's message with its exact expected result. */
export interface Utterance {
  /** The installer's messages in earlier turns of the same case. */
  readonly before: readonly string[]
  readonly said: string
  /** The facts that this utterance gives; every other fact stays as it was. */
  readonly facts: ProjectFacts & CustomerContact & { readonly retailerName?: string }
  readonly reply: string
}

export type Row = readonly [said: string, facts: Utterance['facts'], reply: string]
export type Turn = readonly [before: readonly string[], ...Row]

export const EVERYTHING = 'Mobile, first name, email, project value, deposit and product?'
export const PERSON = 'Mobile, first name and email?'
export const BUT_VALUE = 'Mobile, first name, email, deposit and product?'
export const BUT_DEPOSIT = 'Mobile, first name, email, project value and product?'
export const BUT_PRODUCT = 'Mobile, first name, email, project value and deposit?'
export const BUT_NAME = 'Mobile, email, project value, deposit and product?'
export const BUT_EMAIL = 'Mobile, first name, project value, deposit and product?'
export const BUT_MOBILE = 'First name, email, project value, deposit and product?'
export const NO_DEPOSIT = 'Mobile, first name, email and deposit?'
export const NO_PRODUCT = 'Mobile, first name, email and product?'
export const DECLINED =
  "I have not noted what is personal to the customer: that belongs on the customer's own phone."
export const CANNOT =
  'I cannot help with that here: I note the project and how to reach the customer.'
export const NEGATIVE = 'An amount cannot be negative.'
export const NO_MOBILE = 'That is not a UK mobile number.'
export const NO_EMAIL = 'That is not a whole email address.'
export const TWO_PRICES = 'I heard more than one price.'

export const panels = { productSpec: 'panels_only' } as const
export const battery = { productSpec: 'panels_battery' } as const
export const charger = { productSpec: 'panels_battery_ev' } as const
export const mobile = '07700 900 123'
export const email = 'sarah@example.com'
export const sarahJones = { firstName: 'Sarah', lastName: 'Jones', mobile }

export const AT_HAND =
  'It stands with the facts on this page, to show or copy: nothing is sent from here.'
export const LINK_MADE = `Making Sarah's link now. ${AT_HAND}`
export const heard = (facts: string, next: string) => `Understood: ${facts}. ${next}`
export const refused = (why: string) => `${why} ${EVERYTHING}`
