import {
  EMPTY_CONVERSATION,
  endsRun,
  foldConversation,
  outcomeOf,
  startsRun,
} from 'throughline/agui'
import type { Conversation } from 'throughline/agui'
import type { LogRecord } from 'throughline/log'

/** The latest domain records that a page keeps. */
export const DOMAIN_RECORDS_MAX = 500

/** The latest stops that a page keeps. */
export const STOPS_MAX = 500

/** A turn that was stopped, and where its end stands in the thread. */
export interface StoppedRun {
  readonly run: string
  readonly seq: number
}

/** What the pages of a case read out of its stream. */
export interface ThreadView {
  readonly conversation: Conversation
  /** Oldest first. */
  readonly domainRecords: readonly LogRecord[]
  /** The turn that is running, as this reader is shown. */
  readonly running: string | undefined
  /** Oldest first. */
  readonly stops: readonly StoppedRun[]
  /** How many records this reader was shown. */
  readonly shown: number
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

export const EMPTY_VIEW: ThreadView = {
  conversation: EMPTY_CONVERSATION,
  domainRecords: [],
  running: undefined,
  stops: [],
  shown: 0,
  origin: 'log',
}

export function foldView(view: ThreadView, record: LogRecord): ThreadView {
  return {
    ...view,
    conversation: foldConversation(view.conversation, [record]),
    domainRecords: isDomainRecord(record)
      ? [...view.domainRecords, record].slice(-DOMAIN_RECORDS_MAX)
      : view.domainRecords,
    ...foldRuns(view, record),
    shown: view.shown + 1,
  }
}

function foldRuns(
  { running, stops }: ThreadView,
  record: LogRecord,
): Pick<ThreadView, 'running' | 'stops'> {
  const { run } = record.origin
  if (startsRun(record)) return { running: run, stops }
  if (!endsRun(record) || run === undefined) return { running, stops }
  const isStopped = outcomeOf(record) === 'cancelled'
  return {
    running: running === run ? undefined : running,
    stops: isStopped ? [...stops, { run, seq: record.seq }].slice(-STOPS_MAX) : stops,
  }
}

/** Agent activity is named in capitals, facts of a domain are not. */
export function isDomainRecord({ type }: LogRecord): boolean {
  return type !== type.toUpperCase()
}
