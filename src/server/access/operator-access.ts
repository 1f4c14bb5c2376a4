import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { OPERATOR } from '../../application/index.ts'
import type { EventLog } from '../../log/index.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { clientAddress } from './client-address.ts'
import { ENTRY_COOKIES } from './cookies.ts'
import type { Cookies } from './cookies.ts'
import type { GrantWatch } from './grant-watches.ts'
import { ProblemError } from '../problems/problem.ts'
import { RevokedIds } from './revoked-ids.ts'
import { OPERATOR_SESSION_LIFETIME_S } from './tokens.ts'
import type { OperatorSession, Tokens } from './tokens.ts'

const SIGN_OUTS = 'throughline.operator-sessions'
const COOKIE = `${ENTRY_COOKIES}operator`

export interface OperatorAccessParts {
  readonly operatorToken?: string
  readonly publicUrl?: string
  readonly tokens: Tokens
  readonly log: EventLog
  readonly cookies: Cookies
}

/**
 * Recognises the operator by the token, or by the session that a browser got for it. A session ends
 * with its time, at sign-out, and with the token or the store that it was begun under.
 */
export class OperatorAccess {
  readonly #parts: OperatorAccessParts
  readonly #digest: Buffer | undefined
  readonly #limit = new AttemptLimit(() => performance.now())
  readonly #signedOut: RevokedIds

  constructor(parts: OperatorAccessParts) {
    this.#parts = parts
    const { operatorToken, log } = parts
    this.#digest = operatorToken === undefined ? undefined : digestOf(operatorToken)
    this.#signedOut = new RevokedIds(log, { thread: SIGN_OUTS, role: OPERATOR })
  }

  isToken(context: Context, given: string): boolean {
    if (this.#digest === undefined) return false
    const address = clientAddress(context, this.#parts) ?? 'unknown'
    const waitMs = this.#limit.waitMs(address)
    if (waitMs > 0) throw tooManyAttempts(waitMs)
    // Digests have one length, so the time of the comparison tells nothing of the token.
    if (timingSafeEqual(digestOf(given), this.#digest)) return true
    this.#limit.countWrong(address)
    return false
  }

  async signIn(context: Context): Promise<void> {
    const { token } = await this.#parts.tokens.issueSession(this.#bound())
    const lifetimeS = OPERATOR_SESSION_LIFETIME_S
    this.#parts.cookies.set(context, COOKIE, { value: token, lifetimeS })
  }

  async session(context: Context): Promise<OperatorSession | undefined> {
    const cookie = this.#parts.cookies.read(context, COOKIE)
    if (cookie === undefined || this.#digest === undefined) return undefined
    const session = await this.#parts.tokens.verifySession(cookie, this.#bound())
    return session && !(await this.#signedOut.has(session.id)) ? session : undefined
  }

  /** Ends the session of the request's cookie for every server on this store. */
  async signOut(context: Context): Promise<void> {
    const session = await this.session(context)
    if (session) await this.#signedOut.add(session.id)
  }

  watch(session: OperatorSession): Promise<GrantWatch> {
    return this.#signedOut.watch(session)
  }

  /** A session holds for this token, and for the store whose sign-outs this server can see. */
  #bound(): string {
    return `${this.#digest?.toString('hex')}:${this.#parts.log.epoch}`
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function tooManyAttempts(waitMs: number): ProblemError {
  const retryAfterS = Math.ceil(waitMs / 1_000)
  return new ProblemError('too_many_attempts', 429, {
    detail: `Cannot compare the token: too many wrong ones came from here, wait ${retryAfterS} s`,
    retryAfterS,
  })
}
