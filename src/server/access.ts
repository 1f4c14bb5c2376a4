import type { Context } from 'hono'
import type { EventLog } from '../log/index.ts'
import { browserSession, recordLinkOpening } from './browser-session.ts'
import { Cookies, ENTRY_COOKIES } from './cookies.ts'
import { OperatorAccess } from './operator-access.ts'
import { ProblemError, notFound } from './problem.ts'
import { Revocations } from './revocations.ts'
import { ROLES, TOKEN_LIFETIME_S } from './tokens.ts'
import type { Grant, IssuedGrant, OperatorSession, Role, Tokens } from './tokens.ts'

export interface AccessOptions {
  readonly tokens: Tokens
  /** Holds the revocations. */
  readonly log: EventLog
  /** The operator's token opens everything; without one, creating and listing is open on loopback. */
  readonly operatorToken?: string
  /** The origin under which people reach the server, when a proxy stands before it. */
  readonly publicUrl?: string
}

export interface TokenExchange {
  readonly token: string
  /** `keep` lets the browser in later and records no opening. */
  readonly purpose?: (typeof EXCHANGE_PURPOSES)[number] | undefined
}

export const EXCHANGE_PURPOSES = ['open', 'keep'] as const

/** Cases that one browser stays in; the oldest are opened again by their links. */
export const COOKIES_MAX = 30

/** Names the role that a page acts in, for a browser that holds the cookies of several. */
const ROLE_HEADER = 'throughline-role'

/** The bearer of a token for a thread, or the operator: by a session, by the token, or on open loopback. */
export type Entrant =
  | IssuedGrant
  | { readonly role: 'operator'; readonly session?: OperatorSession }

/** A request that carries nothing, or nothing that is valid. */
type Stranger = { readonly role: 'nobody' } | { readonly role: 'unknown' }

/** Recognises who sends a request, and decides whether they may. */
export class Access {
  readonly revocations: Revocations
  readonly #options: AccessOptions
  readonly #cookies: Cookies
  readonly #operator: OperatorAccess

  constructor(options: AccessOptions) {
    this.#options = options
    this.revocations = new Revocations(options.log)
    this.#cookies = new Cookies(options.publicUrl)
    this.#operator = new OperatorAccess({ ...options, cookies: this.#cookies })
  }

