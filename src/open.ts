import type { NamedAgent } from './agents/index.ts'
import { APP_PARTS, Throughline, defineApp, whyNoApp } from './application/index.ts'
import type {
  AnyApp,
  AppParts,
  EffectsPart,
  ThroughlineParts,
  TypesOf,
  TypesOfApp,
} from './application/index.ts'
import type { EffectInputs, EventEntries } from './domain/index.ts'
import { kindOf, misshapenMember, unknownMember } from './json/index.ts'
import type { KnownMembers } from './json/index.ts'
import { LogError } from './log/index.ts'
import { MemoryShelves, ShelvedCursors, ThreadIndex } from './log/index.ts'
import type { EventLog, Keys, Store } from './log/index.ts'
import { nodeTooOld, sha256, uuidv7 } from './platform/index.ts'
import { checkLogOptions, openMemory } from './open-log.ts'
import { THREAD_LIMITS } from './step/index.ts'
import type { Prices, ThreadLimits } from './step/index.ts'
import type { OpenLogOptions } from './storage/index.ts'

export interface StoreOptions extends Pick<
  ThroughlineParts,
  'onFault' | 'clock' | 'holdings' | 'retryDelayMs'
> {
  /**
   * `sqlite:PATH`, whose folders are made, `postgres://…`, `memory:`, or what is open already and stays open: a log, or
   * a log and what is kept beside it.
   */
  readonly store: string | EventLog | Store
  /** Options for opening the store, if `store` is its name. */
  readonly storage?: OpenLogOptions
  /**
   * The store of the keys of erasable applications: `sqlite:PATH`, `postgres://…`, or one that is open already. By
   * default beside a named store; back it up apart from that.
   */
  readonly keys?: string | Keys | undefined
  /**
   * Whether other keys than those that sealed the log may take over, where those are lost for ever: what they
   * sealed then stays unreadable. `refuse` by default.
   */
  readonly lostKeys?: 'refuse' | 'accept'
  /** Prices of tokens, by model; without them costs are unknown. */
  readonly prices?: Prices
  /** The most that all turns of one thread may use together. */
  readonly limits?: ThreadLimits
}

const OPEN_PARTS: KnownMembers<OpenApps<readonly AnyApp[]>> = {
  apps: true,
  store: true,
  storage: true,
  keys: true,
  lostKeys: true,
  prices: true,
  limits: true,
  onFault: true,
  clock: true,
  holdings: true,
  retryDelayMs: true,
}

/** Of several applications. */
export interface OpenApps<Apps extends readonly AnyApp[]> extends StoreOptions {
  readonly apps: Apps
}

/** Of a single application: its parts. */
export type OpenOne<
  State,
  Events extends EventEntries<State>,
  Agents extends readonly NamedAgent[],
  Effects extends EffectInputs = EffectInputs,
  RoleName extends string = string,
  IndexName extends string = string,
> = StoreOptions &
  Omit<AppParts<State, Events, string, Agents, Effects, RoleName, IndexName>, 'name' | 'opens'> &
  EffectsPart<State, NoInfer<Events>, NoInfer<Effects>>

/**
 * Opens a store with the applications that work in it. Runs that a crash left open are ended, and work in
 * the world that is due begins.
 *
 * @throws {@link LogError} when the store cannot be opened or Node is too old, {@link ApplicationError} `invalid_app`,
 *   `ambiguous_app`, `schema_changed`, {@link AgentError} when agents do not fit, {@link DefinitionError} when effects do not
 * @example
 * const tl = await open({ store: 'memory:', agents: [helper] })
 * for await (const event of tl.turn('t', { agent: 'helper', input: 'Hello' })) console.log(event.type)
 */
export async function open<const Apps extends readonly AnyApp[]>(
  options: OpenApps<Apps>,
): Promise<Throughline<TypesOf<Apps[number]>>>
export async function open<
  State = object,
  Events extends EventEntries<State> = EventEntries<State>,
  const Agents extends readonly NamedAgent[] = readonly NamedAgent[],
  Effects extends EffectInputs = EffectInputs,
  RoleName extends string = string,
  IndexName extends string = string,
>(
  options: OpenOne<State, Events, Agents, Effects, RoleName, IndexName>,
): Promise<Throughline<TypesOfApp<State, Events, Agents, 'main', RoleName, IndexName>>>
export async function open(
  // A program without types may give nothing.
  options:
    | OpenApps<readonly AnyApp[]>
    | OpenOne<object, EventEntries<object>, readonly NamedAgent[]> = NOTHING,
): Promise<Throughline> {
  const tooOld = nodeTooOld()
  if (tooOld !== undefined) throw new LogError('configuration', tooOld)
  const { store, storage, keys, lostKeys, prices, limits, ...others } = requireOptions(options)
  checkMembers({ storage, limits })
  const { apps, ...rest } = appsIn(others)
  // Records, leases and ids of a test have the time of its clock.
  const time = rest.clock && { now: rest.clock.now }
  const use = { ...time, ...storage, apps, keys, onFault: rest.onFault }
  const { shelves, ...kept } = await openKept(store, use)
  try {
    return await Throughline.start({
      ...rest,
      apps,
      ...kept,
      ...(shelves && {
        cursors: new ShelvedCursors(shelves, rest.onFault),
        threadIndex: new ThreadIndex(shelves),
      }),
      lostKeys,
      ...(prices && { prices }),
      ...(limits && { threadLimits: limits }),
      now: rest.clock?.now ?? Date.now,
      id: uuidv7,
      sha256,
    })
  } catch (error) {
    // A second `open` with corrected applications must find it free.
    await kept.close?.()
    throw error
  }
}

