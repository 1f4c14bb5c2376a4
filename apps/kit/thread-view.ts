import {
  EMPTY_CONVERSATION,
  cutOf,
  endsRun,
  foldConversation,
  isAgentEventType,
  ourMetadata,
  startsRun,
} from 'throughline/activity'
import type { Conversation } from 'throughline/activity'
import { textOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'

/** The latest domain records that a page keeps. */
export const DOMAIN_RECORDS_MAX = 500

/** The latest turns without a proper end that a page keeps. */
export const CUTS_MAX = 500

/** A turn that did not come to its end, why, and where it ended in the thread. */
export interface CutRun {
  /** Or the id of a message that a recovery restated: it belongs to no run. */
  readonly run: string
  readonly seq: number
  /** `failed`: its model gave no answer, or its server was stopped in the middle of one. */
  readonly why: 'stopped' | 'failed'
}

/** What the pages of a case read out of its stream. */
export interface ThreadView {
  readonly conversation: Conversation
  /** Oldest first. */
  readonly domainRecords: readonly LogRecord[]
  /** The turn that is running, as this reader is shown. */
  readonly running: string | undefined
  /** Oldest first. */
  readonly cuts: readonly CutRun[]
  /** The turn that ended last, if it failed: what it should have answered is open. */
  readonly unanswered: string | undefined
  /** How many records this reader was shown. */
  readonly shown: number
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

export const EMPTY_VIEW: ThreadView = {
  conversation: EMPTY_CONVERSATION,
  domainRecords: [],
  running: undefined,
  cuts: [],
  unanswered: undefined,
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

type Runs = Pick<ThreadView, 'running' | 'cuts' | 'unanswered'>

function foldRuns(view: ThreadView, record: LogRecord): Runs {
  const { running, cuts, unanswered } = view
  const { run } = record.origin
  if (record.type === 'TEXT_MESSAGE_END' && run === undefined) return foldRestated(view, record)
  if (startsRun(record)) return { running: run, cuts, unanswered }
  if (!endsRun(record) || run === undefined) return { running, cuts, unanswered }
  const why = cutOf(record)
  return {
    running: running === run ? undefined : running,
    cuts: why ? [...cuts, { run, seq: record.seq, why }].slice(-CUTS_MAX) : cuts,
    unanswered: why === 'failed' ? run : undefined,
  }
}

/** A recovery restates a message without its run: one that was cut says so itself. */
function foldRestated({ running, cuts }: ThreadView, { seq, data }: LogRecord): Runs {
  const { cut: why } = ourMetadata(data)
  if (why !== 'stopped' && why !== 'failed') return { running, cuts, unanswered: undefined }
  const run = textOf(data, 'messageId')
  return {
    running,
    cuts: [...cuts, { run, seq, why } as const].slice(-CUTS_MAX),
    unanswered: why === 'failed' ? run : undefined,
  }
}

/** Whether a record is an event of a domain and not agent activity. */
export function isDomainRecord({ type }: LogRecord): boolean {
  return !isAgentEventType(type)
}
