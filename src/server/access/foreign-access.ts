import type { Context } from 'hono'
import { CALLER, OPERATOR } from '../../application/index.ts'
import type { Access, ThreadToBegin, Entrant, Owner, ThreadToEnter } from './access.ts'
import { freezeDeep, isJson, misspeltMember, quotedNames } from '../../json/index.ts'
import type { JsonObject, KnownMembers } from '../../json/index.ts'
import { clientAddress } from './client-address.ts'
import { crossOriginOf } from './cross-origin.ts'
import {
  AuthenticateError,
  ProblemError,
  forbidden,
  notFound,
  notLetIn,
} from '../problems/problem.ts'

/** The default time limit of `authenticate`. */
export const AUTHENTICATE_MAX_MS = 10_000
/** The longest context of a request, in bytes as JSON. */
export const REQUEST_CONTEXT_BYTES_MAX = 16_384

/** The sender of a request, as returned by the mounting program's `authenticate`. */
export interface Caller<RoleName extends string = string> {
  /** One of the roles of the thread’s application, or `operator`. */
  readonly role: RoleName
  /** The person or system that acts, as an opaque id: it goes on record with what they do. */
  readonly actor?: string
  /** The page or channel that they come by; the role’s name by default. */
  readonly surface?: string
  /**
   * Set it where a thread belongs to the sender who begins it. Of two senders who begin one thread at once, also at two
   * servers, the second is refused.
   */
  readonly beginsAlone?: boolean
  /**
   * JSON of the program's own, such as the claims of a session: tools, approvals and instructions get it. It
   * is not recorded. At most {@link REQUEST_CONTEXT_BYTES_MAX} as JSON.
   */
  readonly context?: JsonObject
}

/** Who is known and may not enter: answered with 403, which no page takes for a call to sign in. */
export interface Forbidden {
  /** Shown to the sender. */
  readonly forbidden: string
}

/**
 * Says who sends a request, and in which role they use a thread; nothing when it cannot tell who, which is
 * answered with 401. `thread` is absent on routes of no thread.
 */
export type Authenticate<RoleName extends string = string> = (
  request: Request,
  thread: string | undefined,
) => Authenticated<RoleName> | Promise<Authenticated<RoleName>>

type Authenticated<RoleName extends string> = Caller<RoleName> | Forbidden | undefined

interface ForeignAccessParts {
  readonly authenticate: Authenticate
  readonly roles: readonly string[]
  readonly maxMs?: number | undefined
  readonly publicUrl?: string | undefined
}

/** Lets in the people that the program that mounts the routes recognises. */
export class ForeignAccess implements Access {
  readonly #parts: ForeignAccessParts
  readonly #roles: readonly string[]

  /** `roles` are those of all applications: no other is one, whatever thread a request is about. */
  constructor(parts: ForeignAccessParts) {
    this.#parts = parts
    this.#roles = [...parts.roles, OPERATOR]
  }

  async requireOperator(context: Context): Promise<void> {
    const { role } = await this.#caller(context, undefined)
    if (role !== OPERATOR) throw onlyOperatorMay(role)
  }

  async entrant(context: Context): Promise<Entrant> {
    return this.#entrant(context, await this.#caller(context, undefined), undefined)
  }

  /** The program is asked once a request, with the thread that the body names. */
  async requireCredentials(): Promise<undefined> {
    return undefined
  }

  async entrantIn(context: Context, { thread, owner, among }: ThreadToEnter): Promise<Entrant> {
    const caller = await this.#caller(context, thread)
    const { role } = caller
    if (owner) requireEntry(owner, role)
    if (role !== OPERATOR && among && !among.includes(role)) throw notFound('thread')
    return this.#entrant(context, caller, thread)
  }

  /** Asks the program nothing: it has said who sends this request. */
  async entrantOf(_context: Context, asking: Entrant, { owner }: ThreadToBegin): Promise<Entrant> {
    requireEntry(owner, asking.role)
    return asking
  }

  actor(_context: Context, { actor }: Entrant): string | undefined {
    return actor
  }

  async recordOpening(): Promise<void> {
    // Links give no access here.
  }

  async untilEnded(): Promise<AbortSignal> {
    return new AbortController().signal
  }

  /**
   * Any number of people may be behind a role without an actor: each address has quotas of its own
   * then, and each thread where the server sees no addresses.
   */
  #entrant(context: Context, caller: Caller, thread: string | undefined): Entrant {
    const { actor, surface, ...rest } = caller
    const { role } = rest
    const who = { ...rest, ...(actor && { actor }), ...(surface && { surface }) }
    if (role === OPERATOR) return who
    if (actor) return { ...who, id: `${role}:${actor}` }
    const address = clientAddress(context, this.#parts)
    return { ...who, id: `${role} ${address ? `from ${address}` : `in ${thread ?? 'no thread'}`}` }
  }

