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
import { evolve } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import type { LogRecord } from '../log/index.ts'
import { NO_ECHOES, foldEchoes } from './echoes.ts'
import type { Echoes } from './echoes.ts'

/** Everything the gate keeps of a thread, folded from its records up to `seq`. */
export interface Snapshot<State> {
  readonly seq: number
  /** Of the record at `seq`; of none, the empty text. */
  readonly hash: string
  readonly state: State
  readonly conversation: Conversation
  readonly openRuns: readonly OpenRun[]
  /** What agents stopped to ask for. */
  readonly pauses: Pauses
  readonly usage: UsageReport
  readonly dayUsage: DayUsage
  /** Tags that came from outside the models: one that repeats them is an echo, not a proposal. */
  readonly echoes: Echoes
  /** The id of the record that last caused each rule, by rule name. */
  readonly causes: Readonly<Record<string, string>>
}

export function emptySnapshot<State>(domain: Domain<State>): Snapshot<State> {
  return {
    seq: -1,
    hash: '',
    state: domain.initial,
    conversation: EMPTY_CONVERSATION,
    openRuns: [],
    pauses: NO_PAUSES,
    usage: NO_USAGE_REPORT,
    dayUsage: NO_DAY_USAGE,
    echoes: NO_ECHOES,
    causes: {},
  }
}

/** Folds the next records of a thread into its snapshot. Pure. */
export function foldSnapshot<State>(
  domain: Domain<State>,
  snapshot: Snapshot<State>,
  records: readonly LogRecord[],
): Snapshot<State> {
  const { seq } = snapshot
  const all = records[0] === undefined || records[0].seq > seq
  const fresh = all ? records : records.filter((record) => record.seq > seq)
  const last = fresh.at(-1)
  if (!last) return snapshot
  let { state, causes } = snapshot
  for (const record of fresh) {
    state = evolve(domain, state, record)
    causes = foldCauses(domain, causes, record)
  }
  return {
    seq: last.seq,
    hash: last.hash,
    state,
    conversation: foldConversation(snapshot.conversation, fresh),
    openRuns: foldOpenRuns(snapshot.openRuns, fresh),
    pauses: foldPauses(snapshot.pauses, fresh),
    usage: foldUsage(snapshot.usage, fresh),
    dayUsage: foldDayUsage(snapshot.dayUsage, fresh),
    echoes: foldEchoes(domain, snapshot.echoes, fresh),
    causes,
  }
}

function foldCauses<State>(
  domain: Domain<State>,
  causes: Readonly<Record<string, string>>,
  record: LogRecord,
): Readonly<Record<string, string>> {
  if (domain.rules.length === 0) return causes
  const caused = domain.rules.filter((rule) => rule.causedBy?.(record))
  if (caused.length === 0) return causes
  return { ...causes, ...Object.fromEntries(caused.map((rule) => [rule.name, record.id])) }
}
