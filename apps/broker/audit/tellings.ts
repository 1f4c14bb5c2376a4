import { membersOf, textOf } from 'throughline/agui'
import type { Json, LogRecord } from 'throughline/log'

interface Telling {
  readonly kind: string
  readonly summary: (data: Json) => string
}

const said =
  (summary: string): Telling['summary'] =>
  () =>
    summary

/** How each record reads to an auditor, by its type, or by its name where AG-UI has no word for it. */
const TELLINGS: Readonly<Record<string, Telling>> = {
  case_created: {
    kind: 'case_created',
    summary: (data) => `Case opened for ${textOf(data, 'retailerName')}`,
  },
  case_hydrated: { kind: 'case_created', summary: said('Case recovered from its seed') },
  record_project_facts: { kind: 'project_facts_recorded', summary: said('Project facts recorded') },
  record_customer_contact: { kind: 'contact_recorded', summary: said('Contact details recorded') },
  generate_customer_link: { kind: 'link_generated', summary: said('Customer link made') },
  installer_handoff_complete: { kind: 'handoff', summary: said('Installer handed over') },
  present_disclosure: {
    kind: 'disclosure_presented',
    summary: (data) => `Disclosure "${textOf(data, 'id')}" shown`,
  },
  acknowledge_disclosure: {
    kind: 'disclosure_acknowledged',
    summary: (data) => `Disclosure "${textOf(data, 'id')}" acknowledged`,
  },
  capture_consent: {
    kind: 'consent_recorded',
    summary: (data) =>
      `Consent "${textOf(data, 'consentType')}" ${membersOf(data)['granted'] === true ? 'granted' : 'refused'}`,
  },
  record_eligibility: { kind: 'eligibility_recorded', summary: said('Eligibility answered') },
  record_provisional_quote: {
    kind: 'quote_recorded',
    summary: (data) => `Quote chosen over ${Number(membersOf(data)['termMonths'])} months`,
  },
  record_email_preference: {
    kind: 'email_preference_recorded',
    summary: said('Email preference recorded'),
  },
  record_personal_facts: {
    kind: 'personal_facts_recorded',
    summary: said('Personal details recorded'),
  },
  record_financial_facts: {
    kind: 'financial_facts_recorded',
    summary: said('Financial details recorded'),
  },
  record_vulnerability_indicators: {
    kind: 'vulnerability_recorded',
    summary: (data) => `Support needs asked, ${listOf(data, 'indicators').length} named`,
  },
  submit_application: { kind: 'submission', summary: said('Application submitted') },
  accept_counter_offer: { kind: 'counter_decision', summary: said('Counter-offer accepted') },
  refuse_counter_offer: { kind: 'counter_decision', summary: said('Counter-offer refused') },
  select_offer: { kind: 'selected', summary: said('Offer accepted by the customer') },
  request_decision: { kind: 'submission', summary: said('Decision asked for, as cases once did') },
  withdraw: { kind: 'withdrawn', summary: said('Customer withdrew') },
  case_outcome: { kind: 'outcome', summary: (data) => `Outcome recorded: ${textOf(data, 'kind')}` },
  case_complete: { kind: 'completed', summary: said('Case completed') },
  event_refused: {
    kind: 'event_refused',
    summary: (data) =>
      `"${textOf(data, 'type')}" from ${textOf(data, 'source')} refused: ${textOf(data, 'reason')}`,
  },
  effect_requested: {
    kind: 'effect_requested',
    summary: (data) => `Work asked for outside: ${inWords(textOf(data, 'effect'))}`,
  },
  'throughline.note': {
    kind: 'synthetic_turn',
    summary: (data) => (typeof data === 'string' ? data : ''),
  },
  'throughline.effect_failed': {
    kind: 'effect_failed',
    summary: (data) =>
      `Work outside failed: ${inWords(textOf(data, 'effect'))} (${textOf(data, 'message')})`,
  },
  'throughline.webhook_idle': {
    kind: 'journey_idle',
    summary: (data) => `No record since ${textOf(data, 'since')}: the receiver is to be told`,
  },
  'throughline.webhook_delivered': {
    kind: 'webhook_delivered',
    summary: (data) => `Receiver told: ${toldOf(data)}, at attempt ${attemptOf(data)}`,
  },
  'throughline.webhook_failed': {
    kind: 'webhook_failed',
    summary: (data) =>
      `Receiver not told: ${toldOf(data)}, attempt ${attemptOf(data)} failed (${textOf(data, 'reason')})`,
  },
  'throughline.webhook_dead_lettered': {
    kind: 'webhook_dead_lettered',
    summary: (data) =>
      `Receiver given up on: ${toldOf(data)}, attempt ${attemptOf(data)} was the last (${textOf(data, 'reason')})`,
  },
  'throughline.webhook_resent': {
    kind: 'webhook_resent',
    summary: (data) => `The operator has the receiver told again: ${toldOf(data)}`,
  },
  token_revoked: { kind: 'token_revoked', summary: revocation },
  'RUN_FINISHED: cancelled': {
    kind: 'turn_stopped',
    summary: (data) =>
      `Turn stopped by the ${textOf(membersOf(data)['metadata'] ?? null, 'stoppedBy')}`,
  },
  RUN_ERROR: { kind: 'model_error', summary: (data) => `Turn failed: ${textOf(data, 'code')}` },
}

/** What a timeline leaves to the list of records: how a turn went by, and what its messages consist of. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'RUN_FINISHED',
  'STEP_STARTED',
  'STEP_FINISHED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_ENCRYPTED_VALUE',
  'REASONING_END',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_RESULT',
  'throughline.model_output',
])

/** How a record reads; one of a kind that nobody has thought of is told by its name, not left out. */
export function tellingOf({
  type,
  data,
}: LogRecord):
  | { readonly kind: string; readonly summary: string; readonly payload: Json }
  | undefined {
  const ours = type === 'CUSTOM'
  const name = ours ? textOf(data, 'name') : typeOrStop(type, data)
  if (LEFT_OUT.has(name)) return undefined
  const payload = ours ? (membersOf(data)['value'] ?? null) : data
  const telling = Object.hasOwn(TELLINGS, name) ? TELLINGS[name] : undefined
  const { kind, summary } = telling ?? {
    kind: 'other',
    summary: said(`Recorded: ${inWords(name)}`),
  }
  return { kind, summary: summary(payload), payload }
}

/** A run that was stopped has a telling of its own. */
function typeOrStop(type: string, data: Json): string {
  const outcome = membersOf(data)['outcome'] ?? null
  const stopped = type === 'RUN_FINISHED' && textOf(outcome, 'type') === 'cancelled'
  return stopped ? 'RUN_FINISHED: cancelled' : type
}

function revocation(data: Json): string {
  const role = textOf(data, 'role')
  const { issuedUntil } = membersOf(data)
  if (typeof issuedUntil !== 'number') return `A link of the ${role} revoked`
  const until = new Date(issuedUntil).toISOString()
  return `All links of the ${role} revoked that were issued until ${until}`
}

/** What a receiver is told, in words. */
function toldOf(data: Json): string {
  return inWords(textOf(data, 'event'))
}

function attemptOf(data: Json): number {
  return Number(membersOf(data)['attempt'])
}

function inWords(name: string): string {
  return name.replace('throughline.', '').replaceAll('_', ' ').toLowerCase()
}

export function listOf(data: Json, member: string): readonly Json[] {
  const list = membersOf(data)[member]
  return Array.isArray(list) ? list : []
}
