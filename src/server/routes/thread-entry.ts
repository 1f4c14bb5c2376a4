import type { Context } from 'hono'
import type {
  AskedWait,
  OpenedApp,
  Permission,
  Proposer,
  Role,
  Throughline,
} from '../../application/index.ts'
import type { View } from '../../faces/index.ts'
import { OPERATOR, isOurThread, may, whyNotAnswer } from '../../application/index.ts'
import { AgentError } from '../../agents/index.ts'
import type { Answerer } from '../../agents/index.ts'
import { quotedNames } from '../../json/index.ts'
import { THREAD_CHARS_MAX, isThreadName } from '../../log/index.ts'
import type { Access, Entrant } from '../access/access.ts'
import { ProblemError, forbidden, notFound } from '../problems/problem.ts'
import type { ProblemReader } from '../problems/problem.ts'
import { shownView } from './reveal.ts'

export interface Entered {
  readonly thread: string
  readonly owner: OpenedApp
  readonly role: string
  readonly entrant: Entrant
  readonly view: View
  /** When the reveal of its view ends, in milliseconds since the epoch; absent where none shows. */
  readonly revealedUntil?: number
  /** The sender begins the thread for itself: its first records must find it empty, or another began it meanwhile. */
  readonly begins: boolean
  /** Idempotency keys of one principal are separate from those of others. */
  readonly principal: string
  /** The proposer in the records of this request. */
  readonly as: Proposer & { readonly surface: string }
  /** Who asks, for tools and instructions. */
  readonly caller: Answerer
}

/** The first record of a thread that a request would begin. */
export interface Opening {
  readonly type: string
  readonly agent?: string | undefined
}

const NOTED_READER = 'throughline.reader'

/** Before a request has entered a thread, its sender sees only some records. */
export function readerOf(context: Context): ProblemReader {
  const noted: unknown = context.get(NOTED_READER)
  return noted === 'sees all records' ? noted : 'sees some records'
}

/** Finds the application of a thread, and lets a request in or refuses it. */
export class ThreadEntry {
  readonly #throughline: Throughline
  readonly #access: Access

  constructor(throughline: Throughline, access: Access) {
    this.#throughline = throughline
    this.#access = access
  }

  /**
   * Lets a request into the thread of its path; into an empty one with what would open it, in a role that
   * may begin.
   */
  enter(context: Context, opening?: () => Promise<Opening>): Promise<Entered> {
    return this.enterNamed(context, context.req.param('id') ?? '', opening)
  }

  /** The same for a request that names its thread elsewhere than in its path. */
  async enterNamed(
    context: Context,
    thread: string,
    opening?: () => Promise<Opening>,
  ): Promise<Entered> {
    const owner = await this.#throughline.ownerOf(thread)
    if (!owner && opening) return this.#begin(context, thread, opening)
    if (!owner) {
      // A caller that may begin threads without a token gets 404 without one.
      await this.#access.entrantIn(context, { thread, begins: true })
      throw notFound('thread')
    }
    const entrant = await this.#access.entrantIn(context, { thread, owner })
    await this.#throughline.recovered(thread)
    return this.#entered(context, { thread, owner, entrant, begins: false })
  }

  /** Lets a request ask an agent in a thread, which it begins where nobody has. */
  async enterToAsk(context: Context, thread: string, agent: string): Promise<Entered> {
    const opening = async () => ({ type: 'RUN_STARTED', agent })
    const entered = await this.enterNamed(context, thread, opening)
    requireAgent(entered, agent)
    requirePermission(entered, 'run', [agent])
    requireOwnSurface(entered, agent)
    return entered
  }

  /** Lets a request read what an agent says in a thread. */
  async enterToRead(context: Context, thread: string, agent: string): Promise<Entered> {
    const entered = await this.enterNamed(context, thread)
    requireAgent(entered, agent)
    requireOwnSurface(entered, agent)
    return entered
  }

