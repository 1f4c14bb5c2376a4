import { OPERATOR, approversOf, isAgent, reachable } from '../agents/index.ts'
import type { Agent, NamedAgent } from '../agents/index.ts'
import { PLAIN_NAME, defineDomain, isObjectMember, isPlainName } from '../domain/index.ts'
import type {
  Domain,
  EffectInputs,
  EventEntries,
  LastActivity,
  ProposalOf,
} from '../domain/index.ts'
import { checkRunners } from '../due-work/index.ts'
import type { EffectRunners, RunnersOf } from '../due-work/index.ts'
import {
  misshapenMember,
  nearestName,
  quotedNames,
  unknownMember,
  whyNotAtOnce,
} from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { approves } from './answering.ts'
import { ApplicationError } from './app-error.ts'
import { whyNoIndex } from './declared-index.ts'
import type { DeclaredIndex } from './declared-index.ts'
import type { AppTypes, TypesOfApp } from './app-types.ts'
import { CALLER, CALLER_READS } from './caller-role.ts'
import { unknownPartOfRole } from './role-parts.ts'
import { whyNoReading, whyNoReveal } from './role-view.ts'
import type { Role } from './role.ts'

export interface AppParts<
  State,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
  Agents extends readonly NamedAgent[] = readonly NamedAgent[],
  Effects extends EffectInputs = EffectInputs,
  RoleName extends string = string,
  IndexName extends string = string,
> {
  /** 1 to 64 letters, digits, "_" or "-". */
  readonly name: Name
  /**
   * The types of a first record that make a thread this application's. By default any event type of its
   * domain, and `RUN_STARTED` of its agents.
   */
  readonly opens?: readonly (EventTypeOf<Events> | 'RUN_STARTED')[]
  /** The event types of its threads. Without a domain its agents only talk. */
  readonly domain?: Domain<State, Events, Effects>
  readonly agents?: Agents & readonly Agent<State>[]
  /**
   * The permissions of each role, by its name. Without roles only `operator` may enter. `operator` may
   * do everything, and `caller` what its token says: of roles of these names only `read` counts.
   */
  readonly roles?: Readonly<
    Record<RoleName, Role<State, EventTypeOf<Events>, NoInfer<Agents>[number]['name']>>
  >
  /**
   * What its threads can be found by across the log, such as `{ status: (state) => state.status }` or
   * `{ agents: (_state, { status }) => status }`.
   */
  readonly index?: DeclaredIndex<State, IndexName>
  /**
   * Names the reducers of the domain and the functions of the index as they are. With it, long threads go
   * on from snapshots and the index is kept beside the store; change it with every change of one of them.
   */
  readonly domainVersion?: string
  /**
   * Whether the person of a thread can be erased. What is `personal` in its records, and all that people and
   * agents say there, is then stored under a key of the thread, and `erase` destroys the key.
   */
  readonly erasable?: boolean
  /**
   * Until when the person of a thread is kept, in milliseconds since the epoch: then the thread is erased. Nothing:
   * for as long as the state is like that. Only of an erasable application.
   */
  readonly retain?: (state: State, last: LastActivity) => number | undefined
  /** Changes with each setting that changes which effects and deadlines are due: then all threads are looked at again. */
  readonly workVersion?: string
}

/**
 * The runner of each effect of the domain. Where the compiler knows the effects, each needs a runner.
 */
export type EffectsPart<
  State,
  Events extends EventEntries<State>,
  Effects extends EffectInputs,
> = string extends keyof Effects
  ? { readonly effects?: EffectRunners<State, ProposalOf<Events>> }
  : keyof Effects extends never
    ? { readonly effects?: Readonly<Record<string, never>> }
    : { readonly effects: RunnersOf<State, Effects, ProposalOf<Events>> }

type EventTypeOf<Events> = keyof NoInfer<Events> & string

/** The parts that an application may have. */
export const APP_PARTS: KnownMembers<AppParts<never>> & { readonly effects: true } = {
  name: true,
  opens: true,
  domain: true,
  agents: true,
  effects: true,
  roles: true,
  index: true,
  domainVersion: true,
  erasable: true,
  retain: true,
  workVersion: true,
}

const APP_SHAPES = {
  opens: 'a list',
  agents: 'a list',
  effects: 'an object',
  roles: 'an object',
  index: 'an object',
} as const

/** An application, checked and complete. */
export interface App<
  State = unknown,
  Name extends string = string,
  Types extends AppTypes = AppTypes,
> {
  readonly name: Name
  /** Carries the types only: the member is never there. */
  readonly '~types'?: Types
  /** Absent: any event type of the domain, and `RUN_STARTED` of its agents. */
  readonly opens?: readonly string[]
  readonly domain: Domain<State>
  readonly agents: readonly Agent<State>[]
  readonly effects: EffectRunners<State>
  /** Without the operator and callers. */
  readonly roles: ReadonlyMap<string, Role<State>>
  readonly operatorReads: Role<State>['read']
  readonly callerReads: Role<State>['read']
  readonly index: DeclaredIndex<State>
  /** Absent: the reducers have no version, and folded threads are not kept. */
  readonly domainVersion?: string
  readonly erasable: boolean
  readonly retain?: (state: State, last: LastActivity) => number | undefined
  readonly workVersion: string
}

