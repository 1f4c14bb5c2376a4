import type { Context } from 'hono'
import type { EventLog, ThreadVerification } from '../../log/index.ts'
import { wholeNumber } from '../streams/cursor.ts'
import { ProblemError } from '../problem.ts'

/** Threads that one request verifies. */
export const VERIFIED_THREADS_DEFAULT = 1_000
export const VERIFIED_THREADS_MAX = 10_000
/** Records after which a request verifies no further thread. */
export const VERIFIED_RECORDS_MAX = 100_000
/** Threads in one answer that are not sound or hold unanchored records. */
export const FINDINGS_MAX = 100

/** Verifies the store page by page, for one request at a time. */
export class StoreVerification {
  readonly #log: EventLog
  #isBusy = false

  constructor(log: EventLog) {
    this.#log = log
  }

  /** @throws {@link ProblemError} `invalid_query`, `busy` */
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
    const page = new VerifiedPage()
    for await (const verdict of this.#log.verifyAll({ from })) {
      if (page.threads === limit || page.isFull)
        return { ...page.answer(), next: from + page.threads }
      page.add(verdict)
    }
    return page.answer()
  }
}

class VerifiedPage {
  threads = 0
  #records = 0
  #unanchored = 0
  #unsound = 0
  readonly #findings: ThreadVerification[] = []

  get isFull(): boolean {
    return this.#records >= VERIFIED_RECORDS_MAX || this.#findings.length >= FINDINGS_MAX
  }

  add(verdict: ThreadVerification): void {
    this.threads++
    this.#records += verdict.head + 1
    this.#unanchored += verdict.unanchored
    if (!verdict.ok) this.#unsound++
    if (!verdict.ok || verdict.unanchored > 0) this.#findings.push(verdict)
  }

  answer() {
    return {
      ok: this.#unsound === 0,
      threads: this.threads,
      records: this.#records,
      unsound: this.#unsound,
      unanchored: this.#unanchored,
      findings: this.#findings,
    }
  }
}
