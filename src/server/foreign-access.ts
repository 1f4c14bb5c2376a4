import type { Context } from 'hono'
import { CALLER, OPERATOR } from '../application/index.ts'
import type { Access, BegunPlace, Entrant, Owner, Place } from './access.ts'
import { crossOriginOf } from './cross-origin.ts'
import { AuthenticateError, ProblemError, notFound, unauthenticated } from './problem.ts'

/** How long `authenticate` may take, in milliseconds. */
export const AUTHENTICATE_MAX_MS = 10_000

/** Who sends a request, as the program that mounts the routes knows them. */
export interface Caller {
  /** One of the roles of the thread’s application, or `operator`. */
  readonly role: string
  /** The person or system that acts, as an opaque id: it goes on record with what they do. */
  readonly actor?: string
  /** The page or channel that they come by; the role’s name by default. */
  readonly surface?: string
}

/**
 * Says who sends a request, and in which role they use a thread; nothing when they may not. `thread` is
 * absent on routes of no thread, which only the operator may use.
 */
export type Authenticate = (
  request: Request,
  thread: string | undefined,
) => Caller | undefined | Promise<Caller | undefined>

/** Lets in whom the program that mounts the routes recognises. */
export class ForeignAccess implements Access {
  readonly #authenticate: Authenticate
  readonly #maxMs: number

  constructor(authenticate: Authenticate, maxMs: number = AUTHENTICATE_MAX_MS) {
    this.#authenticate = authenticate
    this.#maxMs = maxMs
  }

  async requireOperator(context: Context): Promise<void> {
    const { role } = await this.#caller(context, undefined)
    if (role !== OPERATOR) throw onlyOperatorMay(role)
  }

  async entrant(context: Context): Promise<Entrant> {
    return entrantOf(await this.#caller(context, undefined))
  }

  async entrantIn(context: Context, { thread, owner, among }: Place): Promise<Entrant> {
    const caller = await this.#caller(context, thread)
    const { role } = caller
    if (owner) requireDeclared(owner, role)
    if (role !== OPERATOR && among && !among.includes(role)) throw notFound('thread')
    return entrantOf(caller)
  }

  /** Asks the program nothing: it has said who sends this request. */
  async entrantOf(_context: Context, asking: Entrant, { owner }: BegunPlace): Promise<Entrant> {
    requireDeclared(owner, asking.role)
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

  async #caller(context: Context, thread: string | undefined): Promise<Caller> {
    const { raw } = context.req
    const isOther = crossOriginOf(context) !== undefined
    const found = await this.#ask(isOther ? withoutCookies(raw) : raw, thread)
    if (found === undefined || found === null) throw unauthenticated()
    requireCaller(found)
    return found
  }

  async #ask(request: Request, thread: string | undefined): Promise<unknown> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooLate(this.#maxMs)), this.#maxMs)
    try {
      return await Promise.race([this.#authenticate(request, thread), late.promise])
    } catch (error) {
      if (error instanceof AuthenticateError || error instanceof ProblemError) throw error
      throw failed('threw', error)
    } finally {
      clearTimeout(timer)
    }
  }
}

function entrantOf({ role, actor, surface }: Caller): Entrant {
  const who = { role, ...(actor && { actor }), ...(surface && { surface }) }
  return role === OPERATOR ? who : { ...who, id: `${role}:${actor ?? ''}` }
}

/** A program that knows people by their cookies must not take another site's page for one of them. */
function withoutCookies({ url, method, headers, signal }: Request): Request {
  const others = new Headers(headers)
  others.delete('cookie')
  return new Request(url, { method, headers: others, signal })
}

/** A program without types may answer anything. Its answer may be a secret, so no message quotes it. */
function requireCaller(found: unknown): asserts found is Caller {
  if (kindOf(found) !== 'an object') {
    throw failed(`did not return a caller: it is ${kindOf(found)}; give { role, actor?, surface? }`)
  }
  const { role, actor, surface } = found as Partial<Record<keyof Caller, unknown>>
  const members = Object.entries({ role, ...given({ actor, surface }) })
  const wrong = members.find(([, value]) => kindOf(value) !== 'a string')
  if (role === CALLER) throw failed(`gave the role "${CALLER}", which caller tokens alone give`)
  if (wrong) throw failed(`answered a caller whose ${wrong[0]} is ${kindOf(wrong[1])}; give a text`)
}

function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (value === '') return 'an empty text'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function tooLate(maxMs: number): AuthenticateError {
  return failed(`did not answer within ${maxMs} ms`)
}

function failed(what: string, cause?: unknown): AuthenticateError {
  const options = cause === undefined ? {} : { cause }
  return new AuthenticateError(`Cannot tell who sends this: authenticate ${what}`, options)
}

function requireDeclared(owner: Owner, role: string): void {
  if (owner.hasRole(role)) return
  throw failed(`gave the role "${role}", which "${owner.name}" does not declare`)
}

function onlyOperatorMay(role: string): ProblemError {
  return new ProblemError('forbidden', 403, {
    detail: `"${role}" may not list the threads: only "operator" may`,
  })
}