/** An application whatever its state. Inside, each is used with its own state alone. */
export type AnyApp = Pick<App, 'name' | '~types' | 'domainVersion' | 'erasable' | 'workVersion'> & {
  readonly domain: Pick<Domain<never>, 'name'>
}

/** The type-level description of an application. */
export type TypesOf<Of extends AnyApp> = NonNullable<Of['~types']>

/**
 * Defines an application: a domain, agents that work in its threads, and what each role may do there.
 *
 * @throws {@link ApplicationError} `invalid_app`, {@link DefinitionError} `missing_runner`,
 *   `invalid_runner`
 * @example
 * const app = defineApp({
 *   name: 'incidents',
 *   domain: incidents,
 *   agents: [coordinator],
 *   roles: { responder: { read: 'all', propose: ['acknowledged'], run: ['coordinator'] } },
 * })
 */
export function defineApp<
  State = object,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
  const Agents extends readonly NamedAgent[] = readonly NamedAgent[],
  Effects extends EffectInputs = EffectInputs,
  RoleName extends string = string,
  IndexName extends string = string,
>(
  parts: AppParts<State, Events, Name, Agents, Effects, RoleName, IndexName> &
    EffectsPart<State, NoInfer<Events>, NoInfer<Effects>>,
): App<State, Name, TypesOfApp<State, Events, Agents, Name, RoleName, IndexName>> {
  checkParts(parts)
  const { name, opens, agents = [], index = {}, workVersion = '' } = parts
  // Each runner is given the input that its own effect recorded.
  const effects = (parts.effects ?? {}) as EffectRunners<State>
  // Without a domain there is only our own fold, which names itself.
  const domain: Domain<State> = parts.domain ?? withoutEvents<State>(name)
  const domainVersion = parts.domain ? parts.domainVersion : ''
  const app = { name, domain, agents, effects, index, workVersion }
  checkAgents(app)
  checkSurfaces(app, parts.roles ?? {})
  checkOpens(app, opens)
  checkApprovers(app, parts.roles)
  checkRunners(domain, effects)
  const why = whyNoIndex(index)
  if (why !== undefined) throw invalid(name, why)
  return {
    ...app,
    ...rolesOf(app, parts.roles),
    ...(opens && { opens }),
    ...endsOf(parts),
    ...(domainVersion === undefined ? {} : { domainVersion }),
  }
}

/** What says which threads are an application's. */
export interface OpeningParts extends Pick<App, 'opens'> {
  readonly domain: { readonly events: Pick<ReadonlyMap<string, unknown>, 'has'> }
  readonly agents: readonly NamedAgent[]
}

/** Whether a thread that begins with a record of this type, of this agent, is the application's. */
export function isOpenedBy(
  { opens, domain, agents }: OpeningParts,
  type: string,
  agent: string | undefined,
): boolean {
  if (opens) return opens.includes(type)
  if (type === 'RUN_STARTED') return agents.some(({ name }) => name === agent)
  return domain.events.has(type)
}

type Checked<State> = Pick<App<State>, 'name' | 'domain' | 'agents' | 'index'>

interface Written {
  readonly name: unknown
  readonly domain?: { readonly events: unknown } | undefined
  readonly erasable?: unknown
  readonly retain?: unknown
}

function checkParts(given: Written | undefined): void {
  const parts: Partial<Written> = given ?? {}
  const { name, domain } = parts
  const why = unknownMember(given, APP_PARTS) ?? misshapenMember(parts, APP_SHAPES)
  if (why !== undefined) throw invalid(name, why)
  const whyNot = whyNoErasure(parts)
  if (whyNot !== undefined) throw invalid(name, whyNot)
  if (typeof name !== 'string' || !isPlainName(name)) {
    throw invalid(name, `its name is not ${PLAIN_NAME}`)
  }
  if (domain === undefined || domain.events instanceof Map) return
  throw invalid(name, 'its `domain` was not made by `domain` of `defineDomain`')
}

function endsOf<State>({
  erasable = false,
  retain,
}: Pick<AppParts<State>, 'erasable' | 'retain'>): Pick<App<State>, 'erasable' | 'retain'> {
  return { erasable, ...(retain && { retain }) }
}

function whyNoErasure({ erasable = false, retain }: Partial<Written>): string | undefined {
  if (typeof erasable !== 'boolean') return '`erasable` is neither true nor false'
  if (retain === undefined) return undefined
  if (!erasable) return 'it has `retain`, and is not erasable; give `erasable: true`'
  return whyNotAtOnce('retain', retain)
}

function checkAgents<State>({ name, agents }: Checked<State>): void {
  if (!agents.every(isAgent)) {
    throw invalid(name, 'one of its `agents` was not made by `defineAgent`')
  }
  const names = agents.map((agent) => agent.name)
  const twice = names.find((each, at) => names.indexOf(each) !== at)
  if (twice === undefined) return
  throw invalid(name, `two of its agents are called "${twice}"; rename one`)
}

