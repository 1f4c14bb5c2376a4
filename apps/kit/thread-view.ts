import {
  EMPTY_CONVERSATION,
  cutOf,
  endsRun,
  foldConversation,
  foldCuts,
  isAgentEventType,
  ourMetadata,
  startsRun,
  textOf,
} from 'throughline/client'
import type { Conversation, CutRun, LogRecord } from 'throughline/client'

/** The latest domain records that a page keeps. */
export const DOMAIN_RECORDS_MAX = 500

/** A turn that gave no whole reply; `declined`: the model would not answer; `limited`: the day's limit. */
export interface UnansweredRun {
  readonly run: string
  readonly why: 'failed' | 'declined' | 'limited'
}

/** The fold of a case's stream for its pages. */
export interface ThreadView {
  readonly conversation: Conversation
  /** Oldest first. */
  readonly domainRecords: readonly LogRecord[]
  /** The turn that is running, as this reader is shown. */
  readonly running: string | undefined
  /** Oldest first. */
  readonly cuts: readonly CutRun[]
  /** The turn that ended last, if it failed: its message is unanswered. */
  readonly unanswered: UnansweredRun | undefined
  /** The turn in which an effect ended, until the next turn begins. */
  readonly unreported: string | undefined
  /** The seq at which the latest turn began. */
  readonly startedAt: number
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

export const EMPTY_VIEW: ThreadView = {
  conversation: EMPTY_CONVERSATION,
  domainRecords: [],
  running: undefined,
  cuts: [],
  unanswered: undefined,
  unreported: undefined,
  startedAt: -1,
  origin: 'log',
}

export function foldView(view: ThreadView, record: LogRecord): ThreadView {
  const conversation = foldConversation(view.conversation, [record])
  const runs = { cuts: foldCuts(view.cuts, record), ...foldRuns(view, record) }
  if (!isDomainRecord(record)) return { ...view, conversation, ...runs }
  const domainRecords = [...view.domainRecords, record].slice(-DOMAIN_RECORDS_MAX)
  const unreported = endsEffect(record, view.running) ? view.running : view.unreported
  return { ...view, conversation, ...runs, domainRecords, unreported }
}

/** Whether a record is the outcome of an effect that ended while a turn was at work. */
function endsEffect({ origin: { source, run } }: LogRecord, running: string | undefined): boolean {
  return source === 'system' && (run === undefined || run === running)
}

type Runs = Partial<ThreadView>

function foldRuns({ running }: ThreadView, record: LogRecord): Runs {
  const { seq, type } = record
  const { run } = record.origin
  if (type === 'TEXT_MESSAGE_END' && run === undefined) return foldRestated(record)
  if (startsRun(record)) return { running: run, unreported: undefined, startedAt: seq }
  if (!endsRun(record) || run === undefined) return {}
  const why = cutOf(record)
  return {
    running: running === run ? undefined : running,
    unanswered: why === 'failed' ? { run, why: failureOf(record) } : undefined,
  }
}

function failureOf({ data }: LogRecord): UnansweredRun['why'] {
  if (textOf(data, 'code') === 'refused') return 'declined'
  return textOf(ourMetadata(data), 'code') === 'limit_day' ? 'limited' : 'failed'
}

/** A recovery restates a message without its run: a cut one has its own mark. */
function foldRestated({ data }: LogRecord): Runs {
  const { cut: why } = ourMetadata(data)
  return { unanswered: why === 'failed' ? { run: textOf(data, 'messageId'), why } : undefined }
}

/** Whether a record is an event of a domain and not agent activity. */
export function isDomainRecord({ type }: LogRecord): boolean {
  return !isAgentEventType(type)
}
