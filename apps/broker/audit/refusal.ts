import { REDACTED } from 'throughline/client'
import { textOf } from 'throughline'
import type { Json, Refusal } from 'throughline'
import { inWords } from '../../studio/story/index.ts'

/** Describes a refused event: the request and the reason. */
export function refusal(data: Json): string {
  return `Not accepted: ${actOf(textOf(data, 'type'))}. ${reasonOf(data)}`
}

const ACTS: ReadonlyMap<string, string> = new Map([
  ['present_disclosure', 'to show a disclosure'],
  ['acknowledge_disclosure', 'to acknowledge a disclosure'],
  ['capture_consent', 'the answer to a consent'],
  ['submit_application', 'to send the application'],
  ['accept_counter_offer', 'to accept the counter-offer'],
  ['refuse_counter_offer', 'to turn the counter-offer down'],
  ['select_offer', 'to accept the offer'],
  ['withdraw', 'to withdraw the application'],
  ['case_complete', 'to close the case'],
  ['record_project_facts', 'project details'],
  ['record_customer_contact', 'contact details'],
  ['record_personal_facts', 'personal details'],
  ['record_financial_facts', 'financial details'],
  ['record_eligibility', 'the answers about eligibility'],
  ['record_provisional_quote', 'the choice of a term'],
  ['record_email_preference', 'the choice about an email copy'],
  ['record_vulnerability_indicators', 'the answer about support'],
  ['installer_handoff_complete', 'to hand the case over'],
  ['generate_customer_link', 'to make the customer link'],
])

function actOf(type: string): string {
  if (type === REDACTED) return 'an act that does not exist'
  return ACTS.get(type) ?? (type === '' ? 'something without a name' : inWords(type))
}

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown_type: 'There is no act of this name',
    invalid_payload: 'The values were not valid',
    not_authorised: 'Only another side may do this',
    precondition: 'It was not possible at this point',
    locked: 'The case had ended',
    echoed: 'The model repeated words that it had read',
    evidence_mismatch: 'It named another text than the one that was shown',
    malformed: 'It could not be read',
    too_large: 'It was too long',
    truncated: 'It broke off before its end',
    limit: 'Too many acts came at once',
    quoted: 'The model showed it as an example',
  } satisfies Record<Refusal['refused'], string>),
)

/** The detail says more than the reason where it is a sentence for people. */
const FOR_PEOPLE: readonly string[] = ['precondition', 'locked'] satisfies Refusal['refused'][]

function reasonOf(data: Json): string {
  const [reason, detail] = [textOf(data, 'reason'), textOf(data, 'detail')]
  if (detail !== '' && FOR_PEOPLE.includes(reason)) {
    return detail.replaceAll(/"(\w+)"/g, (_, code: string) => `“${inWords(code)}”`)
  }
  return REASONS.get(reason) ?? `Reason: ${inWords(reason) || 'not recorded'}`
}