  /** The same; `undefined` where no thread of this name is the sender's. */
  async enterToReadIfAny(
    context: Context,
    thread: string,
    agent: string,
  ): Promise<Entered | undefined> {
    try {
      return await this.enterToRead(context, thread, agent)
    } catch (error) {
      // A page asks for its thread before it sends the first message.
      if (error instanceof ProblemError && error.code === 'not_found') return undefined
      throw error
    }
  }

  async #begin(
    context: Context,
    thread: string,
    opening: () => Promise<Opening>,
  ): Promise<Entered> {
    // Checked before the body is read: a sender without access learns nothing from the answer.
    const asking = await this.#access.entrantIn(context, { thread, begins: true })
    if (!isThreadName(thread) || isOurThread(thread)) throw notFound('thread')
    const { type, agent } = await opening()
    requireOwnAgent(asking, { type, agent })
    const owner = this.#throughline.openedBy(type, agent)
    if (!owner) {
      throw this.#nothingOpens(asking, { type, agent })
    }
    const entrant = await this.#access.entrantOf(context, asking, { thread, owner, begins: true })
    // A thread that holds records, but belongs to no application, cannot be begun again.
    const isEmpty = (await this.#throughline.log.head(thread)) < 0
    const role = owner.role(entrant.role)
    if (!isEmpty || !role || !may(role, 'begin')) throw notFound('thread')
    const begins = entrant.agents !== undefined || entrant.beginsAlone === true
    return this.#entered(context, { thread, owner, entrant, begins })
  }

  /** Names to a role the agents that it may ask: of others it learns nothing. */
  #nothingOpens({ role }: Entrant, { type, agent }: Opening): Error {
    const agents = this.#throughline.apps.flatMap((owner) => agentsFor(owner, role))
    const isOperator = role === OPERATOR
    if (agent !== undefined && !agents.includes(agent) && (isOperator || agents.length > 0)) {
      const known = quotedNames(agents) || 'none'
      return new AgentError('unknown_agent', `Cannot ask "${agent}": the agents are ${known}`)
    }
    if (!isOperator) return notFound('thread')
    const detail = `Cannot begin a thread with "${agent ?? type}": no application has threads that begin so`
    return new ProblemError('not_found', 404, { detail })
  }

  async #entered(
    context: Context,
    at: Pick<Entered, 'thread' | 'owner' | 'entrant' | 'begins'>,
  ): Promise<Entered> {
    const { role, surface = role } = at.entrant
    const actor = this.#access.actor(context, at.entrant)
    const as = { source: 'ui', surface, ...(actor === undefined ? {} : { actor }) } as const
    // The same person may send another token next time; a named actor is one person.
    const principal = at.entrant.actor === undefined ? role : `${role}:${at.entrant.actor}`
    const { view, until } = await shownView(context, { ...at, role, as })
    context.set(NOTED_READER, view.isUnfiltered ? 'sees all records' : 'sees some records')
    const { context: requestContext } = at.entrant
    const known = {
      ...(actor !== undefined && { actor }),
      ...(requestContext && { requestContext }),
    }
    const reveals = until === undefined ? {} : { revealedUntil: until }
    return { ...at, role, view, ...reveals, principal, as, caller: { role, ...known } }
  }
}

/** Whether a sender may ask an agent of an application. */
export function mayAsk(owner: OpenedApp, { role, agents }: Entrant, agent: string): boolean {
  const declared = owner.role(role)
  return agents?.includes(agent) ?? (declared !== undefined && may(declared, 'run', agent))
}

/** The agents with which a role may begin a thread of an application. */
function agentsFor(owner: OpenedApp, role: string): readonly string[] {
  const names = owner.app.agents.map(({ name }) => name)
  if (role === OPERATOR) return names
  const declared = owner.role(role)
  if (!declared || !may(declared, 'begin')) return []
  return names.filter((name) => may(declared, 'run', name))
}

const DOING: Readonly<Record<Permission, string>> = {
  propose: 'propose',
  run: 'ask',
  begin: 'begin a thread',
  answer: 'answer what agents ask',
  cancel: 'cancel runs',
}

