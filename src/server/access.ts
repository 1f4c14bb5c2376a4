import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { EventLog } from '../log/index.ts'
import { browserSession, recordLinkOpening } from './browser-session.ts'
import { cookieOptions } from './cookies.ts'
import { ProblemError, notFound } from './problem.ts'
import { Revocations } from './revocations.ts'
import { ROLES } from './tokens.ts'
import type { Grant, IssuedGrant, Role, Tokens } from './tokens.ts'

export interface AccessOptions {
  readonly tokens: Tokens
  /** Holds the revocations. */
  readonly log: EventLog
  /** Who bears it may do everything; without one, creating and listing is open on loopback. */
  readonly operatorToken?: string
}

/** Cases that one browser stays in; the oldest are opened again by their links. */
export const COOKIES_MAX = 30

const OPERATOR_COOKIE = 'throughline-operator'

/** Names the role that a page acts in, for a browser that holds the cookies of several. */
const ROLE_HEADER = 'throughline-role'

/** Who may use a thread: the bearer of a token for it, or the operator, whose right ends with nothing. */
export type Entrant = IssuedGrant | { readonly role: 'operator' }

/** Tells who is asking, and whether they may. */
export class Access {
  readonly revocations: Revocations
  readonly #options: AccessOptions

  constructor(options: AccessOptions) {
    this.#options = options
    this.revocations = new Revocations(options.log)
  }

  /** @throws {@link ProblemError} unless the request may create and list */
  requireOperator(context: Context): void {
    const { operatorToken } = this.#options
    if (operatorToken === undefined || this.#isOperator(context)) return
    throw unauthenticated()
  }

  /**
   * As {@link requireOperator}, in a thread: who bears a token of something else is told what is told of a
   * thread that does not exist.
   *
   * @throws {@link ProblemError} `unauthenticated` without any token, `not_found` with a wrong one
   */
  requireOperatorIn(context: Context, thread: string): void {
    const { operatorToken } = this.#options
    if (operatorToken === undefined || this.#isOperator(context)) return
    if ((bearer(context) ?? cookieFor(context, thread)) === undefined) throw unauthenticated()
    throw notFound('thread')
  }

  /**
   * The role in which a request may use a thread.
   *
   * @throws {@link ProblemError} `unauthenticated` without any token, `not_found` with a wrong one
   */
  async roleIn(context: Context, thread: string, among?: readonly Role[]): Promise<Role> {
    return (await this.entrantIn(context, thread, among)).role
  }

  /** As {@link roleIn}, with what the role rests on. */
  async entrantIn(context: Context, thread: string, among?: readonly Role[]): Promise<Entrant> {
    if (this.#isOperator(context)) return { role: 'operator' }
    const grant = await this.#granted(context, thread)
    if (among && !among.includes(grant.role)) throw notFound('thread')
    return grant
  }

  /** Fires when who was let in may stay no longer; nothing is watched once the response has closed. */
  async untilEnded(entrant: Entrant, response: ServerResponse): Promise<AbortSignal> {
    if (entrant.role === 'operator') return new AbortController().signal
    const { signal, release } = await this.revocations.watch(entrant)
    if (response.closed) release()
    else response.once('close', release)
    return signal
  }

  /** Exchanges a token, the operator's too, for a cookie that scripts cannot read. */
  async exchange(context: Context, token: string): Promise<Grant | { readonly role: 'operator' }> {
    if (this.#isOperatorToken(token)) {
      setCookie(context, OPERATOR_COOKIE, token, cookieOptions(context))
      return { role: 'operator' }
    }
    const grant = await this.#options.tokens.verify(token)
    if (!grant || (await this.revocations.isRevoked(grant))) throw unauthenticated()
    const { thread, role } = grant
    const ours = Object.keys(getCookie(context)).filter((name) => name.startsWith('throughline-'))
    // Browsers send the oldest first; more of them than this would pass what a request head may hold.
    const name = cookieName(grant)
    const others = ours.filter((other) => other !== name)
    for (const old of others.slice(0, Math.max(0, others.length + 1 - COOKIES_MAX)))
      deleteCookie(context, old, { path: '/' })
    setCookie(context, name, token, cookieOptions(context))
    await this.recordOpening(grant, browserSession(context))
    return { thread, role }
  }

  /** Records that a browser opened the link of this grant, unless it has done so before. */
  async recordOpening(grant: Grant, session: string): Promise<void> {
    await recordLinkOpening(this.#options.log, grant, session)
  }

  /** The browser session of a page's request; a request without cookies or with a token has none. */
  actor(context: Context): string | undefined {
    const isPage = bearer(context) === undefined && context.req.header('cookie') !== undefined
    return isPage ? browserSession(context) : undefined
  }

  #isOperator(context: Context): boolean {
    // A page that acts in another role must not get the operator's rights from the same browser.
    const wanted = context.req.header(ROLE_HEADER) ?? 'operator'
    const cookie = wanted === 'operator' ? getCookie(context, OPERATOR_COOKIE) : undefined
    return this.#isOperatorToken(bearer(context) ?? cookie)
  }

  #isOperatorToken(given: string | undefined): boolean {
    const { operatorToken } = this.#options
    if (operatorToken === undefined || given === undefined) return false
    const [one, other] = [Buffer.from(given), Buffer.from(operatorToken)]
    return one.length === other.length && timingSafeEqual(one, other)
  }

  async #granted(context: Context, thread: string): Promise<IssuedGrant> {
    const token = bearer(context) ?? cookieFor(context, thread)
    if (token === undefined) throw unauthenticated()
    const grant = await this.#options.tokens.verify(token)
    if (grant?.thread !== thread || (await this.revocations.isRevoked(grant))) {
      throw notFound('thread')
    }
    return grant
  }
}

function bearer(context: Context): string | undefined {
  return /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

function cookieFor(context: Context, thread: string): string | undefined {
  const wanted = context.req.header(ROLE_HEADER)
  return ROLES.filter((role) => wanted === undefined || role === wanted)
    .map((role) => getCookie(context, cookieName({ thread, role })))
    .find((token) => token !== undefined)
}

function cookieName({ thread, role }: Grant): string {
  return `throughline-${role}-${thread.replaceAll(/[^\w-]/g, '_')}`
}

function unauthenticated(): ProblemError {
  return new ProblemError('unauthenticated', 401, {
    detail: 'Cannot answer: the request carries no valid token',
  })
}
