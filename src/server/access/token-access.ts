import type { Context } from 'hono'
import { CALLER, OPERATOR } from '../../application/index.ts'
import type { EventLog } from '../../log/index.ts'
import type { Access, ThreadToBegin, Entrant, ThreadToEnter } from './access.ts'
import { browserSession, recordLinkOpening } from './browser-session.ts'
import { Cookies, ENTRY_COOKIES } from './cookies.ts'
import { crossOriginOf } from './cross-origin.ts'
import type { GrantWatch } from './grant-watches.ts'
import { OperatorAccess } from './operator-access.ts'
import { ProblemError, notFound, unauthenticated } from '../problems/problem.ts'
import { firstRecord } from './first-record.ts'
import { Revocations } from './revocations.ts'
import { RevokedIds } from './revoked-ids.ts'
import { TOKEN_LIFETIME_S } from './tokens.ts'
import type { CallerGrant, Grant, IssuedGrant, OperatorSession, Tokens } from './tokens.ts'

export interface TokenAccessOptions {
  readonly tokens: Tokens
  /** The roles of all applications: what a browser holds several cookies of is tried in this order. */
  readonly roles: readonly string[]
  readonly log: EventLog
  readonly operatorToken?: string
  /** Whether threads that have roles need a token even on open loopback. */
  readonly rolesNeedTokens: boolean
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

const REVOKED_CALLERS = 'throughline.caller-tokens'

/** Names the role that a page acts in, for a browser that holds the cookies of several. */
const ROLE_HEADER = 'throughline-role'

type Identified =
  | IssuedGrant
  | CallerGrant
  | { readonly role: typeof OPERATOR; readonly session?: OperatorSession }

/**
 * Lets in the bearers of tokens for a thread, callers of agents, and the operator: by a session, by the
 * token, or on open loopback.
 */
export class TokenAccess implements Access {
  readonly revocations: Revocations
  readonly revokedCallers: RevokedIds
  readonly #options: TokenAccessOptions
  readonly #cookies: Cookies
  readonly #operator: OperatorAccess

  constructor(options: TokenAccessOptions) {
    this.#options = options
    this.revocations = new Revocations(options.log)
    this.revokedCallers = new RevokedIds(options.log, { thread: REVOKED_CALLERS, role: CALLER })
    this.#cookies = new Cookies(options.publicUrl)
    this.#operator = new OperatorAccess({ ...options, cookies: this.#cookies })
  }

  async requireOperator(context: Context): Promise<void> {
    const { role } = await this.entrant(context)
    if (role !== OPERATOR) throw withoutToken()
  }

