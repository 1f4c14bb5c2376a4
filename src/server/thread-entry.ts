import type { Context } from 'hono'
import type { OpenedApp, Permission, Proposer, Throughline } from '../application/index.ts'
import type { View } from '../faces/index.ts'
import { OPERATOR, may } from '../application/index.ts'
import { waitingIn } from '../activity/index.ts'
import { AgentError } from '../agents/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { isThreadName } from '../log/index.ts'
import type { Access, Entrant } from './access.ts'
import { ProblemError, notFound } from './problem.ts'

/** A thread that a request may use, in a role. */
export interface Entered {
  readonly thread: string
  readonly owner: OpenedApp
  readonly role: string
  readonly entrant: Entrant
  readonly view: View
  /** Whose idempotency keys a request's key is one of. */
  readonly principal: string
  /** How what the request does goes on record. */
  readonly as: Proposer & { readonly surface: string }
}

/** What would open a thread that is empty. */
export interface Opening {
  readonly type: string
  readonly agent?: string | undefined
}

/** Says whose a thread is, and lets a request in or not. */
export class ThreadEntry {
  readonly #throughline: Throughline
  readonly #access: Access

  constructor(throughline: Throughline, access: Access) {
    this.#throughline = throughline
    this.#access = access
  }

  /**
   * Lets a request into a thread; into an empty one with what would open it, in a role that may begin.
   *
   * @throws {@link ProblemError} `unauthenticated`, `not_found`, `forbidden`
   */
  async enter(context: Context, opening?: () => Promise<Opening>): Promise<Entered> {
    const thread = context.req.param('id') ?? ''
    const owner = await this.#throughline.ownerOf(thread)
    if (!owner && opening) return this.#begin(context, thread, opening)
    const entrant = await this.#access.entrantIn(context, { thread, owner })
    if (!owner) throw notFound('thread')
    await this.#throughline.recovered(thread)
    return this.#entered(context, { thread, owner, entrant })
  }

  async #begin(
    context: Context,
    thread: string,
    opening: () => Promise<Opening>,
  ): Promise<Entered> {
    // Before anything is read of the request: whoever may not enter learns nothing by what it holds.
    const { role: asked } = await this.#access.entrantIn(context, { thread, begins: true })
    if (!isThreadName(thread)) throw notFound('thread')
    const { type, agent } = await opening()
    const owner = this.#throughline.openedBy(type, agent)
    if (!owner) throw asked === OPERATOR ? this.#nothingOpens({ type, agent }) : notFound('thread')
    const entrant = await this.#access.entrantIn(context, { thread, owner, begins: true })
    // Records that no application knows the beginning of are nobody's to go on with.
    const isEmpty = (await this.#throughline.log.head(thread)) < 0
    const role = owner.role(entrant.role)
    if (!isEmpty || !role || !may(role, 'begin')) throw notFound('thread')
    return this.#entered(context, { thread, owner, entrant })
  }

  #nothingOpens({ type, agent }: Opening): Error {
    const agents = this.#throughline.apps.flatMap(({ app }) => app.agents)
    if (agent !== undefined && !agents.some(({ name }) => name === agent)) {
      return new AgentError('unknown_agent', `Cannot ask "${agent}": no such agent here`)
    }
    const detail = `Cannot begin a thread with "${agent ?? type}": no application has threads that begin so`
    return new ProblemError('not_found', 404, { detail })
  }

  #entered(
    context: Context,
    at: { readonly thread: string; readonly owner: OpenedApp; readonly entrant: Entrant },
  ): Entered {
    const { role, surface = role } = at.entrant
    const actor = this.#access.actor(context, at.entrant)
    const as = { source: 'ui', surface, ...(actor === undefined ? {} : { actor }) } as const
    // A token's bearer may come with another token next time; whom a program recognises is one person.
    const principal = at.entrant.actor === undefined ? role : `${role}:${at.entrant.actor}`
    return { ...at, role, view: at.owner.view(role), principal, as }
  }
}

const DOING: Readonly<Record<Permission, string>> = {
  propose: 'propose',
  run: 'ask',
  begin: 'begin a thread',
  answer: 'answer what agents ask',
  cancel: 'cancel runs',
}

/** @throws {@link ProblemError} `forbidden` naming the role and what it lacks */
export function requirePermission(
  { owner, role }: Pick<Entered, 'owner' | 'role'>,
  permission: Permission,
  names: readonly string[] = [],
): void {
  const declared = owner.role(role)
  const lacking = names.find((name) => !declared || !may(declared, permission, name))
  const allowed = declared && may(declared, permission)
  if (allowed && lacking === undefined) return
  const what = lacking === undefined ? DOING[permission] : `${DOING[permission]} "${lacking}"`
  throw new ProblemError('forbidden', 403, {
    detail: `"${role}" may not ${what} in "${owner.name}": ${mend(declared?.[permission])}`,
  })
}

function mend(allowed: boolean | 'all' | readonly string[] | undefined): string {
  if (!Array.isArray(allowed) || allowed.length === 0) return 'ask in a role that may'
  return `it may only with ${allowed.map((name) => `"${name}"`).join(', ')}`
}

/**
 * A question that is put on a surface is answered there, or by the operator.
 *
 * @throws {@link ProblemError} `forbidden`
 */
export async function requireAskedOf(
  { thread, owner, role, as }: Entered,
  run: string,
): Promise<void> {
  const { pauses } = await owner.gate.snapshot(thread)
  const surface = waitingIn(pauses, run)?.surface ?? as.surface
  if (role === OPERATOR || surface === as.surface) return
  throw new ProblemError('forbidden', 403, {
    detail: `"${as.surface}" may not answer this: it is asked on "${surface}"`,
  })
}

/**
 * What somebody does by an agent with a surface goes on record as that surface's: nobody else may ask it.
 *
 * @throws {@link ProblemError} `forbidden`
 */
export function requireOwnSurface(
  { owner, as }: Pick<Entered, 'owner' | 'as'>,
  agent: string,
): void {
  const surface = owner.app.agents.find(({ name }) => name === agent)?.surface
  if (surface === undefined || surface === as.surface) return
  throw new ProblemError('forbidden', 403, {
    detail: `"${as.surface}" may not ask "${agent}": it talks with "${surface}" alone`,
  })
}

/** What only the operator may do in a thread. */
export function requireOperatorRole({ owner, role }: Pick<Entered, 'owner' | 'role'>): void {
  if (role === OPERATOR) return
  throw new ProblemError('forbidden', 403, {
    detail: `"${role}" may not do this in "${owner.name}": only "${OPERATOR}" may`,
  })
}

/** The record that a thread began with, if there is one. */
export async function firstRecord(log: EventLog, thread: string): Promise<LogRecord | undefined> {
  if (!isThreadName(thread)) return undefined
  for await (const [record] of log.read(thread, { limit: 1 })) return record
  return undefined
}