/** The mounting program may name surfaces that are no roles, so only a misspelt role counts. */
function checkSurfaces<State>({ name, domain, agents }: Checked<State>, roles: object): void {
  const known = Object.keys(roles)
  const places = [
    ...agents.map(({ name: agent, surface }) => ({ of: `agent "${agent}"`, surface })),
    ...[...domain.events].flatMap(([type, { by }]) =>
      by.map(({ surface }) => ({ of: `event type "${type}"`, surface })),
    ),
  ]
  for (const { of, surface } of places) {
    if (surface === undefined || known.includes(surface)) continue
    const meant = nearestName(surface, known)
    if (meant === undefined) continue
    const why = `its ${of} is for the surface "${surface}", which is none of its roles`
    throw invalid(name, `${why}: did you mean "${meant}"?`)
  }
}

function checkOpens<State>(
  { name, domain }: Checked<State>,
  opens: readonly string[] | undefined,
): void {
  if (!opens) return
  const unknown = opens.find((type) => type !== 'RUN_STARTED' && !domain.events.has(type))
  if (unknown === undefined) return
  const known = quotedNames([...domain.events.keys(), 'RUN_STARTED'])
  throw invalid(name, `it opens by "${unknown}", which is none of ${known}`)
}

/** Without roles, the program itself decides who answers. */
function checkApprovers<State>(
  { name, agents }: Checked<State>,
  roles: Readonly<Record<string, Role<State>>> = {},
): void {
  if (Object.keys(roles).length === 0) return
  const decided = reachable(agents).flatMap((agent) =>
    [...agent.tools].flatMap(([tool, parts]) =>
      (approversOf(parts) ?? []).map((role) => ({ agent: agent.name, tool, role })),
    ),
  )
  for (const { agent, tool, role } of decided) {
    const declared = Object.hasOwn(roles, role) ? roles[role] : undefined
    if (role === OPERATOR || (declared && approves(declared, tool))) continue
    const why = declared
      ? `may not answer approvals of it; give that role \`answer: { approvals: true }\``
      : `is none of its roles ${quotedNames(Object.keys(roles))}`
    throw invalid(name, `the tool "${tool}" of "${agent}" is decided by "${role}", which ${why}`)
  }
}

function rolesOf<State>(
  app: Checked<State>,
  roles: Readonly<Record<string, Role<State>>> = {},
): Pick<App<State>, 'roles' | 'operatorReads' | 'callerReads'> {
  for (const [role, declared] of Object.entries(roles)) checkRole(app, role, declared)
  const { [OPERATOR]: operator, [CALLER]: caller, ...others } = roles
  return {
    roles: new Map(Object.entries(others)),
    operatorReads: operator?.read ?? 'all',
    callerReads: caller?.read ?? CALLER_READS,
  }
}

function checkRole<State>(app: Checked<State>, role: string, declared: Role<State>): void {
  const { name, domain, agents, index } = app
  if (!isPlainName(role) || isObjectMember(role)) {
    throw invalid(name, `its role "${role}" is not ${PLAIN_NAME}`)
  }
  const unknown = unknownPartOfRole(declared)
  if (unknown !== undefined) throw invalid(name, `its role "${role}": ${unknown}`)
  const why = whyNoReading(declared.read) ?? whyNoReveal(declared)
  if (why !== undefined) throw invalid(name, `its role "${role}" ${why}`)
  const { reveal } = declared
  const named = [
    {
      of: 'reveal by',
      names: reveal === undefined ? [] : [reveal],
      known: [...domain.events.keys()],
    },
    { of: 'list threads by', names: declared.lists, known: Object.keys(index) },
    { of: 'propose', names: declared.propose, known: [...domain.events.keys()] },
    { of: 'run', names: declared.run, known: agents.map((agent) => agent.name) },
    { of: 'approve calls of', names: approvalsIn(declared), known: toolsOf(agents) },
  ]
  for (const { of, names = [], known } of named) {
    const unknown = names === 'all' ? undefined : names.find((each) => !known.includes(each))
    if (unknown === undefined) continue
    throw invalid(
      name,
      `its role "${role}" may ${of} "${unknown}", which is none of ${quotedNames(known) || 'nothing'}`,
    )
  }
}

function approvalsIn({ answer }: Pick<Role<never>, 'answer'>): readonly string[] {
  const { approvals } = typeof answer === 'object' ? answer : {}
  return Array.isArray(approvals) ? (approvals as readonly string[]) : []
}

function toolsOf<State>(agents: readonly Agent<State>[]): readonly string[] {
  return reachable(agents).flatMap(({ tools }) => [...tools.keys()])
}

function invalid(name: unknown, why: string): ApplicationError {
  return new ApplicationError('invalid_app', `Cannot define application "${String(name)}": ${why}`)
}

/** Threads in which agents only talk. */
function withoutEvents<State>(name: string): Domain<State> {
  // Without a domain the type of the state is never given, and no event changes it.
  const domain: unknown = defineDomain<object>().domain({ name, initial: {}, events: {} })
  return domain as Domain<State>
}