  async #caller(context: Context, thread: string | undefined): Promise<Caller> {
    const { raw } = context.req
    const isOther = crossOriginOf(context) !== undefined
    const found = await this.#ask(isOther ? withoutCookies(raw) : raw, thread)
    if (found === undefined || found === null) throw notLetIn()
    const caller = callerOf(found)
    if (this.#roles.includes(caller.role)) return caller
    throw failed(
      `gave a role that no application declares; the roles are ${quotedNames(this.#roles)}`,
    )
  }

  async #ask(request: Request, thread: string | undefined): Promise<unknown> {
    const late = Promise.withResolvers<never>()
    const { authenticate, maxMs = AUTHENTICATE_MAX_MS } = this.#parts
    const timer = setTimeout(() => late.reject(failed(`did not answer within ${maxMs} ms`)), maxMs)
    try {
      return await Promise.race([authenticate(request, thread), late.promise])
    } catch (error) {
      if (error instanceof AuthenticateError || error instanceof ProblemError) throw error
      throw failed('threw', error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A program that knows people by their cookies must not take another site's page for one of them. */
function withoutCookies({ url, method, headers, signal }: Request): Request {
  const others = new Headers(headers)
  others.delete('cookie')
  return new Request(url, { method, headers: others, signal })
}

const CALLER_PARTS: KnownMembers<Caller & Forbidden> = {
  role: true,
  actor: true,
  surface: true,
  beginsAlone: true,
  context: true,
  forbidden: true,
}

/**
 * Reads a caller off a plain object, of its own members alone. A program without types may answer anything,
 * and its answer may be a secret, so no message quotes it.
 */
function callerOf(found: unknown): Caller {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw failed(
      `did not return a caller: it is ${kindOf(found)}; give { role, actor?, surface?, context? }`,
    )
  }
  const members = ownMembers(found)
  requireSpelling(members)
  const { role, actor, surface, beginsAlone, context, forbidden: reason } = members
  if (typeof reason === 'string' && reason !== '') throw forbidden(reason)
  if (reason !== undefined)
    throw failed(`gave a "forbidden" that is ${kindOf(reason)}; give a text`)
  const caller = { role, ...(withoutUndefined({ actor, surface }) as object) }
  const wrong = Object.entries(caller).find(([, value]) => kindOf(value) !== 'a string')
  if (wrong) throw failed(`answered a caller whose ${wrong[0]} is ${kindOf(wrong[1])}; give a text`)
  requireSwitch(beginsAlone)
  if (role === CALLER) throw failed(`gave the role "${CALLER}", which caller tokens alone give`)
  const known = { ...(caller as Caller), ...(beginsAlone === true && { beginsAlone }) }
  return { ...known, ...(context !== undefined && { context: contextOf(context) }) }
}

function requireSwitch(given: unknown): void {
  if (given === undefined || typeof given === 'boolean') return
  throw failed(`answered a caller whose beginsAlone is ${kindOf(given)}; give true or false`)
}

/** Sessions have members of their own, but a misspelt `actor` would leave nobody on record. */
function requireSpelling(members: object): void {
  const misspelt = misspeltMember(members, CALLER_PARTS)
  if (misspelt !== undefined) throw failed(`answered a caller that does not fit: ${misspelt}`)
}

/** Members without a value are as if they were not there, as in JSON. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).filter(([, held]) => held !== undefined)
  return Object.fromEntries(members.map(([name, held]) => [name, withoutUndefined(held)]))
}

/** A copy, so that what the program does with its own later changes nothing here. */
function contextOf(context: unknown): JsonObject {
  let text: string | undefined
  try {
    const given = withoutUndefined(context)
    if (isJson(given)) text = JSON.stringify(given)
  } catch {
    // A getter may throw, and a cycle has no JSON.
  }
  if (text === undefined || !text.startsWith('{')) {
    throw failed('gave a context that is no JSON object; give plain data')
  }
  if (Buffer.byteLength(text) > REQUEST_CONTEXT_BYTES_MAX) {
    const why = `a context of more than ${REQUEST_CONTEXT_BYTES_MAX} bytes`
    throw failed(`gave ${why}; give what tools need, and let them look up the rest`)
  }
  // JSON.parse gives JSON.
  return freezeDeep(JSON.parse(text) as JsonObject)
}

function ownMembers(found: object): Partial<Record<keyof Caller | keyof Forbidden, unknown>> {
  try {
    const prototype: unknown = Object.getPrototypeOf(found)
    if (prototype === null || prototype === Object.prototype)
      return Object.assign(Object.create(null), found)
  } catch (error) {
    throw failed('answered a caller that cannot be read', error)
  }
  throw failed('did not return a plain object; give { role, actor?, surface?, context? }')
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (value === '') return 'an empty text'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function failed(what: string, cause?: unknown): AuthenticateError {
  const options = cause === undefined ? {} : { cause }
  return new AuthenticateError(
    'authenticate_failed',
    `Cannot tell who sends this: authenticate ${what}`,
    options,
  )
}

function requireEntry(owner: Owner, role: string): void {
  if (!owner.hasRole(role)) throw notFound('thread')
}

function onlyOperatorMay(role: string): ProblemError {
  return forbidden(`"${role}" may not list the threads: only "operator" may`)
}