  /** @throws {@link ProblemError} unless the request may create and list */
  async requireOperator(context: Context): Promise<void> {
    if (this.#options.operatorToken === undefined) return
    if ((await this.#identify(context)).role !== 'operator') throw unauthenticated()
  }

  /**
   * As {@link requireOperator}, in a thread: a token for something else gets the answer for a thread
   * that does not exist.
   *
   * @throws {@link ProblemError} `unauthenticated` without any token, `not_found` with a wrong one
   */
  async requireOperatorIn(context: Context, thread: string): Promise<Entrant> {
    if (this.#options.operatorToken === undefined) return { role: 'operator' }
    return this.entrantIn(context, thread, [])
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
    const found = await this.#identify(context, thread)
    if (found.role === 'operator') return found
    if (found.role === 'nobody') throw unauthenticated()
    if (found.role === 'unknown' || found.thread !== thread) throw notFound('thread')
    if (among && !among.includes(found.role)) throw notFound('thread')
    return found
  }

  /** Fires when the entrant may stay no longer; nothing is watched once the response has closed. */
  async untilEnded(
    entrant: Entrant,
    response: { onceClosed(release: () => void): void },
  ): Promise<AbortSignal> {
    const watch = await this.#watch(entrant)
    if (!watch) return new AbortController().signal
    response.onceClosed(watch.release)
    return watch.signal
  }

  /**
   * Exchanges a token for a cookie that scripts cannot read, and the operator's for a session. Records
   * that the link was opened, unless the browser only keeps the token.
   */
  async exchange(
    context: Context,
    { token, purpose = 'open' }: TokenExchange,
  ): Promise<Grant | { readonly role: 'operator' }> {
    const grant = await this.#options.tokens.verify(token)
    if (!grant && this.#operator.isToken(context, token)) {
      await this.#operator.signIn(context)
      return { role: 'operator' }
    }
    if (!grant || (await this.revocations.isRevoked(grant))) throw unauthenticated()
    this.#keepInCookie(context, grant, token)
    const session = browserSession(context, this.#cookies)
    if (purpose === 'open') await this.recordOpening(grant, session)
    return { thread: grant.thread, role: grant.role }
  }

  /**
   * Records that the page of a role was opened by its cookie. The operator's page and requests without
   * a browser session leave no record.
   */
  async openPage(context: Context, thread: string): Promise<void> {
    const role = await this.roleIn(context, thread)
    const session = this.actor(context)
    if (role === 'operator' || session === undefined) return
    await this.recordOpening({ thread, role }, session)
  }

  /** Records that a browser opened the link of this grant, unless it has done so before. */
  async recordOpening(grant: Grant, session: string): Promise<void> {
    await recordLinkOpening(this.#options.log, grant, session)
  }

  /** The browser session of a page's request; a request without cookies or with a token has none. */
  actor(context: Context): string | undefined {
    const isPage = bearer(context) === undefined && context.req.header('cookie') !== undefined
    return isPage ? browserSession(context, this.#cookies) : undefined
  }

  /** Ends the operator's session in this browser, and removes the cookies of all its tokens. */
  async signOut(context: Context): Promise<void> {
    await this.#operator.signOut(context)
    for (const name of this.#cookies.entries(context)) this.#cookies.remove(context, name)
  }

  #keepInCookie(context: Context, grant: Grant, token: string): void {
    const name = cookieName(grant)
    const others = this.#cookies.entries(context).filter((other) => other !== name)
    // More cookies than this would pass what a request head may hold.
    for (const oldest of others.slice(0, Math.max(0, others.length + 1 - COOKIES_MAX))) {
      this.#cookies.remove(context, oldest)
    }
    this.#cookies.set(context, name, { value: token, lifetimeS: TOKEN_LIFETIME_S })
  }

  async #identify(context: Context, thread?: string): Promise<Entrant | Stranger> {
    const token = bearer(context)
    if (token !== undefined) {
      const grant = await this.#options.tokens.verify(token)
      if (grant) return this.#unlessRevoked(grant)
      return { role: this.#operator.isToken(context, token) ? 'operator' : 'unknown' }
    }
    // A page that acts in another role must not get the operator's rights from the same browser.
    const wanted = context.req.header(ROLE_HEADER) ?? 'operator'
    const session = wanted === 'operator' ? await this.#operator.session(context) : undefined
    if (session) return { role: 'operator', session }
    const cookie = thread === undefined ? undefined : this.#cookieFor(context, thread)
    if (cookie === undefined) return { role: 'nobody' }
    const grant = await this.#options.tokens.verify(cookie)
    return grant ? this.#unlessRevoked(grant) : { role: 'unknown' }
  }

  async #unlessRevoked(grant: IssuedGrant): Promise<IssuedGrant | Stranger> {
    return (await this.revocations.isRevoked(grant)) ? { role: 'unknown' } : grant
  }

  #cookieFor(context: Context, thread: string): string | undefined {
    const wanted = context.req.header(ROLE_HEADER)
    return ROLES.filter((role) => wanted === undefined || role === wanted)
      .map((role) => this.#cookies.read(context, cookieName({ thread, role })))
      .find((cookie) => cookie !== undefined)
  }

  async #watch(entrant: Entrant) {
    if (entrant.role !== 'operator') return this.revocations.watch(entrant)
    return entrant.session && this.#operator.watch(entrant.session)
  }
}

function bearer(context: Context): string | undefined {
  return /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

function cookieName({ thread, role }: Grant): string {
  return `${ENTRY_COOKIES}${role}-${thread.replaceAll(/[^\w-]/g, '_')}`
}

function unauthenticated(): ProblemError {
  return new ProblemError('unauthenticated', 401, {
    detail: 'Cannot answer: the request carries no valid token',
  })
}
