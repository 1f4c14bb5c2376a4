import { textOf } from 'throughline'
import type { Json } from 'throughline'
import type { Annotation, NarrationContext } from 'throughline/server/extend'
import type { BrokerState, CaseState, Offer } from '../case/index.ts'
import { DISCLOSURE_IDS } from '../disclosures/index.ts'
import { failedCriteria } from './customer-prompt.ts'
import { costsOfCase } from './case-costs.ts'
import { helpFor, helpNotes } from './help-notes.ts'
import { inPercent, inPounds, inYears } from './figures.ts'
import { waterfallNote } from './waterfall-note.ts'

type News = NarrationContext<BrokerState>
type AcceptedNote = (held: CaseState, data: Json) => string

export const LINK_OPENED = '[The customer has opened their link.]'
const TABLET_OPENED = '[The installer has opened a new case.]'
const GO_ON = '[Continue.]'

/** The notes of this turn for the customer's narrator. */
export function customerNotes(news: News): readonly string[] {
  const { state, first, bare } = news
  const notes = eventNotes(news, CUSTOMER_NOTES)
  if (first) notes.unshift(LINK_OPENED)
  if (notes.length === 0 && bare) {
    notes.push(state.case.waterfall ? waterfallNote(state.case, state.case.waterfall) : GO_ON)
  }
  return [...notes, ...helpNotes(news.said, 'customer', costsOfCase(state.case))]
}

/** The notes of this turn for the installer's narrator. */
export function installerNotes(news: News): readonly string[] {
  const notes = eventNotes(news, INSTALLER_NOTES)
  if (news.first) notes.unshift(TABLET_OPENED)
  if (notes.length === 0 && news.bare) notes.push(GO_ON)
  return [...notes, ...helpNotes(news.said, 'installer')]
}

/** Records that help was offered: never what the customer said, and nothing that a decision reads. */
export function supportOffered({ said }: Pick<News, 'said'>): readonly Annotation[] {
  const offered = helpFor(said, 'customer').filter(({ kind }) => kind === 'support')
  const ids = [...new Set(offered.map(({ article }) => article.id))]
  return ids.map((article) => ({ name: 'support_offered', value: { article } }))
}

/** One note for what several events say together: a form sends personal and financial facts at once. */
function eventNotes(
  { state, accepted, refused }: News,
  wording: Readonly<Record<string, AcceptedNote>>,
): string[] {
  const notes = accepted.map(({ type, data }) => {
    const note = wording[type]
    return note ? note(state.case, data) : `${plainName(type)} was recorded`
  })
  const refusals = refused.map(
    ({ type, reason }) =>
      `Not recorded: ${plainName(type)} (${plainName(reason)}). The case is as it was`,
  )
  return [...new Set([...notes, ...refusals])].map((note) => `[${note}.]`)
}

/** A type or a reason that a page made up is not for a model to read. */
function plainName(name: string): string {
  return /^[a-z_]{1,48}$/.test(name) ? name : 'an unknown event'
}

const INSTALLER_NOTES: Readonly<Record<string, AcceptedNote>> = {
  record_project_facts: () => 'The installer entered project facts on the form',
  record_customer_contact: () => 'The installer entered contact details on the form',
  generate_customer_link: () => "The customer's link was made",
  installer_handoff_complete: () => 'The handoff is complete',
}

const CUSTOMER_NOTES: Readonly<Record<string, AcceptedNote>> = {
  record_customer_contact: () => 'The customer sent the application form',
  record_personal_facts: () => 'The customer sent the application form',
  record_financial_facts: () => 'The customer sent the application form',
  record_eligibility: eligibilityNote,
  record_provisional_quote: quoteNote,
  record_email_preference: ({ emailPreference }) =>
    emailPreference?.wantsEmailCopy
      ? 'The customer would like the quote by email'
      : 'The customer does not want the quote by email',
  record_vulnerability_indicators: supportNote,
  present_disclosure: (_held, data) => `The page now shows ${disclosureName(data)}`,
  acknowledge_disclosure: (_held, data) =>
    `The customer pressed the button that confirms ${disclosureName(data)}`,
  capture_consent: consentNote,
  accept_counter_offer: ({ waterfall }) =>
    `The customer accepted the counter-offer${offerTerms(waterfall?.acceptedOffer)}`,
  refuse_counter_offer: () =>
    'The customer refused the counter-offer and asked for the next lender',
  select_offer: ({ waterfall }) =>
    `The customer accepted the offer${offerTerms(waterfall?.acceptedOffer)}`,
  withdraw: () => 'The customer stopped the application',
  case_complete: () => 'The customer closed the case',
}

function eligibilityNote({ eligibility }: CaseState): string {
  const failed = failedCriteria(eligibility)
  return failed.length === 0
    ? 'The customer answered the eligibility questions and meets all four'
    : `The customer answered the eligibility questions and does not meet ${failed.join(', ')}`
}

function quoteNote({ provisionalQuote }: CaseState): string {
  if (!provisionalQuote) return 'The customer chose a term'
  const { termMonths, indicativeAprPct, monthlyPayment, totalPayable } = provisionalQuote
  return (
    `The customer chose a term of ${inYears(termMonths)}. ` +
    `Indicative APR ${inPercent(indicativeAprPct)}, ` +
    `${inPounds(monthlyPayment)} a month, total ${inPounds(totalPayable)}`
  )
}

/** A count, and never which: what the customer marked is not the model's to discuss. */
function supportNote({ financial }: CaseState): string {
  const count = financial.vulnerabilityIndicators?.length ?? 0
  if (count === 0) return 'The customer answered the support card and marked nothing'
  return `The customer answered the support card and marked ${count} of its points`
}

function consentNote(_held: CaseState, data: Json): string {
  const type = textOf(data, 'consentType')
  const about = type === 'credit_search' ? 'the credit search' : 'another use of their data'
  const granted = typeof data === 'object' && data !== null && 'granted' in data && data.granted
  return `The customer ${granted === true ? 'granted' : 'refused'} ${about}`
}

function disclosureName(data: Json): string {
  return DISCLOSURE_IDS.find((id) => id === textOf(data, 'id')) ?? 'a disclosure'
}

function offerTerms(offer: Offer | undefined): string {
  if (!offer) return ''
  const { lender, termMonths, aprPct, monthlyPayment, totalPayable } = offer
  return (
    ` of ${lender}: ${inYears(termMonths)}, APR ${inPercent(aprPct)}, ` +
    `${inPounds(monthlyPayment)} a month, total ${inPounds(totalPayable)}`
  )
}