  async entrant(context: Context): Promise<Entrant> {
    const isOpen = this.#options.operatorToken === undefined
    return entrantOf(await this.#found(context, { isOpen }))
  }

  /** Which of several cookies counts depends on the thread: one of them has to verify. */
  async requireCredentials(context: Context): Promise<Entrant> {
    const entries = this.#cookies.entries(context)
    const isOpen = this.#options.operatorToken === undefined
    const isOther = authorization(context) !== undefined || crossOriginOf(context) !== undefined
    if (isOpen || isOther || entries.length === 0) return this.entrant(context)
    if (await this.#operator.session(context)) return { role: OPERATOR }
    for (const name of entries.slice(0, COOKIES_MAX)) {
      const grant = await this.#grantOf(this.#cookies.read(context, name) ?? '')
      if (grant) return entrantOf(grant)
    }
    throw notFound('thread')
  }

  /** A token for something else gets the answer for a thread that does not exist. */
  async entrantIn(context: Context, place: ThreadToEnter): Promise<Entrant> {
    const { thread } = place
    const found = await this.#found(context, { isOpen: this.#isOpen(place), thread })
    if ('thread' in found) {
      if (!opens(found, place)) throw notFound('thread')
    } else if ('subject' in found && !(await this.#mayEnter(found, place))) {
      throw notFound('thread')
    }
    return entrantOf(found)
  }

  /** On open loopback anybody asks as the operator; an application with roles may need a token. */
  entrantOf(context: Context, _asking: Entrant, begun: ThreadToBegin): Promise<Entrant> {
    return this.entrantIn(context, begun)
  }

  /** Refuses all but the operator; on open loopback everybody is the operator. */
  async requireOperatorIn(context: Context, place: ThreadToEnter): Promise<void> {
    const isOpen = this.#options.operatorToken === undefined
    if (isOpen && authorization(context) === undefined) return
    await this.entrantIn(context, { ...place, among: [] })
  }

  async untilEnded(
    { pass }: Entrant,
    answer: { onceClosed(release: () => void): void },
  ): Promise<AbortSignal> {
    if (!pass) return new AbortController().signal
    const watch = await this.#watch(pass)
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
    if (!grant || (await this.revocations.isRevoked(grant))) throw withWrongToken()
    this.#keepInCookie(context, grant, token)
    const session = browserSession(context, this.#cookies)
    if (purpose === 'open') await recordLinkOpening(this.#options.log, grant, session)
    return { thread: grant.thread, role: grant.role }
  }

  /** The operator's page and requests without a browser session leave no record. */
  async recordOpening(context: Context, place: ThreadToEnter): Promise<void> {
    const { thread } = place
    const { role } = await this.entrantIn(context, place)
    const session = this.actor(context)
    if (role === OPERATOR || session === undefined) return
    await recordLinkOpening(this.#options.log, { thread, role }, session)
  }

  /**
   * The subject of a caller, or the browser session of a page's request. Another request without cookies
   * or with a token has no actor.
   */
  actor(context: Context, entrant?: Entrant): string | undefined {
    if (entrant?.actor !== undefined) return entrant.actor
    const isPage =
      authorization(context) === undefined && context.req.header('cookie') !== undefined
    return isPage ? browserSession(context, this.#cookies) : undefined
  }

  /** Ends the operator's session in this browser, and removes the cookies of all its tokens. */
  async signOut(context: Context): Promise<void> {
    await this.#operator.signOut(context)
    for (const name of this.#cookies.entries(context)) this.#cookies.remove(context, name)
  }

  /** Whether anybody on loopback is the operator here: threads whose roles need tokens are closed. */
  #isOpen({ owner, begins }: ThreadToEnter): boolean {
    const { operatorToken, rolesNeedTokens } = this.#options
    if (operatorToken !== undefined) return false
    return owner ? !(rolesNeedTokens && owner.hasRoles) : begins === true
  }

  #watch(pass: NonNullable<Entrant['pass']>): Promise<GrantWatch> {
    if ('subject' in pass) return this.revokedCallers.watch(pass)
    return 'thread' in pass ? this.revocations.watch(pass) : this.#operator.watch(pass)
  }

  /** A caller begins threads of applications that take callers, and enters those that it began. */
  async #mayEnter(
    grant: CallerGrant,
    { thread, owner, begins, among }: ThreadToEnter,
  ): Promise<boolean> {
    if (among?.includes(CALLER) === false) return false
    if (begins && !owner) return true
    if (!owner?.hasRole(CALLER)) return false
    return begins || (await firstRecord(this.#options.log, thread))?.origin.actor === grant.subject
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

  /**
   * Returns the sender of a request. What it gives as `Authorization` must verify, on open loopback too;
   * without it, open loopback is the operator's. A page of another origin is never the operator by that
   * alone, and browsers send the cookies of this server with requests of other origins on the same site.
   */
  async #found(
    context: Context,
    { isOpen, thread }: { readonly isOpen: boolean; readonly thread?: string },
  ): Promise<Identified> {
    const given = authorization(context)
    if (given !== undefined) return this.#bearerOf(context, given)
    if (crossOriginOf(context) !== undefined) throw withoutToken()
    return isOpen ? { role: OPERATOR } : this.#holderOfCookie(context, thread)
  }

  async #bearerOf(context: Context, given: string): Promise<Identified> {
    const token = /^Bearer (\S+)$/i.exec(given)?.[1]
    if (token === undefined) throw withWrongToken()
    const grant = await this.#grantOf(token)
    if (grant) return unlessRevoked(grant, await this.revocations.isRevoked(grant))
    const caller = await this.#options.tokens.verifyCaller(token)
    if (caller) return unlessRevoked(caller, await this.revokedCallers.has(caller.id))
    if (this.#operator.isToken(context, token)) return { role: OPERATOR }
    throw withWrongToken()
  }

  /** A cookie that is not valid any more gets the answer for a thread that does not exist. */
  async #holderOfCookie(context: Context, thread?: string): Promise<Identified> {
    // A page that acts in another role must not get the operator's rights from the same browser.
    const wanted = context.req.header(ROLE_HEADER) ?? 'operator'
    const session = wanted === 'operator' ? await this.#operator.session(context) : undefined
    if (session) return { role: OPERATOR, session }
    const cookie = thread === undefined ? undefined : this.#cookieFor(context, thread)
    if (cookie === undefined) throw withoutToken()
    const grant = await this.#grantOf(cookie)
    if (grant && !(await this.revocations.isRevoked(grant))) return grant
    throw notFound('thread')
  }

  /** Returns the grant of a token, if it names a role that an application declares. */
  async #grantOf(token: string): Promise<IssuedGrant | undefined> {
    const { tokens, roles } = this.#options
    const grant = await tokens.verify(token)
    return grant && roles.includes(grant.role) ? grant : undefined
  }

  #cookieFor(context: Context, thread: string): string | undefined {
    const wanted = context.req.header(ROLE_HEADER)
    return this.#options.roles
      .filter((role) => wanted === undefined || role === wanted)
      .map((role) => this.#cookies.read(context, cookieName({ thread, role })))
      .find((cookie) => cookie !== undefined)
  }
}

function unlessRevoked(grant: Identified, isRevoked: boolean): Identified {
  if (isRevoked) throw withWrongToken()
  return grant
}

function withoutToken(): ProblemError {
  return unauthenticated('send a token as "Authorization: Bearer TOKEN"')
}

function withWrongToken(): ProblemError {
  const detail = 'Cannot answer: the token is not valid, has expired or was revoked; get a new one'
  return new ProblemError('unauthenticated', 401, { detail })
}

function entrantOf(found: Identified): Entrant {
  if ('subject' in found) {
    const { id, subject: actor, agents } = found
    return { role: CALLER, id, actor, agents, pass: found }
  }
  if ('thread' in found) return { role: found.role, id: found.id, pass: found }
  return { role: OPERATOR, ...(found.session && { pass: found.session }) }
}

/** Whether a token is for this thread, in a role that may use it there. */
function opens({ thread, role }: Grant, place: ThreadToEnter): boolean {
  const { owner, among = [role] } = place
  return thread === place.thread && among.includes(role) && owner?.hasRole(role) !== false
}

function authorization(context: Context): string | undefined {
  return context.req.header('authorization')
}

function cookieName({ thread, role }: Grant): string {
  return `${ENTRY_COOKIES}${role}-${thread.replaceAll(/[^\w-]/g, '_')}`
}
