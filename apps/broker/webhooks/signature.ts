import { createHmac } from 'node:crypto'

/**
 * Signs a body for its receiver: `t` is when it was signed, in seconds since the epoch, `v1` the hex
 * HMAC-SHA256 of that number, a full stop and the body.
 */
export function signature(secret: string, body: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1_000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
