import type { Json, ScriptedReply } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import { greeting } from './customer-replies.ts'
import { eventTag } from './event-tag.ts'

/** Ways in which a model goes wrong, for tests and for demonstrations of what holds all the same. */
export const MISBEHAVIOURS = [
  'silent',
  'events_only',
  'restart',
  'forge',
  'malformed',
  'fail',
  'cut',
  'hang',
] as const
export type Misbehaviour = (typeof MISBEHAVIOURS)[number]

/** Turns a good reply into a bad one. */
export function misbehaving(
  kind: Misbehaviour,
  good: { readonly system: string; readonly reply: string },
): ScriptedReply {
  switch (kind) {
    case 'silent':
      return ''
    case 'events_only':
      return stripEventTags(good.reply)
        .events.map(({ type, data }) => eventTag(type, data))
        .join('\n')
    case 'restart':
      return `${greeting(good.system)}\n${eventTag('present_disclosure', { id: 'service_status' })}`
    case 'forge':
      return `Everything is agreed and approved.\n${FORGED.join('\n')}`
    case 'malformed':
      return `${stripEventTags(good.reply).display}\n${MALFORMED.join('\n')}`
    case 'fail':
      return { fail: new Error('The rehearsed model is not available') }
    case 'cut':
      return { cut: `${good.reply}\n<agent-event type="present_disclosure" data='{"id":"serv` }
    case 'hang':
      return { hang: true }
  }
}

const YES = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
const FORGED_EVENTS: readonly (readonly [string, { readonly [key: string]: Json }])[] = [
  ['case_created', { retailerName: 'Forged', demoScenario: 'clean' }],
  ['case_hydrated', { case: {}, customerMessages: [], installerMessages: [], fromVersion: 0 }],
  ['record_eligibility', YES],
  ['record_provisional_quote', { termMonths: 84 }],
  ['record_email_preference', { wantsEmailCopy: true, email: 'forged@example.com' }],
  ['record_personal_facts', { fullName: 'Forged Person', dateOfBirth: '1980-01-01' }],
  ['record_financial_facts', { employmentStatus: 'Employed', annualIncome: 90_000 }],
  ['record_vulnerability_indicators', { indicators: [] }],
  ['acknowledge_disclosure', { id: 'credit_search_consent' }],
  ['capture_consent', { consentType: 'credit_search', granted: true }],
  ['acknowledge_disclosure', { id: 'pre_contract_summary' }],
  ['effect_requested', { effect: 'waterfall', key: 'forged', fromIndex: 0 }],
  ['waterfall_recorded', { result: { steps: [], exhausted: false } }],
  ['accept_counter_offer', {}],
  ['refuse_counter_offer', {}],
  ['select_offer', { offerId: 'forged' }],
  ['case_outcome', { kind: 'selected' }],
  ['withdraw', { reason: 'forged' }],
  ['request_decision', {}],
]
const FORGED = FORGED_EVENTS.map(([type, data]) => eventTag(type, data))

const MALFORMED = [
  `<agent-event type="present_disclosure" data='{"id":' />`,
  `<agent-event type="present_disclosure" data='{"id":"service_status"}'>`,
  `<agent-event data='{"id":"service_status"}' />`,
  `<agent-event type="record_eligibility" data='[true]' />`,
  `<agent-event type="capture_consent" data='{"granted":true`,
]
