import { threadUrl } from '../kit/index.ts'
import { isJsonArray, membersOf } from 'throughline/client'
import type { Json, LogRecord } from 'throughline/client'
import { useAnswer } from './use-answer.ts'

/** Records that the page holds at once: those of a longer thread come in windows. */
export const WINDOW_RECORDS_MAX = 2_000

export interface ThreadStart {
  /** The page follows the thread from the record after this one. */
  readonly after: number
  /** The first record of the thread, which may be the only one that names its application. */
  readonly first: readonly LogRecord[]
}

/** Where the page begins to follow a thread; nothing until the server has said how long it is. */
export function useThreadStart(thread: string): ThreadStart | undefined {
  const url = `${threadUrl(thread)}/events?limit=1`
  const answer = useAnswer(url, { version: 'fixed' })
  if (answer.status === 'asking') return undefined
  // The stream says what is wrong, and goes on once it is not.
  if (answer.status === 'failed') return { after: -1, first: [] }
  const head = Number(membersOf(answer.value)['head'])
  return { after: Math.max(-1, head - WINDOW_RECORDS_MAX), first: recordsIn(answer.value) }
}

/** The records of an older window; nothing until they are there. */
export function useOlderRecords(
  thread: string,
  { from, reveal }: { readonly from: number | undefined; readonly reveal: number | undefined },
): readonly LogRecord[] | undefined {
  const query = `?after=${(from ?? 0) - 1}&limit=${WINDOW_RECORDS_MAX}`
  const url = `${threadUrl(thread)}/events${query}`
  const answer = useAnswer(from === undefined ? undefined : url, { version: query, reveal })
  return from !== undefined && answer.status === 'answered' ? recordsIn(answer.value) : undefined
}

/** The records in an answer of `events`. */
export function recordsIn(answer: Json): readonly LogRecord[] {
  const { records = null } = membersOf(answer)
  // The server sends records as it stores them.
  return isJsonArray(records) ? (records as unknown as readonly LogRecord[]) : []
}
