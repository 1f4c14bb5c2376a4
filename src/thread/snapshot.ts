import {
  EMPTY_CONVERSATION,
  NO_DAY_USAGE,
  NO_PAUSES,
  NO_USAGE_REPORT,
  foldConversation,
  foldDayUsage,
  foldOpenRuns,
  foldPauses,
  foldUsage,
} from '../activity/index.ts'
import type { Conversation, DayUsage, OpenRun, Pauses, UsageReport } from '../activity/index.ts'
import { ERASURE, evolveUnfrozen } from '../domain/index.ts'
import type { Domain, LibraryRecord } from '../domain/index.ts'
import { freezeDeep } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { NO_DUE_WORK, foldDueWork } from './effect-progress.ts'
import type { DueWork } from './effect-progress.ts'
import { NO_FOREIGN_TAGS, foldForeignTags } from './foreign-tags.ts'
import type { ForeignTags } from './foreign-tags.ts'

/** Everything the gate keeps of a thread, folded from its records up to `seq`. */
export interface Snapshot<State> {
  readonly seq: number
  /** The hash of the record at `seq`; without a record the empty text. */
  readonly hash: string
  readonly state: State
  /** See `LastActivity` of the domain. */
  readonly activeAt: number
  readonly conversation: Conversation
  readonly openRuns: readonly OpenRun[]
  /** The agents' questions. */
  readonly pauses: Pauses
  readonly usage: UsageReport
  readonly dayUsage: DayUsage
  /** The progress of requested effects. */
  readonly dueWork: DueWork
  /** Tags that came from outside the models: one that repeats them is an echo, not a proposal. */
  readonly foreignTags: ForeignTags
  /** The id of the record that last caused each rule, by rule name. */
  readonly causes: Readonly<Record<string, string>>
  /** Its person was erased: what was said is not kept, nothing waits, and nothing new is taken. */
  readonly isErased: boolean
}

export function emptySnapshot<State>(domain: Domain<State>): Snapshot<State> {
  return {
    seq: -1,
    hash: '',
    state: domain.initial,
    activeAt: 0,
    conversation: EMPTY_CONVERSATION,
    openRuns: [],
    pauses: NO_PAUSES,
    usage: NO_USAGE_REPORT,
    dayUsage: NO_DAY_USAGE,
    dueWork: NO_DUE_WORK,
    foreignTags: NO_FOREIGN_TAGS,
    causes: {},
    isErased: false,
  }
}

/** Folds the records that follow a snapshot, without a gap, into it. Pure; the state is frozen. */
export function foldSnapshot<State>(
  domain: Domain<State>,
  snapshot: Snapshot<State>,
  records: readonly LogRecord[],
): Snapshot<State> {
  const last = records.at(-1)
  if (!last) return snapshot
  let { state, activeAt, causes, isErased } = snapshot
  for (const record of records) {
    const next = evolveUnfrozen(domain, state, record)
    if (next !== state || isActivity(domain, record)) activeAt = record.ts
    state = next
    causes = foldCauses(domain, causes, record)
    if (record.type === ERASURE) isErased = true
  }
  const folded = {
    seq: last.seq,
    hash: last.hash,
    state: freezeDeep(state, snapshot.state),
    activeAt,
    conversation: foldConversation(snapshot.conversation, records),
    openRuns: foldOpenRuns(snapshot.openRuns, records),
    pauses: foldPauses(snapshot.pauses, records),
    usage: foldUsage(snapshot.usage, records),
    dayUsage: foldDayUsage(snapshot.dayUsage, records),
    dueWork: foldDueWork(snapshot.dueWork, records),
    foreignTags: foldForeignTags(domain, snapshot.foreignTags, records),
    causes,
    isErased,
  }
  return isErased ? { ...folded, ...NOTHING_SAID } : folded
}

const NOTHING_SAID = {
  conversation: EMPTY_CONVERSATION,
  pauses: NO_PAUSES,
  foreignTags: NO_FOREIGN_TAGS,
} as const

/** Whether a record shows that a run or a person is at work; a page that is opened is no work. */
function isActivity<State>({ events }: Domain<State>, { type, origin }: LogRecord): boolean {
  if (origin.run !== undefined) return true
  // Messages without a run were brought by a seed, with the times that they were said at.
  const isProposal = events.has(type) || type === ('event_refused' satisfies LibraryRecord)
  return isProposal && origin.source === 'ui'
}

/** The id of the record that caused each rule's proposals last: its own choice, or any event of no rule. Pure. */
export function foldCauses<State>(
  domain: Domain<State>,
  causes: Readonly<Record<string, string>>,
  record: Pick<LogRecord, 'id' | 'type' | 'data' | 'origin'>,
): Readonly<Record<string, string>> {
  const isProposed = domain.events.has(record.type) && record.origin.source !== 'rule'
  const caused = domain.rules.filter((rule) => rule.causedBy?.(record) ?? isProposed)
  if (caused.length === 0) return causes
  return { ...causes, ...Object.fromEntries(caused.map((rule) => [rule.name, record.id])) }
}
