import { membersOf } from 'throughline/agui'
import type { Json, LogRecord } from 'throughline/log'

type Data = Readonly<Record<string, Json | undefined>>
type Sentence = string | ((data: Data) => string)

/** Says in one sentence what a record records; a type without one is named in plain words. */
export function sentenceOf({ type, data }: LogRecord): string {
  const sentence = SENTENCES.get(type)
  if (sentence === undefined) return inPlainWords(type)
  return typeof sentence === 'string' ? sentence : sentence(membersOf(data))
}

const SENTENCES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['RUN_STARTED', 'A run of the agent started'],
  ['RUN_FINISHED', 'The run ended'],
  ['RUN_ERROR', ({ message }) => `The run failed: ${text(message)}`],
  ['TEXT_MESSAGE_START', ({ role }) => `A message of the ${text(role) || 'assistant'} began`],
  ['TEXT_MESSAGE_CONTENT', ({ delta }) => text(delta)],
  ['TEXT_MESSAGE_END', 'The message ended'],
  ['CUSTOM', ({ name }) => inPlainWords(text(name).replace(/^throughline\./, ''))],
  ['event_refused', ({ type, reason }) => `Refused: ${inPlainWords(text(type))} (${text(reason)})`],
  ['case_created', ({ retailerName }) => `The case was opened for ${text(retailerName)}`],
  ['case_hydrated', 'The case was brought back from its recovery seed'],
  ['record_project_facts', (data) => `Project facts: ${named(data)}`],
  ['record_customer_contact', (data) => `Contact details: ${named(data)}`],
  ['generate_customer_link', 'The customer link was made'],
  ['installer_handoff_complete', 'The installer handed the case over'],
  ['record_eligibility', 'The customer answered the four eligibility questions'],
  ['record_provisional_quote', ({ termMonths }) => `A quote over ${text(termMonths)} months`],
  ['record_email_preference', 'The customer chose about an email copy'],
  ['record_personal_facts', (data) => `Personal facts: ${named(data)}`],
  ['record_financial_facts', (data) => `Financial facts: ${named(data)}`],
  ['record_vulnerability_indicators', 'The customer answered about support'],
  ['present_disclosure', ({ id }) => `Shown: ${inPlainWords(text(id))}`],
  ['acknowledge_disclosure', ({ id }) => `Acknowledged: ${inPlainWords(text(id))}`],
  [
    'capture_consent',
    ({ consentType, granted }) =>
      `${inPlainWords(text(consentType))}: ${granted === true ? 'granted' : 'refused'}`,
  ],
  ['submit_application', 'The application was submitted'],
  ['effect_requested', ({ effect }) => `Requested: ${text(effect)}`],
  ['waterfall_recorded', 'The lenders have answered'],
  ['accept_counter_offer', 'The customer accepted the counter-offer'],
  ['refuse_counter_offer', 'The customer turned down the counter-offer'],
  ['select_offer', 'The customer accepted the offer'],
  ['withdraw', 'The customer left the application'],
  ['case_outcome', ({ kind }) => `Outcome: ${inPlainWords(text(kind))}`],
  ['case_complete', 'The case is finished'],
])

function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

/** Which facts there are, without the facts: they stand in the JSON. */
function named(data: Data): string {
  const words = Object.keys(data).map((name) => inPlainWords(name).toLowerCase())
  return words.join(', ')
}

function inPlainWords(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
