import type { Context } from 'hono'
import type { EventLog, LogRecord } from '../log/index.ts'
import type { Access, Entrant } from './access.ts'
import type { Application } from './application.ts'
import { notFound } from './problem.ts'
import type { Role } from './tokens.ts'

export interface ThreadEntryParts {
  readonly log: EventLog
  readonly applications: readonly Application[]
  readonly access: Access
  /** Resolves once the runs that a crash left open in a thread have ended. */
  readonly recovered: (thread: string) => Promise<void>
}

/** A thread that a request may use, in a role. */
export interface Entered {
  readonly thread: string
  readonly role: Role
  readonly entrant: Entrant
  readonly application: Application
}

/** Says whose a thread is, and lets a request in or not. */
export class ThreadEntry {
  readonly #parts: ThreadEntryParts

  constructor(parts: ThreadEntryParts) {
    this.#parts = parts
  }

  /** @throws {@link ProblemError} `unauthenticated`, `not_found` */
  async enter(context: Context, among?: readonly Role[]): Promise<Entered> {
    const entered = await this.#admit(context, among)
    await this.#parts.recovered(entered.thread)
    return entered
  }

  /** The application that a thread belongs to, by its first record. */
  async ownerOf(thread: string): Promise<Application | undefined> {
    return ownerOf(this.#parts, thread)
  }

  async #admit(context: Context, among?: readonly Role[]): Promise<Entered> {
    const { access } = this.#parts
    const thread = context.req.param('id') ?? ''
    const application = await this.ownerOf(thread)
    if (application?.entry === 'operator') {
      const entrant = await access.requireOperatorIn(context, thread)
      return { thread, role: 'operator', entrant, application }
    }
    const entrant = await access.entrantIn(context, thread, among)
    if (!application) throw notFound('thread')
    return { thread, role: entrant.role, entrant, application }
  }
}

/** The application that a thread belongs to, by its first record. */
export async function ownerOf(
  { log, applications }: Pick<ThreadEntryParts, 'log' | 'applications'>,
  thread: string,
): Promise<Application | undefined> {
  const opener = await firstRecord(log, thread)
  return applications.find(({ opens }) => opener && opens.includes(opener.type))
}

/** The record that a thread began with, if there is one. */
export async function firstRecord(log: EventLog, thread: string): Promise<LogRecord | undefined> {
  if (thread === '' || thread.length > 200) return undefined
  for await (const [record] of log.read(thread, { limit: 1 })) return record
  return undefined
}
