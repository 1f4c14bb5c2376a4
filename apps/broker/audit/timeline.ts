import { customValue, membersOf, textOf } from 'throughline/agui'
import type { Json, LogRecord } from 'throughline/log'

export interface TimelineEntry {
  readonly ts: string
  readonly seq: number
  readonly kind: string
  readonly summary: string
  readonly payload?: Json
}

interface Telling {
  readonly kind: string
  readonly summary: (data: Json) => string
}

const said =
  (summary: string): Telling['summary'] =>
  () =>
    summary

/** How each record reads to an auditor; a type that is not here is left to the list of records. */
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
  withdraw: { kind: 'withdrawn', summary: said('Customer withdrew') },
  case_outcome: { kind: 'outcome', summary: (data) => `Outcome recorded: ${textOf(data, 'kind')}` },
  case_complete: { kind: 'completed', summary: said('Case completed') },
  event_refused: {
    kind: 'event_refused',
    summary: (data) =>
      `"${textOf(data, 'type')}" from ${textOf(data, 'source')} refused: ${textOf(data, 'reason')}`,
  },
  RUN_ERROR: { kind: 'model_error', summary: (data) => `Turn failed: ${textOf(data, 'code')}` },
}

/** Tells a case's records as an auditor reads them, oldest first. Pure. */
export function timeline(records: readonly LogRecord[]): readonly TimelineEntry[] {
  const texts = new Map<string, string>()
  let steps = 0
  return records.flatMap((record) => {
    if (record.type === 'TEXT_MESSAGE_CONTENT') gather(texts, record)
    const told = entriesOf(record, texts, steps)
    if (record.type === 'waterfall_recorded') steps += told.length
    return told
  })
}

function gather(texts: Map<string, string>, { data }: LogRecord): void {
  const id = textOf(data, 'messageId')
  texts.set(id, (texts.get(id) ?? '') + textOf(data, 'delta'))
}

function entriesOf(
  record: LogRecord,
  texts: ReadonlyMap<string, string>,
  stepsBefore: number,
): readonly TimelineEntry[] {
  const { seq, data, origin } = record
  const at = { ts: new Date(record.ts).toISOString(), seq }
  if (record.type === 'waterfall_recorded') {
    return newSteps(data, stepsBefore).map((summary) => ({
      ...at,
      kind: 'waterfall_step',
      summary,
    }))
  }
  if (record.type === 'TEXT_MESSAGE_END') {
    const who = origin.source === 'model' ? 'Assistant' : 'Person'
    const summary = `${who}: ${texts.get(textOf(data, 'messageId')) ?? ''}`
    return [{ ...at, kind: 'message', summary }]
  }
  const note = customValue(record, 'note')
  if (typeof note === 'string') return [{ ...at, kind: 'synthetic_turn', summary: note }]
  const telling = TELLINGS[record.type]
  if (!telling) return []
  const entry = {
    ...at,
    kind: telling.kind,
    summary: telling.summary(data),
    payload: data,
  }
  return origin.rule
    ? [{ ...at, kind: 'rule_fired', summary: `Rule ${origin.rule}` }, entry]
    : [entry]
}

function newSteps(data: Json, before: number): readonly string[] {
  return listOf(membersOf(data)['result'] ?? null, 'steps')
    .slice(before)
    .map((step) => {
      const outcome = membersOf(step)['outcome'] ?? null
      const reason = textOf(outcome, 'reason')
      const told = `${textOf(step, 'lender')}: ${textOf(outcome, 'kind')}`
      return reason === '' ? told : `${told} (${reason})`
    })
}

function listOf(data: Json, member: string): readonly Json[] {
  const list = membersOf(data)[member]
  return Array.isArray(list) ? list : []
}
