import { REDACTED } from 'throughline/client'
import { membersOf, textOf } from 'throughline'
import type { Json } from 'throughline'
import { inWords, listOf, quoted, wordsOf } from '../../studio/story/index.ts'
import type { Telling } from '../../studio/story/index.ts'
import { named } from './member-words.ts'
import { pounds, valuesInWords, years } from './values.ts'

/** The audit's sentences for records of the broker's own types. */
export const CASE_TELLINGS = {
  case_created: {
    kind: 'case_created',
    sentence: (data) =>
      `The case was opened for ${textOf(data, 'retailerName')}${asDemonstration(data)}`,
  },
  case_hydrated: {
    kind: 'case_recovered',
    sentence: 'The case was brought back from its recovery seed',
  },
  record_project_facts: {
    kind: 'project_facts_recorded',
    sentence: (data) => `Project recorded: ${valuesInWords(data)}`,
  },
  record_customer_contact: {
    kind: 'contact_recorded',
    sentence: (data) => `Contact details recorded: ${named(data)}`,
  },
  generate_customer_link: { kind: 'link_generated', sentence: 'The customer link was made' },
  installer_handoff_complete: {
    kind: 'handoff',
    sentence: 'The case was handed over to the customer',
  },
  present_disclosure: {
    kind: 'disclosure_presented',
    sentence: (data) => `Disclosure shown: ${wordsOf(data, 'id')}${versionOf(data)}`,
  },
  acknowledge_disclosure: {
    kind: 'disclosure_acknowledged',
    sentence: (data) => `Disclosure acknowledged: ${wordsOf(data, 'id')}${binding(data)}`,
  },
  capture_consent: {
    kind: 'consent_recorded',
    sentence: (data) =>
      `Consent to ${wordsOf(data, 'consentType')} ${granting(data)}${binding(data)}`,
  },
  record_eligibility: {
    kind: 'eligibility_recorded',
    sentence: eligibility,
  },
  record_provisional_quote: { kind: 'quote_recorded', sentence: quote },
  record_email_preference: {
    kind: 'email_preference_recorded',
    sentence: (data) =>
      membersOf(data)['wantsEmailCopy'] === true
        ? 'The customer asked for a copy of the quote by email'
        : 'The customer asked for no copy of the quote by email',
  },
  record_personal_facts: {
    kind: 'personal_facts_recorded',
    sentence: (data) => `Personal details recorded: ${named(data)}`,
  },
  record_financial_facts: {
    kind: 'financial_facts_recorded',
    sentence: (data) => `Financial details recorded: ${named(data)}`,
  },
  record_vulnerability_indicators: {
    kind: 'vulnerability_recorded',
    sentence: support,
  },
  submit_application: { kind: 'submission', sentence: 'The application was sent to the lenders' },
  accept_counter_offer: {
    kind: 'counter_decision',
    sentence: 'Accepted this offer',
  },
  refuse_counter_offer: {
    kind: 'counter_decision',
    sentence: 'Turned this offer down',
  },
  select_offer: { kind: 'selected', sentence: 'The customer accepted the offer' },
  request_decision: {
    kind: 'submission',
    sentence: 'A decision was asked for, as cases once did',
  },
  withdraw: { kind: 'withdrawn', sentence: 'The customer withdrew the application' },
  case_outcome: {
    kind: 'outcome',
    sentence: (data) => `Outcome recorded: ${outcomeIn(data)}`,
  },
  reveal_personal_data: {
    kind: 'personal_data_revealed',
    sentence: (data) =>
      `The personal data of the case was revealed: ${quoted(textOf(data, 'reason'))}`,
  },
  waterfall_recorded: { kind: 'waterfall_step', sentence: 'No lender was left to ask' },
  case_complete: { kind: 'completed', sentence: 'The case was completed' },
  journey_idle: {
    kind: 'journey_idle',
    sentence: (data) =>
      `Nothing has happened since ${textOf(data, 'since')}, and the receiver is to be told`,
  },
  'throughline.webhook_delivered': {
    kind: 'webhook_delivered',
    sentence: (data) => delivery(data, 'The receiver was told of', ', at attempt N'),
  },
  'throughline.webhook_failed': {
    kind: 'webhook_failed',
    sentence: (data) =>
      delivery(data, 'The receiver could not be told of', `: attempt N failed ${reasonIn(data)}`),
  },
  'throughline.webhook_dead_lettered': {
    kind: 'webhook_dead_lettered',
    sentence: (data) =>
      delivery(
        data,
        'The receiver was given up on for',
        `: attempt N was the last ${reasonIn(data)}`,
      ),
  },
  'throughline.webhook_resent': {
    kind: 'webhook_resent',
    sentence: (data) =>
      `The operator has the receiver told of ${wordsOf(data, 'event') || 'an event'} again`,
  },
} satisfies Readonly<Record<string, Telling>>

/** The lender that made the last counter-offer among some steps. */
export function offeredBy(steps: readonly Json[]): string | undefined {
  const step = steps.findLast(
    (each) => textOf(membersOf(each)['outcome'] ?? null, 'kind') === 'approved_with_counter',
  )
  return step === undefined ? undefined : textOf(step, 'lender')
}

function outcomeIn(data: Json): string {
  const kind = textOf(data, 'kind')
  return kind === 'selected' ? 'loan accepted' : `no loan (${inWords(kind)})`
}

function asDemonstration(data: Json): string {
  return membersOf(data)['demonstration'] === true ? ', as a demonstration' : ''
}

function quote(data: Json): string {
  const { termMonths, indicativeAprPct: apr, monthlyPayment: monthly } = membersOf(data)
  const term = `The customer chose ${years(Number(termMonths))}`
  if (typeof apr !== 'number' || typeof monthly !== 'number') return term
  return `${term}: ${pounds(monthly)} a month, ${apr}% APR`
}

const CRITERIA = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed']

function eligibility(data: Json): string {
  const answers = CRITERIA.map((criterion) => membersOf(data)[criterion])
  const told = 'The customer answered the four eligibility questions'
  if (answers.includes(REDACTED)) return told
  return `${told}: ${answers.every((answer) => answer === true) ? 'yes to all' : 'not yes to all'}`
}

function support(data: Json): string {
  const told = 'The customer was asked about support'
  if (membersOf(data)['indicators'] === REDACTED) return told
  return `${told} and named ${listOf(data, 'indicators').length || 'nothing'}`
}

function versionOf(data: Json): string {
  const { version } = membersOf(data)
  return typeof version === 'number' ? `, version ${version}` : ''
}

function granting(data: Json): string {
  return membersOf(data)['granted'] === true ? 'granted' : 'refused'
}

function binding(data: Json): string {
  return membersOf(data)['bound'] === false ? '. The answer does not name the text' : ''
}

/** A redacted record of a delivery does not say what it was about. */
function delivery(data: Json, told: string, how: string): string {
  const event = wordsOf(data, 'event')
  if (event === '') return `${told} an event`
  return `${told} ${event}${how.replace('N', `${Number(membersOf(data)['attempt'])}`)}`
}

function reasonIn(data: Json): string {
  return `(${textOf(data, 'reason')})`
}
