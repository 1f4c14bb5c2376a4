import { EMPTY_CONVERSATION, foldConversation } from 'throughline/agui'
import type { Conversation } from 'throughline/agui'
import type { LogRecord } from 'throughline/log'

/** The latest domain records that a page keeps. */
export const DOMAIN_RECORDS_MAX = 500

/** What the pages of a case read out of its stream. */
export interface ThreadView {
  readonly conversation: Conversation
  /** Oldest first. */
  readonly domainRecords: readonly LogRecord[]
  /** How many records this reader was shown. */
  readonly shown: number
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

export const EMPTY_VIEW: ThreadView = {
  conversation: EMPTY_CONVERSATION,
  domainRecords: [],
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
    shown: view.shown + 1,
  }
}

/** Agent activity is named in capitals, facts of a domain are not. */
export function isDomainRecord({ type }: LogRecord): boolean {
  return type !== type.toUpperCase()
}