/** Refuses in the same words whether or not there is such an agent: a caller learns of its own alone. */
function requireOwnAgent({ role, agents }: Entrant, { type, agent }: Opening): void {
  if (!agents || (type === 'RUN_STARTED' && agents.includes(agent ?? ''))) return
  throw forbidden(
    `"${role}" may not begin a thread with "${agent ?? type}": its token is for ` +
      `${quotedNames(agents)}; ask the operator for one that names it`,
  )
}

/** Whether the sender of a request may do something by this name. */
export function mayInThread(
  { owner, role }: Pick<Entered, 'owner' | 'role'>,
  permission: Permission,
  name: string,
): boolean {
  const declared = owner.role(role)
  return declared !== undefined && may(declared, permission, name)
}

export function requirePermission(
  { owner, role, entrant }: Entered,
  permission: Permission,
  names: readonly string[] = [],
): void {
  const inRole = owner.role(role)
  // A caller's token says which agents it may ask.
  const declared = inRole && { ...inRole, ...(entrant.agents && { run: entrant.agents }) }
  const lacking = names.find((name) => !declared || !may(declared, permission, name))
  const allowed = declared && may(declared, permission)
  if (allowed && lacking === undefined) return
  const what = lacking === undefined ? DOING[permission] : `${DOING[permission]} "${lacking}"`
  throw forbidden(`"${role}" may not ${what} in "${owner.name}": ${mend(declared?.[permission])}`)
}

function mend(allowed: Role<never>[Permission]): string {
  if (!Array.isArray(allowed) || allowed.length === 0) return 'ask in a role that may'
  return `it may only with ${quotedNames(allowed)}`
}

/**
 * Refuses an answer to what the role may not answer. Whether something still waits for it, the engine
 * decides when it takes the answer.
 */
export function requireAnswerable(entered: Entered, asked: readonly AskedWait[]): void {
  // What waits for nothing is not told to those who may answer nothing.
  if (asked.length === 0) requirePermission(entered, 'answer')
  const { owner, role, as } = entered
  const { answer } = owner.role(role) ?? {}
  const answering = { role, ...actorIn(as), surface: as.surface, ...(answer && { answer }) }
  for (const each of asked) {
    const why = whyNotAnswer(each, answering)
    if (why !== undefined) throw forbidden(why)
  }
}

/** A turn of an agent with a surface is recorded under that surface: callers of others may not start it. */
export function requireOwnSurface({ owner, as }: Entered, agent: string): void {
  const surface = surfaceOf(owner, agent)
  if (surface === undefined || surface === as.surface) return
  throw forbidden(`"${as.surface}" may not ask "${agent}": it talks with "${surface}" alone`)
}

export function surfaceOf(owner: OpenedApp, agent: string): string | undefined {
  return owner.app.agents.find(({ name }) => name === agent)?.surface
}

/** The surface whose runs and questions a request may reach, as a member to spread; the operator reaches all. */
export function ownSurface({ role, as }: Entered): { readonly surface?: string } {
  return role === OPERATOR ? {} : { surface: as.surface }
}

/** The person or system that the records of a request name, as a member to spread. */
export function actorIn({ actor }: Entered['as']): { readonly actor?: string } {
  return actor === undefined ? {} : { actor }
}

export function requireOperatorRole({ owner, role }: Entered): void {
  if (role === OPERATOR) return
  throw forbidden(`"${role}" may not do this in "${owner.name}": only "${OPERATOR}" may`)
}

/** The error names the agents that the sender may ask. */
export function requireAgent({ owner, entrant }: Entered, agent: string): void {
  const names = owner.app.agents.map(({ name }) => name)
  if (names.includes(agent)) return
  const known = quotedNames(names.filter((name) => entrant.agents?.includes(name) ?? true))
  const detail = `Cannot ask "${agent}": the agents of "${owner.name}" are ${known || 'none'}`
  throw new AgentError('unknown_agent', detail)
}

/** A thread of another name cannot exist, so the answer says nothing of any thread. */
export function requireThreadName(thread: string, member: string): void {
  if (isThreadName(thread)) return
  const detail = `Cannot use this "${member}": give 1 to ${THREAD_CHARS_MAX} characters and no control characters`
  throw new ProblemError('invalid_body', 400, { detail })
}
