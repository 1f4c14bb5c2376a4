import type { Context } from 'hono'
import type { EventLog, ThreadVerification } from '../../log/index.ts'
import { wholeNumber } from '../streams/cursor.ts'
import { ProblemError } from '../problems/problem.ts'

export const VERIFIED_THREADS_DEFAULT = 1_000
export const VERIFIED_THREADS_MAX = 10_000
/** Records after which a request verifies no further thread. */
export const VERIFIED_RECORDS_MAX = 100_000
/** Threads in one answer that are not sound or hold unanchored records. */
export const FINDINGS_MAX = 100

interface Page {
  ok: boolean
  threads: number
  records: number
  unsound: number
  unanchored: number
  /** The threads that were there before the store had a key, and when the last of them got one. */
  adopted?: { readonly threads: number; readonly ts: number }
  readonly findings: ThreadVerification[]
}

/** Verifies the store page by page, for one request at a time. */
export class StoreVerification {
  readonly #log: EventLog
  #isBusy = false

  constructor(log: EventLog) {
    this.#log = log
  }

  async answer(context: Context): Promise<Response> {
    const limit =
      wholeNumber(context, 'limit', { min: 1, max: VERIFIED_THREADS_MAX }) ??
      VERIFIED_THREADS_DEFAULT
    const from = wholeNumber(context, 'from', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
    if (this.#isBusy) {
      const detail = 'Cannot verify the store: it is being verified; ask again when that has ended'
      throw new ProblemError('busy', 429, { detail })
    }
    this.#isBusy = true
    try {
      return context.json(await this.#verify(from, limit))
    } finally {
      this.#isBusy = false
    }
  }

  async #verify(from: number, limit: number) {
    const findings: ThreadVerification[] = []
    const page: Page = { ok: true, threads: 0, records: 0, unsound: 0, unanchored: 0, findings }
    for await (const verdict of this.#log.verifyAll({ from })) {
      const isFull = page.records >= VERIFIED_RECORDS_MAX || findings.length >= FINDINGS_MAX
      if (isFull || page.threads === limit) return { ...page, next: from + page.threads }
      page.threads++
      page.records += verdict.head + 1
      page.unanchored += verdict.unanchored
      if (verdict.adopted) page.adopted = withThread(page.adopted, verdict.adopted.ts)
      if (!verdict.ok) {
        page.ok = false
        page.unsound++
      }
      if (!verdict.ok || verdict.unanchored > 0) findings.push(verdict)
    }
    return page
  }
}

function withThread(adopted: Page['adopted'], at: number) {
  return { threads: (adopted?.threads ?? 0) + 1, ts: Math.max(adopted?.ts ?? 0, at) }
}