/** A program without types may give the address of the store alone. */
function requireOptions<Options extends object>(options: Options): Options {
  const kind = kindOf(options)
  if (kind === 'an object') return options
  throw new LogError(
    'configuration',
    `Cannot open: the options are ${kind}; give { store, agents }`,
  )
}

function checkMembers({
  storage,
  limits,
}: {
  readonly [Name in 'storage' | 'limits']: StoreOptions[Name] | undefined
}): void {
  if (storage !== undefined) checkLogOptions('its `storage`', storage)
  const unknown = limits && unknownMember(limits, THREAD_LIMITS)
  if (unknown === undefined) return
  throw new LogError('configuration', `Cannot open: its \`limits\`: ${unknown}`)
}

const NOTHING = {} as OpenOne<object, EventEntries<object>, readonly NamedAgent[]>

type Others = Omit<
  OpenApps<readonly AnyApp[]> | OpenOne<object, EventEntries<object>, readonly NamedAgent[]>,
  'store' | 'storage' | 'keys' | 'lostKeys' | 'prices' | 'limits'
>

/** The applications of the options, a single one made of its parts, with the options of the engine. */
function appsIn({ onFault, clock, holdings, retryDelayMs, ...parts }: Others) {
  const rest = {
    ...(onFault && { onFault }),
    ...(clock && { clock }),
    ...(holdings && { holdings }),
    ...(retryDelayMs !== undefined && { retryDelayMs }),
  }
  if (!('apps' in parts)) return { ...rest, apps: [defineApp({ ...parts, name: 'main' })] }
  const why = whyNoApps(parts) ?? unknownMember(parts, OPEN_PARTS)
  if (why !== undefined) throw new LogError('configuration', `Cannot open: ${why}`)
  return { ...rest, apps: (parts as OpenApps<readonly AnyApp[]>).apps }
}

/** The parts that a single application has no use for. */
const NAMED_PARTS: ReadonlySet<string> = new Set(['name', 'opens'])

function whyNoApps(parts: { readonly apps?: unknown }): string | undefined {
  const beside = Object.keys(parts).find(
    (part) => Object.hasOwn(APP_PARTS, part) && !NAMED_PARTS.has(part),
  )
  if (beside === undefined)
    return misshapenMember(parts, { apps: 'a list' }) ?? whyNoApp([parts.apps ?? []].flat())
  return `it has \`${beside}\` beside \`apps\`; give \`${beside}\` to one of the applications, or leave out \`apps\``
}

const STORES = 'give "sqlite:PATH", "postgres://…", "memory:" or an open log'

interface StoreUse extends OpenLogOptions {
  readonly apps: readonly AnyApp[]
  readonly keys: StoreOptions['keys']
  readonly onFault: StoreOptions['onFault'] | undefined
}

interface KeptStore extends Store {
  readonly keys?: Keys | undefined
  readonly close?: () => Promise<void>
}

async function openKept(
  store: StoreOptions['store'],
  { apps, keys: given, onFault, ...options }: StoreUse,
): Promise<KeptStore> {
  if (typeof store !== 'string') return withKeys(openedStore(store), given, options)
  if (store === 'memory:') {
    const log = openMemory(options)
    const shelves = new MemoryShelves()
    return withKeys({ log, shelves, close: () => log.close() }, given, options)
  }
  return openNamed(store, { ...options, apps, keys: given, onFault })
}

/** A program without types may leave it out, or give anything. */
function openedStore(store: unknown): Store {
  if (isLog(store)) return { log: store }
  if (typeof store === 'object' && store !== null && 'log' in store && isLog(store.log)) {
    // Its other members are checked by their use.
    return store as Store
  }
  const why = store === undefined ? 'there is no `store`' : `its \`store\` is ${kindOf(store)}`
  throw new LogError('configuration', `Cannot open a log: ${why}; ${STORES}`)
}

function isLog(value: unknown): value is EventLog {
  return typeof (value as Partial<EventLog> | null | undefined)?.append === 'function'
}

async function openNamed(
  store: string,
  { apps, keys: given, onFault, ...options }: StoreUse,
): Promise<KeptStore> {
  // Loaded only here: Node's SQLite takes long to load, and a browser has none.
  const { hasKeysBeside, keysBeside, openStore } = await import('#storage')
  // What was sealed is opened also for an application that does not seal any more.
  const isErasable =
    apps.some(({ erasable }) => erasable) || given !== undefined || hasKeysBeside(store)
  const opened = await openStore(store, { ...options, isErasable, ...(onFault && { onFault }) })
  return withKeys(opened, given ?? (isErasable ? keysBeside(store) : undefined), options)
}

async function withKeys(
  opened: KeptStore,
  keys: StoreOptions['keys'],
  options: Pick<OpenLogOptions, 'onFatal'>,
): Promise<KeptStore> {
  if (keys === undefined) return opened
  if (typeof keys !== 'string') return { ...opened, keys }
  try {
    const { openKeys } = await import('#storage')
    const own = await openKeys(keys, options)
    const close = async (): Promise<void> => {
      await opened.close?.()
      await own.close()
    }
    return { ...opened, keys: own, close }
  } catch (error) {
    await opened.close?.()
    throw error
  }
}
