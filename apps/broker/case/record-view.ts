import type { Json, LibraryRecord, LogRecord, Origin } from 'throughline'
import { ourMetadata } from 'throughline/client'
import { textOf } from 'throughline'
import { withoutReasons } from './case-view.ts'
import type { CaseRole } from './case-view.ts'
import type { BrokerAuditType, BrokerEventType, BrokerSystemType } from './event-names.ts'
import type { WaterfallResult } from './state.ts'

type Side = Extract<CaseRole, 'installer' | 'customer'>
type Shown = (data: Json) => Json

interface Visibility {
  readonly installer?: Shown
  readonly customer?: Shown
  /** Only records of the role's own surface; `click`: only those of what its page proposed. */
  readonly own?: 'surface' | 'click'
}

type ShownType =
  | BrokerEventType
  | BrokerSystemType
  | BrokerAuditType
  | Extract<LibraryRecord, 'event_refused'>
  | 'TEXT_MESSAGE_START'
  | 'TEXT_MESSAGE_CONTENT'
  | 'TEXT_MESSAGE_END'
  | 'RUN_STARTED'
  | 'RUN_FINISHED'
  | 'RUN_ERROR'

const whole: Shown = (data) => data
const marker: Shown = () => ({})
const both: Visibility = { installer: whole, customer: whole }
const customerOnly: Visibility = { customer: whole }
/** The installer learns that the status may have moved, and nothing of why. */
const marked: Visibility = { installer: marker, customer: whole }
const ownMessage: Visibility = { ...both, own: 'surface' }

// A type that is not named here is hidden from both sides.
const VISIBILITY = {
  record_project_facts: both,
  record_customer_contact: both,
  generate_customer_link: both,
  installer_handoff_complete: both,
  record_eligibility: marked,
  record_provisional_quote: customerOnly,
  record_email_preference: customerOnly,
  record_personal_facts: marked,
  record_financial_facts: marked,
  record_vulnerability_indicators: customerOnly,
  present_disclosure: customerOnly,
  acknowledge_disclosure: marked,
  capture_consent: customerOnly,
  submit_application: marked,
  accept_counter_offer: marked,
  refuse_counter_offer: marked,
  select_offer: marked,
  withdraw: marked,
  case_outcome: marked,
  case_complete: marked,
  request_decision: {},
  reveal_personal_data: {},
  case_created: { installer: marker, customer: marker },
  case_hydrated: { installer: marker, customer: marker },
  waterfall_recorded: { installer: marker, customer: waterfallForCustomer },
  journey_idle: {},
  event_refused: { installer: refusal, customer: refusal, own: 'click' },
  TEXT_MESSAGE_START: ownMessage,
  TEXT_MESSAGE_CONTENT: ownMessage,
  TEXT_MESSAGE_END: ownMessage,
  RUN_STARTED: { installer: runNames, customer: runNames, own: 'surface' },
  RUN_FINISHED: { installer: finishedRun, customer: finishedRun, own: 'surface' },
  RUN_ERROR: { installer: failedRun, customer: failedRun, own: 'surface' },
} satisfies Record<ShownType, Visibility>

const BY_TYPE: ReadonlyMap<string, Visibility> = new Map(Object.entries(VISIBILITY))

/**
 * Gives a record as a role may see it, or nothing when the role may not.
 *
 * What a side sees carries no hashes: they would let it test guesses about hidden data.
 */
export function recordView(record: LogRecord, role: CaseRole): LogRecord | undefined {
  return role === 'auditor' || role === 'operator' ? record : sideView(record, role)
}

function sideView(record: LogRecord, side: Side): LogRecord | undefined {
  const visibility = BY_TYPE.get(record.type)
  const shown = visibility?.[side]
  if (!shown || !isOwn(record, side, visibility.own)) return undefined
  return {
    ...record,
    data: shown(record.data),
    origin: shownOrigin(record.origin),
    prev: '',
    hash: '',
  }
}

function isOwn({ origin }: LogRecord, side: Side, own: Visibility['own']): boolean {
  if (own === undefined) return true
  return origin.surface === side && (own === 'surface' || origin.source === 'ui')
}

function shownOrigin({ source, surface, run, rule }: Origin): Origin {
  return {
    source,
    depth: 0,
    ...(surface !== undefined && { surface }),
    ...(run !== undefined && { run }),
    ...(rule !== undefined && { rule }),
  }
}

function waterfallForCustomer(data: Json): Json {
  // Recorded through the gate, so it has the shape of that event's schema.
  const { result } = data as { readonly result: WaterfallResult }
  return { result: withoutReasons(result) }
}

function runNames(data: Json) {
  // AG-UI names both in every start and end of a run.
  const { threadId, runId } = data as { readonly threadId: string; readonly runId: string }
  return { threadId, runId }
}

function finishedRun(data: Json): Json {
  const names = runNames(data)
  // Only AG-UI's own members: the sides may not see the cost and the canceller.
  const { outcome } = data as { readonly outcome?: { readonly type: string } }
  if (ourMetadata(data)['cut'] === 'length') {
    return { ...names, metadata: { throughline: { cut: 'length' } } }
  }
  if (outcome?.type !== 'cancelled') return names
  const limit = textOf(ourMetadata(data), 'code')
  if (limit === '') return { ...names, outcome: { type: 'cancelled' } }
  // The limit of the day ends by itself; the others are not the sides' to know.
  const code = limit === 'limit_day' ? limit : 'limit'
  return { ...names, outcome: { type: 'cancelled' }, metadata: { throughline: { code } } }
}

function failedRun(data: Json): Json {
  const message = 'The assistant could not answer'
  // The model declined to answer these words: the person has to say it in another way.
  return textOf(data, 'code') === 'refused' ? { message, code: 'refused' } : { message }
}

function refusal(data: Json): Json {
  return { type: textOf(data, 'type'), reason: textOf(data, 'reason') }
}
