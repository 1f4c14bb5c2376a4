import { setTimeout as pause } from 'node:timers/promises'
import { readAnswer } from '../index.ts'
import type { DecisionRequest, LenderDecision, LenderPanel, PanelLender } from '../index.ts'

/** The time limit of one lender, its second attempt included. */
export const LENDER_BUDGET_MS = 60_000
const ATTEMPTS_MAX = 2
const RETRY_DELAY_MS = 500
/** The largest answer that is read, in bytes. */
export const ANSWER_BYTES_MAX = 65_536

export interface HttpPanelOptions {
  readonly baseUrl: string
  /** In the order in which they are asked; each request names its lender. */
  readonly lenders: readonly PanelLender[]
  readonly budgetMs?: number
}

/**
 * Lenders behind a gateway over HTTP: `POST <baseUrl>/decisions`, one request per lender.
 *
 * The first attempt may take half of the budget. It is repeated once, with the same key, when the
 * gateway cannot be reached, takes too long, is cut off, or answers 429 or 5xx. Everything that is
 * not a decision in the end is `unavailable` and says why.
 */
export function httpPanel({ baseUrl, lenders, budgetMs }: HttpPanelOptions): LenderPanel {
  const url = `${baseUrl.replace(/\/+$/, '')}/decisions`
  return {
    lenders,
    decide(index, application, { key, signal }) {
      const lender = lenders[index]
      if (!lender) throw new Error(`Cannot decide: the panel has no lender at index ${index}`)
      const request: DecisionRequest = { lender: lender.lender, application }
      const enquiry = { url, key, body: JSON.stringify(request), ...(signal && { signal }) }
      return ask(enquiry, performance.now() + (budgetMs ?? LENDER_BUDGET_MS))
    },
  }
}

interface Enquiry {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly signal?: AbortSignal
}

type Attempt = LenderDecision | Failure

interface Failure {
  readonly kind: 'failed'
  readonly reason: string
  /** The gateway asked for at least this much time. */
  readonly waitMs: number
}

async function ask(enquiry: Enquiry, deadline: number): Promise<LenderDecision> {
  for (let attemptsLeft = ATTEMPTS_MAX; ; attemptsLeft--) {
    const attempt = await attemptOnce(enquiry, (deadline - performance.now()) / attemptsLeft)
    if (attempt.kind !== 'failed') return attempt
    const waitMs = Math.max(attempt.waitMs, RETRY_DELAY_MS)
    const over = attemptsLeft === 1 || performance.now() + waitMs >= deadline
    if (over) return { kind: 'unavailable', reason: attempt.reason }
    await pause(waitMs, undefined, enquiry.signal ? { signal: enquiry.signal } : {})
  }
}

async function attemptOnce(enquiry: Enquiry, timeoutMs: number): Promise<Attempt> {
  const timeout = AbortSignal.timeout(Math.max(0, Math.round(timeoutMs)))
  const { url, key, body, signal } = enquiry
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'idempotency-key': key,
      },
      body,
      // An application goes where it was configured to go, and nowhere that an answer points to.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return await read(response)
  } catch (error) {
    return { kind: 'failed', reason: timeout.aborted ? 'TIMEOUT' : networkError(error), waitMs: 0 }
  }
}

async function read(response: Response): Promise<Attempt> {
  const { status, ok } = response
  if (!ok) {
    await response.body?.cancel()
    const reason = `STATUS_${status}`
    if (status !== 429 && status < 500) return { kind: 'unavailable', reason }
    return { kind: 'failed', reason, waitMs: retryAfterMs(response) }
  }
  const text = await boundedText(response)
  return text === undefined ? { kind: 'unavailable', reason: 'ANSWER_TOO_LARGE' } : readAnswer(text)
}

function retryAfterMs({ headers }: Response): number {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}

async function boundedText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (length > ANSWER_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Tells a failed connection by its code alone: messages can hold addresses. */
function networkError(error: unknown): string {
  // Being told to stop comes here too, and is no lender's failure: the work stays due.
  if (!(error instanceof TypeError)) throw error
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^\w+$/.test(code) ? `NETWORK_ERROR: ${code}` : 'NETWORK_ERROR'
}
