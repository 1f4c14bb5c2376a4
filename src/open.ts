import type { Agent, AgentTurn, DirectEvent, ResumeRequest, TurnRequest } from './agents/index.ts'
import type { EffectRunners } from './due-work/index.ts'
import { defineDomain } from './domain/index.ts'
import type { Domain } from './domain/index.ts'
import { Gate } from './gate/index.ts'
import { FOLDS_VERSION } from './thread/index.ts'
import type { Commit, GateProposal } from './gate/index.ts'
import type { EventLog, LogRecord, Verification } from './log/index.ts'
import type { Json } from './json/index.ts'
import { OpenWork, Runs } from './agents/index.ts'
import type { Prices, ThreadLimits } from './step/index.ts'
import { openCursors, openLog, openSnapshots, sha256, uuidv7 } from './storage/index.ts'
import type { SnapshotFile } from './storage/index.ts'

export interface OpenOptions<State> {
  /** `sqlite:PATH`, `memory:`, or a log that is open already and stays open. */
  readonly store: string | EventLog
  readonly agents?: readonly Agent<State>[]
  readonly domain?: Domain<State>
  /** Who does the work of each effect of the domain. */
  readonly effects?: EffectRunners<State>
  /**
   * Names the reducers of the domain as they are. With it, long threads go on from snapshots that lie
   * beside the store; change it with every change of a reducer. Without a domain there is nothing to name.
   */
  readonly domainVersion?: string
  /** What tokens cost, by model; without them costs are unknown. */
  readonly prices?: Prices
  /** What all turns of one thread may use together. */
  readonly limits?: ThreadLimits
}

export interface Throughline<State> {
  readonly log: EventLog
  /** Asks an agent; the turn is live, and what it came to is its `result`. */
  turn(thread: string, request: TurnRequest): AgentTurn<State>
  /** Takes up a turn that stopped to ask. */
  resume(thread: string, request: ResumeRequest): AgentTurn<State>
  /** Stops what runs in a thread, or one run and all below it; resolves with whether there was any. */
  stop(thread: string, run?: string): Promise<boolean>
  /** Lets agents forget what was said in a thread; the log keeps it. */
  reset(thread: string): Promise<void>
  /** Proposes events as a person: the gate decides, the rules follow. */
  append(thread: string, events: readonly DirectEvent[]): Promise<Commit<State>>
  subscribe(
    thread: string,
    options?: { readonly after?: number },
  ): AsyncIterableIterator<readonly LogRecord[]>
  state(thread: string, at?: number): Promise<{ readonly seq: number; readonly state: State }>
  verify(thread: string): Promise<Verification>
  /** Ends what runs, for at most `graceMs`, and closes the log that was opened here. */
  close(graceMs?: number): Promise<void>
}

/** How long running turns may take to end on close, in milliseconds. */
export const CLOSE_GRACE_MS = 5_000

/**
 * Opens a store with the agents and the domain that work in it.
 *
 * @throws {@link LogError} when the store cannot be opened, {@link AgentError} when agents do not fit
 * @example
 * const app = await open({ store: 'memory:', agents: [helper] })
 * for await (const event of app.turn('t', { agent: 'helper', input: 'Hello' })) console.log(event.type)
 */
export async function open<State = Record<string, Json>>(
  options: OpenOptions<State>,
): Promise<Throughline<State>> {
  const { store } = options
  if (typeof store !== 'string') return throughline({ log: store, options }).app
  const log = await openLog(store)
  // Without a domain there is only our own fold, which names itself.
  const named = options.domain === undefined || options.domainVersion !== undefined
  const snapshots = named ? openSnapshots(store) : undefined
  const cursors = openCursors(store)
  const close = async (): Promise<void> => {
    snapshots?.close()
    cursors?.close()
    await log.close()
  }
  try {
    const { app, runs } = throughline({ log, options, snapshots })
    // Of a log that somebody else has opened, a run that is open may well be at work.
    const work = new OpenWork({
      log,
      cursors,
      version: String(FOLDS_VERSION),
      now: Date.now,
      dueAt: (thread) => runs.dueAt(thread),
      recover: (thread) => runs.recover(thread),
      moved: (thread) => runs.look(thread),
      takeUp: async (thread, dueAt) => runs.wakeAt(thread, dueAt),
      // One bad thread must not keep the others from their people; whoever uses it is told.
      onFault: () => undefined,
    })
    await work.recover()
    work.follow()
    return {
      ...app,
      async close(graceMs) {
        work.stop()
        await app.close(graceMs)
        await work.close()
        await close()
      },
    }
  } catch (error) {
    // Whoever mends the agents and opens it again must find it free.
    await close()
    throw error
  }
}

interface Opened<State> {
  readonly log: EventLog
  readonly snapshots?: SnapshotFile | undefined
  readonly options: OpenOptions<State>
}

function throughline<State>({ log, snapshots, options }: Opened<State>) {
  const { agents = [], domain = withoutEvents<State>(), effects = {} } = options
  const { prices = {}, limits = {} } = options
  const parts = { log, id: uuidv7, sha256 }
  const kept = snapshots && { store: snapshots, version: options.domainVersion ?? '' }
  const gate = new Gate<State>({
    ...parts,
    domain,
    now: Date.now,
    ...(kept && { snapshots: kept }),
  })
  const runs = new Runs<State>({ ...parts, gate, agents, effects, prices, threadLimits: limits })
  const app: Throughline<State> = {
    log,
    turn: (thread, request) => runs.start(thread, request),
    resume: (thread, request) => runs.resume(thread, request),
    stop: (thread, run) => runs.cancel(thread, run === undefined ? {} : { run }),
    reset: (thread) => runs.resetHistory(thread),
    async append(thread, events) {
      const commit = await gate.commit(thread, events.map(proposal))
      runs.wake(thread)
      return commit
    },
    subscribe: (thread, from) => log.subscribe(thread, from),
    state: (thread, at) => gate.state(thread, at),
    verify: (thread) => log.verify(thread),
    close: (graceMs = CLOSE_GRACE_MS) => runs.drain(graceMs),
  }
  return { app, runs }
}

function proposal({ id = uuidv7(), type, data }: DirectEvent): GateProposal {
  return { id, type, data, origin: { source: 'ui', depth: 0 } }
}

/** Threads in which agents only talk. */
function withoutEvents<State>(): Domain<State> {
  // Nothing ever changes it, and nobody who gave no domain can name another type of state.
  return defineDomain<State>().domain({ name: 'none', initial: {} as State, events: {} })
}
