import type { Context } from 'hono'
import { OPERATOR } from '../application/index.ts'
import type { Access, Entrant, Place } from './access.ts'
import { ProblemError, notFound, unauthenticated } from './problem.ts'

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
    if (role !== OPERATOR) throw forbiddenHere(role)
  }

  async entrantIn(context: Context, { thread, owner, among }: Place): Promise<Entrant> {
    const { role, actor, surface } = await this.#caller(context, thread)
    if (owner && !owner.hasRole(role)) throw unknownRole(role, owner.name)
    if (role === OPERATOR) return { role, ...(actor && { actor }), ...(surface && { surface }) }
    if (among && !among.includes(role)) throw notFound('thread')
    const id = `${role}:${actor ?? ''}`
    return { role, id, ...(actor && { actor }), ...(surface && { surface }) }
  }

  actor(_context: Context, { actor }: Entrant): string | undefined {
    return actor
  }

  async recordOpening(): Promise<void> {
    // Nobody enters by a link here.
  }

  async untilEnded(): Promise<AbortSignal> {
    return new AbortController().signal
  }

  async #caller(context: Context, thread: string | undefined): Promise<Caller> {
    const found = await this.#ask(context.req.raw, thread)
    if (found === undefined || found === null) throw unauthenticated()
    if (!isCaller(found)) throw rubbish(found)
    return found
  }

  async #ask(request: Request, thread: string | undefined): Promise<unknown> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooLate(this.#maxMs)), this.#maxMs)
    try {
      return await Promise.race([this.#authenticate(request, thread), late.promise])
    } catch (error) {
      if (error instanceof ProblemError) throw error
      throw failed('threw', error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A program without types may answer anything. */
function isCaller(found: unknown): found is Caller {
  if (typeof found !== 'object' || found === null) return false
  const { role, actor, surface } = found as Partial<Record<keyof Caller, unknown>>
  const isText = (given: unknown): boolean =>
    given === undefined || (typeof given === 'string' && given !== '')
  return typeof role === 'string' && role !== '' && isText(actor) && isText(surface)
}

function rubbish(found: unknown): ProblemError {
  const isObject = typeof found === 'object' && found !== null
  const given = isObject ? `{ ${Object.keys(found).join(', ')} }` : JSON.stringify(found)
  return failed(
    `answered ${given}; it has to answer { role, actor?, surface? } with texts, or undefined`,
  )
}

function tooLate(maxMs: number): ProblemError {
  return failed(`did not answer within ${maxMs} ms`)
}

/** The caller of the request has done nothing wrong: whoever mounted the routes is told in the log. */
function failed(what: string, cause?: unknown): ProblemError {
  return new ProblemError('authenticate_failed', 500, {
    detail: `Cannot tell who sends this: authenticate ${what}`,
    options: { cause },
  })
}

function unknownRole(role: string, app: string): ProblemError {
  return failed(`gave the role "${role}", which "${app}" does not declare`)
}

function forbiddenHere(role: string): ProblemError {
  return new ProblemError('forbidden', 403, {
    detail: `"${role}" may not list what is stored: only "operator" may`,
  })
}
