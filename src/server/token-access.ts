import type { Context } from 'hono'
import { OPERATOR } from '../application/index.ts'
import type { EventLog } from '../log/index.ts'
import type { Access, Entrant, Owner, Place } from './access.ts'
import { browserSession, recordLinkOpening } from './browser-session.ts'
import { Cookies, ENTRY_COOKIES } from './cookies.ts'
import { OperatorAccess } from './operator-access.ts'
import { notFound, unauthenticated } from './problem.ts'
import { Revocations } from './revocations.ts'
import { TOKEN_LIFETIME_S } from './tokens.ts'
import type { Grant, IssuedGrant, OperatorSession, Tokens } from './tokens.ts'

export interface TokenAccessOptions {
  readonly tokens: Tokens
  /** The roles of all applications: what a browser holds several cookies of is tried in this order. */
  readonly roles: readonly string[]
  /** Holds the revocations. */
  readonly log: EventLog
  /** The operator's token opens everything; without one, creating and listing is open on loopback. */
  readonly operatorToken?: string
  /** Whether threads that have roles need a token even on open loopback. */
  readonly rolesNeedTokens: boolean
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

/** What no application takes for its own. */
const NOBODYS = { hasRoles: false }

type Known = IssuedGrant | { readonly role: typeof OPERATOR; readonly session?: OperatorSession }

/** A request that carries nothing, or nothing that is valid. */
type Stranger = { readonly role: 'nobody' } | { readonly role: 'unknown' }

/**
 * Lets in the bearers of tokens for a thread, and the operator: by a session, by the token, or on open
 * loopback.
 */
export class TokenAccess implements Access {
  readonly revocations: Revocations
  readonly #options: TokenAccessOptions
  readonly #cookies: Cookies
  readonly #operator: OperatorAccess

  constructor(options: TokenAccessOptions) {
    this.#options = options
    this.revocations = new Revocations(options.log)
    this.#cookies = new Cookies(options.publicUrl)
    this.#operator = new OperatorAccess({ ...options, cookies: this.#cookies })
  }

  async requireOperator(context: Context): Promise<void> {
    if (this.#options.operatorToken === undefined) return
    if ((await this.#identify(context)).role !== OPERATOR) throw unauthenticated()
  }

  /** A token for something else gets the answer for a thread that does not exist. */
  async entrantIn(context: Context, place: Place): Promise<Entrant> {
    const { thread, owner, begins } = place
    const ruled = owner ?? (begins ? NOBODYS : undefined)
    if (ruled && this.#isOpen(ruled)) return { role: OPERATOR }
    const found = await this.#identify(context, thread)
    if (isOperator(found)) return { role: OPERATOR, ...(found.session && { pass: found.session }) }
    if (isStranger(found)) throw found.role === 'nobody' ? unauthenticated() : notFound('thread')
    if (!opens(found, place)) throw notFound('thread')
    return { role: found.role, id: found.id, pass: found }
  }

  /**
   * Refuses all but the operator, whom anybody is on open loopback.
   *
   * @throws {@link ProblemError} `unauthenticated`, `not_found`
   */
  async requireOperatorIn(context: Context, place: Place): Promise<void> {
    if (this.#options.operatorToken === undefined) return
    await this.entrantIn(context, { ...place, among: [] })
  }

  async untilEnded(
    { pass }: Entrant,
    answer: { onceClosed(release: () => void): void },
  ): Promise<AbortSignal> {
    if (!pass) return new AbortController().signal
    const watch =
      'thread' in pass ? await this.revocations.watch(pass) : await this.#operator.watch(pass)
    answer.onceClosed(watch.release)
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
    const grant = await this.#grantOf(token)
    if (!grant && this.#operator.isToken(context, token)) {
      await this.#operator.signIn(context)
      return { role: 'operator' }
    }
    if (!grant || (await this.revocations.isRevoked(grant))) throw unauthenticated()
    this.#keepInCookie(context, grant, token)
    const session = browserSession(context, this.#cookies)
    if (purpose === 'open') await recordLinkOpening(this.#options.log, grant, session)
    return { thread: grant.thread, role: grant.role }
  }

  /** The operator's page and requests without a browser session leave no record. */
  async recordOpening(context: Context, { thread }: Place): Promise<void> {
    const { role } = await this.entrantIn(context, { thread })
    const session = this.actor(context)
    if (role === OPERATOR || session === undefined) return
    await recordLinkOpening(this.#options.log, { thread, role }, session)
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

  /** Where no role is declared there is no token to have, and loopback is the operator. */
  #isOpen({ hasRoles }: Pick<Owner, 'hasRoles'>): boolean {
    const { operatorToken, rolesNeedTokens } = this.#options
    return operatorToken === undefined && !(rolesNeedTokens && hasRoles)
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

  async #identify(context: Context, thread?: string): Promise<Known | Stranger> {
    const token = bearer(context)
    if (token !== undefined) {
      const grant = await this.#grantOf(token)
      if (grant) return this.#unlessRevoked(grant)
      return this.#operator.isToken(context, token) ? { role: OPERATOR } : { role: 'unknown' }
    }
    // A page that acts in another role must not get the operator's rights from the same browser.
    const wanted = context.req.header(ROLE_HEADER) ?? 'operator'
    const session = wanted === 'operator' ? await this.#operator.session(context) : undefined
    if (session) return { role: 'operator', session }
    const cookie = thread === undefined ? undefined : this.#cookieFor(context, thread)
    if (cookie === undefined) return { role: 'nobody' }
    const grant = await this.#grantOf(cookie)
    return grant ? this.#unlessRevoked(grant) : { role: 'unknown' }
  }

  /** What a token lets its bearer do, if it names a role that an application declares. */
  async #grantOf(token: string): Promise<IssuedGrant | undefined> {
    const { tokens, roles } = this.#options
    const grant = await tokens.verify(token)
    return grant && roles.includes(grant.role) ? grant : undefined
  }

  async #unlessRevoked(grant: IssuedGrant): Promise<IssuedGrant | Stranger> {
    return (await this.revocations.isRevoked(grant)) ? { role: 'unknown' } : grant
  }

  #cookieFor(context: Context, thread: string): string | undefined {
    const wanted = context.req.header(ROLE_HEADER)
    return this.#options.roles
      .filter((role) => wanted === undefined || role === wanted)
      .map((role) => this.#cookies.read(context, cookieName({ thread, role })))
      .find((cookie) => cookie !== undefined)
  }
}

/** Whether a token is for this thread, in a role that may use it there. */
function opens({ thread, role }: Grant, place: Place): boolean {
  const { owner, among = [role] } = place
  return thread === place.thread && among.includes(role) && owner?.hasRole(role) !== false
}

function isOperator(found: Known | Stranger): found is Exclude<Known, IssuedGrant> {
  return found.role === OPERATOR
}

function isStranger(found: IssuedGrant | Stranger): found is Stranger {
  return !('thread' in found)
}

function bearer(context: Context): string | undefined {
  return /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

function cookieName({ thread, role }: Grant): string {
  return `${ENTRY_COOKIES}${role}-${thread.replaceAll(/[^\w-]/g, '_')}`
}
