import { signature } from './signature.ts'

export interface Receiver {
  readonly url: string
  readonly secret: string
  readonly timeoutMs: number
}

export type Sent =
  | { readonly kind: 'taken'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The server stops: whether it arrived is unknown. */
  | { readonly kind: 'stopped' }

/** Sends a body once. Any 2xx says that it was taken; what else the answer holds is not read. */
export async function send(
  { url, secret, timeoutMs }: Receiver,
  body: string,
  { nowMs, stop }: { readonly nowMs: number; readonly stop: AbortSignal },
): Promise<Sent> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'throughline-webhooks',
        'x-broker-signature': signature(secret, body, nowMs),
      },
      body,
      // A delivery goes to the configured address, and nowhere that an answer points to.
      redirect: 'manual',
      signal: AbortSignal.any([stop, timeout]),
    })
    await response.body?.cancel()
    const { ok, status } = response
    return ok ? { kind: 'taken', status } : { kind: 'failed', reason: `STATUS_${status}` }
  } catch (error) {
    if (stop.aborted) return { kind: 'stopped' }
    if (timeout.aborted) return { kind: 'failed', reason: 'TIMEOUT' }
    if (!(error instanceof TypeError)) throw error
    return { kind: 'failed', reason: networkError(error) }
  }
}

/** Tells a failed connection by its code alone: messages can hold addresses. */
function networkError({ cause }: TypeError): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^\w+$/.test(code) ? `NETWORK_ERROR: ${code}` : 'NETWORK_ERROR'
}
