import { customValue } from 'throughline/client'
import { evolve, membersOf, stableId, textOf } from 'throughline'
import type { Domain, Json, LogRecord } from 'throughline'
import type { BrokerState, CaseState } from '../case/index.ts'

export type WebhookEvent =
  | 'customer_link_ready'
  | 'journey_started'
  | 'vulnerability_flagged'
  | 'case_outcome'
  | 'journey_idle'

type Facts = { readonly [name: string]: Json }

/** A message to the receiver, until it is delivered or dead. */
export interface Delivery {
  /** Made from its record: sent again, it is the same. */
  readonly id: string
  readonly event: WebhookEvent
  /** The record that it reports. */
  readonly seq: number
  readonly ts: number
  readonly facts: Facts
  /** Attempts that were made in this round. */
  readonly attempts: number
  /** When the last attempt failed, or when there was something to tell. */
  readonly since: number
  /** How often an operator had it sent again. */
  readonly round: number
  /** The record that the round began with. */
  readonly begun: number
}

/** A delivery that was given up on. */
export interface DeadLetter extends Delivery {
  /** Why the last attempt failed. */
  readonly reason: string
}

/** The open deliveries of a case after its record at `seq`. */
export interface Outbox {
  readonly seq: number
  readonly state: BrokerState
  readonly pending: readonly Delivery[]
  readonly dead: readonly DeadLetter[]
  /** Whether a delivery of the case was ever given up on. */
  readonly hadDead: boolean
}

/** The names of our records: `throughline.webhook_…`. */
export const NOTED = {
  failed: 'webhook_failed',
  delivered: 'webhook_delivered',
  deadLettered: 'webhook_dead_lettered',
  resent: 'webhook_resent',
} as const

export function emptyOutbox(domain: Domain<BrokerState>): Outbox {
  return { seq: -1, state: domain.initial, pending: [], dead: [], hadDead: false }
}

/** Folds the next record of a case into the deliveries that are still due. Pure. */
export function foldOutbox(domain: Domain<BrokerState>, outbox: Outbox, record: LogRecord): Outbox {
  const own = foldOwn(outbox, record)
  if (own) return { ...own, seq: record.seq }
  const state = evolve(domain, outbox.state, record)
  const told = tellsOf(record, outbox.state.case, state.case)
  const made = told.map(([event, facts]) => delivery(record, event, facts))
  return { ...outbox, seq: record.seq, state, pending: [...outbox.pending, ...made] }
}

function foldOwn(outbox: Outbox, record: LogRecord): Outbox | undefined {
  if (record.type !== 'CUSTOM') return undefined
  const failed = customValue(record, NOTED.failed)
  if (failed !== undefined) {
    const since = record.ts
    const id = textOf(failed, 'delivery')
    const pending = outbox.pending.map((each) =>
      each.id === id ? { ...each, attempts: attemptIn(failed), since } : each,
    )
    return { ...outbox, pending }
  }
  return foldEnd(outbox, record)
}

/** Folds what ends a round, or begins another. */
function foldEnd(outbox: Outbox, record: LogRecord): Outbox | undefined {
  const { pending, dead } = outbox
  const delivered = customValue(record, NOTED.delivered)
  if (delivered !== undefined) return { ...outbox, pending: without(pending, delivered) }
  const died = customValue(record, NOTED.deadLettered)
  if (died !== undefined) {
    const letters = only(pending, died).map((each) => ({
      ...each,
      attempts: attemptIn(died),
      since: record.ts,
      reason: textOf(died, 'reason'),
    }))
    const left = without(pending, died)
    return { ...outbox, pending: left, dead: [...dead, ...letters], hadDead: true }
  }
  const resent = customValue(record, NOTED.resent)
  if (resent === undefined) return undefined
  const begun = only(dead, resent).map(({ reason: _reason, ...each }) => ({
    ...each,
    attempts: 0,
    since: record.ts,
    round: each.round + 1,
    begun: record.seq,
  }))
  return { ...outbox, pending: [...pending, ...begun], dead: without(dead, resent) }
}

function only<Each extends Delivery>(all: readonly Each[], named: Json): readonly Each[] {
  return all.filter(({ id }) => id === textOf(named, 'delivery'))
}

function without<Each extends Delivery>(all: readonly Each[], named: Json): readonly Each[] {
  return all.filter(({ id }) => id !== textOf(named, 'delivery'))
}

function attemptIn(failed: Json): number {
  const { attempt } = membersOf(failed)
  return typeof attempt === 'number' ? attempt : 1
}

/**
 * The ids of a delivery's records: one for each attempt that failed, one for how a round ended, one for
 * the request that began it. Records from before there were rounds have those of the first.
 */
export function notedId(
  thread: string,
  { id, round }: Pick<Delivery, 'id' | 'round'>,
  what: 'ended' | 'resent' | `failed ${number}`,
): string {
  return stableId(thread, id, ...(round === 0 ? [what] : [what, `round ${round}`]))
}

function delivery(record: LogRecord, event: WebhookEvent, facts: Facts): Delivery {
  const id = stableId(record.thread, record.id, 'webhook', event)
  const { seq, ts } = record
  return { id, event, seq, ts, facts, attempts: 0, since: ts, round: 0, begun: seq }
}

/** The deliveries that one record causes. */
function tellsOf(
  { type, data }: LogRecord,
  before: CaseState,
  after: CaseState,
): readonly (readonly [WebhookEvent, Facts])[] {
  // The server that held the case before has sent the deliveries of its records.
  if (type === 'case_hydrated') return []
  const { status } = after
  if (type === 'journey_idle') return [['journey_idle', { status, since: textOf(data, 'since') }]]
  const told: [WebhookEvent, Facts][] = []
  const handedOver = before.status === 'intake' && status === 'awaiting_customer'
  if (type === 'generate_customer_link' || handedOver)
    told.push(['customer_link_ready', { status }])
  if (before.status === 'awaiting_customer' && status === 'customer_active') {
    told.push(['journey_started', { status }])
  }
  const indicatorCount = type === 'record_vulnerability_indicators' ? indicatorsIn(data) : 0
  if (indicatorCount > 0) told.push(['vulnerability_flagged', { status, indicatorCount }])
  if (!before.caseOutcome && after.caseOutcome) told.push(['case_outcome', outcomeFacts(after)])
  return told
}

function indicatorsIn(data: Json): number {
  const { indicators } = membersOf(data)
  return Array.isArray(indicators) ? indicators.length : 0
}

/** Returns the outcome of a case, without the reason of a withdrawal: it is the customer's free text. */
function outcomeFacts({ status, caseOutcome, waterfall, selectedOfferId }: CaseState): Facts {
  const { kind = 'completed', reason } = caseOutcome ?? {}
  const offer = waterfall?.acceptedOffer
  return {
    status,
    outcome: kind,
    ...(kind === 'ineligible' && reason !== undefined ? { failedCriterion: reason } : {}),
    ...(offer && offer.id === selectedOfferId ? { selectedOffer: { ...offer } } : {}),
  }
}
