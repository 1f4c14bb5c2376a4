import { Throughline, whyNoApp } from '../application/index.ts'
import type { AnyApp, App } from '../application/index.ts'
import { ERASURE } from '../domain/index.ts'
import { ManualClock } from '../due-work/index.ts'
import type { EffectRunner, EffectRunners } from '../due-work/index.ts'
import { stableId } from '../gate/index.ts'
import { customValue } from '../activity/index.ts'
import { kindOf, misshapenMember, textOf, unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { GENESIS, LogError, MemoryLog } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { sha256, uuidv7 } from '../platform/index.ts'
import { RecordedTools } from './recorded-tools.ts'
import type { MissedCall } from './recorded-tools.ts'
import { ReplayError } from './replay-error.ts'
import { asInput } from './stored-proposals.ts'

/** Records of a thread that is forked: they are copied into memory. */
export const FORK_RECORDS_MAX = 100_000

export interface ForkOptions {
  /** The log of the thread, such as `tl.log`. Nothing is appended to it. */
  readonly origin: Pick<EventLog, 'read' | 'find'>
  readonly thread: string
  /** The last record that the fork has in common with its origin; −1: none. */
  readonly at: number
  /** The definitions that work in the fork: those of its origin, or others. */
  readonly apps: readonly AnyApp[]
}

/** Where a fork comes from. */
export interface ForkLabel {
  readonly thread: string
  readonly at: number
  /** Of the origin's record at `at`. */
  readonly hash: string
  /** Whether the hashes of the fork are the origin's: not where records were opened from a seal. */
  readonly sameHashes: boolean
}

/** A thread in a log of its own that begins as its origin does, and goes on by itself. */
export interface Fork {
  readonly label: ForkLabel
  readonly log: EventLog
  readonly tl: Throughline
  /** Stands at the time of the last common record, and moves by hand: no deadline fires by itself. */
  readonly clock: ManualClock
  /** Calls of tools that the record does not answer. */
  readonly missed: readonly MissedCall[]
  close(): Promise<void>
}

/**
 * Forks a thread: what would have followed from another event, prompt or definition. Names, ids, times and hashes
 * stay those of the origin. Tools and effects answer with what is on record after the fork, and fail where nothing
 * is, and so do functions in `needsApproval`: nothing works in the world. `instructions` and the domain's functions
 * are called, as they work on what they are given alone. Models are called. To edit or leave out an event, fork before it and propose.
 *
 * @throws {@link ReplayError} `invalid_fork`, {@link LogError} `erased`, `too_large`
 * @example
 * const fork = await forkThread({ origin: tl.log, thread: 'incident-7', at: 41, apps: [app] })
 * await fork.tl.propose('incident-7', [{ type: 'resolved', data: {} }])
 */
export async function forkThread(options: ForkOptions): Promise<Fork> {
  requireOptions(options)
  const { origin, thread, at, apps } = options
  const records = await recordsToFork(origin, thread)
  requirePlace({ thread, at, records })
  const last = records[at]
  const clock = new ManualClock(last?.ts ?? records[0]?.ts)
  const log = new MemoryLog({ hash: sha256, now: clock.now, id: uuidv7 })
  const copies = await log.append(thread, records.slice(0, at + 1))
  const defined = apps as readonly App[]
  const tools = defined.map(({ domain }) => new RecordedTools(records, domain, at))
  const tl = await Throughline.start({
    log,
    apps: defined.map((app, index) => scratchOf(app, origin, tools[index])),
    now: clock.now,
    id: uuidv7,
    sha256,
    clock,
    // What fails in a fork is on its record.
    onFault: () => undefined,
  })
  const hash = last?.hash ?? GENESIS
  return {
    label: { thread, at, hash, sameHashes: copies.at(-1)?.hash === last?.hash },
    log,
    tl,
    clock,
    get missed() {
      return tools.flatMap(({ missed }) => missed)
    },
    async close() {
      await tl.close(0)
      await log.close()
    },
  }
}

const OPTIONS: KnownMembers<ForkOptions> = { origin: true, thread: true, at: true, apps: true }

/**
 * A program without types may give anything.
 *
 * @throws {@link ReplayError} `invalid_fork`
 */
function requireOptions(options: ForkOptions): void {
  const given: Partial<ForkOptions> = options
  const why =
    unknownMember(options, OPTIONS) ??
    misshapenMember(options, { apps: 'a list' }) ??
    whyNoOrigin(given.origin) ??
    (given.apps?.length ? whyNoApp(given.apps) : 'it has no `apps`; give those of the thread')
  if (why !== undefined) throw new ReplayError('invalid_fork', `Cannot fork: ${why}`)
}

function whyNoOrigin(origin: Partial<ForkOptions['origin']> | undefined): string | undefined {
  if (typeof origin?.read === 'function' && typeof origin.find === 'function') return undefined
  return `its \`origin\` is no log: it is ${kindOf(origin)}; give one, such as \`tl.log\``
}

interface Place {
  readonly thread: string
  readonly at: number
  readonly records: readonly LogRecord[]
}

/** @throws {@link ReplayError} `invalid_fork` */
function requirePlace({ thread, at, records: { length } }: Place): void {
  if (length > 0 && Number.isSafeInteger(at) && at >= -1 && at < length) return
  const why = length === 0 ? 'it is empty' : `give -1 to ${length - 1}, the last record to keep`
  throw new ReplayError('invalid_fork', `Cannot fork "${thread}" at ${at}: ${why}`)
}

/** @throws {@link LogError} `erased`, `too_large` */
async function recordsToFork(
  origin: ForkOptions['origin'],
  thread: string,
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of origin.read(thread)) {
    if (batch.some(({ type }) => type === ERASURE)) {
      const why = 'its person was erased, and its reducers cannot fold the redacted records'
      throw new LogError('erased', `Cannot fork "${thread}": ${why}`)
    }
    records.push(...batch)
    if (records.length <= FORK_RECORDS_MAX) continue
    const why = `it has more than ${FORK_RECORDS_MAX} records`
    throw new LogError('too_large', `Cannot fork "${thread}": ${why}`)
  }
  return records
}

/** Its records lie in memory as long as the fork does: there is nothing to seal or to keep. */
function scratchOf(
  { retain: _retain, domainVersion: _version, ...app }: App,
  origin: ForkOptions['origin'],
  tools: RecordedTools | undefined,
): App {
  return {
    ...app,
    erasable: false,
    agents: app.agents.map((agent) => tools?.of(agent) ?? agent),
    effects: recordedEffects(app, origin),
  }
}

function recordedEffects(app: App, origin: ForkOptions['origin']): EffectRunners<unknown> {
  const names = Object.keys(app.effects)
  return Object.fromEntries(names.map((name) => [name, recordedEffect(name, app, origin)]))
}

function recordedEffect(
  name: string,
  { domain }: App,
  origin: ForkOptions['origin'],
): EffectRunner<unknown> {
  return {
    retry: { attempts: 1, backoffMs: 0 },
    async run({ thread, key }) {
      const outcome = await origin.find(thread, stableId(thread, name, key, 'ended'))
      const failure = outcome && customValue(outcome, 'effect_failed')
      if (failure !== undefined) throw new Error(textOf(failure, 'message'))
      if (outcome) {
        const { type, data } = outcome
        return { type, data: asInput(domain, type, data) }
      }
      const why = 'the record has no outcome of it, and a fork does no work in the world'
      throw new ReplayError('unrecorded', `Cannot run "${name}": ${why}`)
    },
  }
}
