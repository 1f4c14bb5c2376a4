import { agentActivity } from '../activity/index.ts'
import { LogError, MemoryShelves, ThreadIndex, recordAt } from '../log/index.ts'
import type { EventLog, IndexState, IndexedThread, Moved, Sha256 } from '../log/index.ts'
import { nextTurn } from '../platform/index.ts'
import { FOLDS_VERSION } from '../thread/index.ts'
import { isOurThread } from './app-logs.ts'
import { indexValues } from './declared-index.ts'
import type { App } from './define-app.ts'
import type { OpenedApp } from './opened-app.ts'
import { openWaits } from './waits.ts'

/** The value of threads in which somebody may answer; no application can declare this name. */
export const WAITS = 'throughline.waits'

/** Threads that are folded together. */
const FOLDS_AT_ONCE = 8
/** Attempts of one pass to use an index that loses its rows; then the pass uses one in memory. */
const INDEX_ATTEMPTS_MAX = 3

export interface IndexPassParts {
  readonly log: EventLog
  readonly apps: readonly OpenedApp[]
  readonly ownerOf: (thread: string) => Promise<OpenedApp | undefined>
  /** Without one, the index is in memory and begins with each process. */
  readonly threadIndex?: ThreadIndex | undefined
  readonly id: () => string
  readonly sha256: Sha256
  readonly onFault: (error: unknown, thread?: string) => void
}

/** Brings the index of threads up to the end of the log's feed, from the position that it has saved. */
export class IndexPass {
  readonly #parts: IndexPassParts
  readonly #version: string
  #index: ThreadIndex
  #position = ''
  /** Whether the log is known to hold the position that the index has saved. */
  #isPositionHeld = false

  constructor(parts: IndexPassParts) {
    this.#parts = parts
    this.#version = versionOf(parts)
    this.#index = (canBeKept(parts) && parts.threadIndex) || memoryIndex()
  }

  /** The position in the feed that the index has reached; another process may have brought it there. */
  get position(): string {
    return this.#position
  }

  get index(): ThreadIndex {
    return this.#index
  }

  /** Returns true at the end of the feed, false when the signal stopped it before. */
  async run(signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      if (attempt > INDEX_ATTEMPTS_MAX) this.#index = memoryIndex()
      const held = await this.#held()
      this.#position = held?.position ?? ''
      const end = held ? await this.#readFeed(held, signal) : 'lost'
      if (end !== 'lost') return end === 'reached'
    }
  }

  /** Loads the state of the index, or begins a new one for this log; `undefined` if it cannot be stored. */
  async #held(): Promise<IndexState | undefined> {
    const held = await this.#index.load()
    if (held?.generation.startsWith(`${this.#version}.`)) {
      this.#isPositionHeld ||= await isPositionHeld(this.#parts.log, held.position)
      if (this.#isPositionHeld) return held
    }
    const begun = { generation: `${this.#version}.${this.#parts.id()}`, position: '' }
    await this.#index.begin(begun.generation)
    this.#isPositionHeld = true
    return (await this.#index.put(begun, [])) ? begun : undefined
  }

  async #readFeed(
    { generation, position: after }: IndexState,
    signal: AbortSignal,
  ): Promise<'reached' | 'stopped' | 'lost'> {
    for await (const batch of this.#parts.log.feed({ after })) {
      const last = batch.at(-1)
      if (last === undefined) return 'reached'
      const listed = batch.filter(({ thread }) => !isOurThread(thread))
      const threads = await this.#foldAll(listed, signal)
      if (signal.aborted) return 'stopped'
      const state = { generation, position: last.position }
      if (!(await this.#index.put(state, threads))) return 'lost'
      this.#position = last.position
    }
    throw new LogError('closed', 'Cannot list the threads: the log is closed')
  }

  async #foldAll(batch: readonly Moved[], signal: AbortSignal): Promise<readonly IndexedThread[]> {
    const threads: IndexedThread[] = []
    for (let at = 0; at < batch.length && !signal.aborted; at += FOLDS_AT_ONCE) {
      const some = batch.slice(at, at + FOLDS_AT_ONCE)
      threads.push(...(await Promise.all(some.map((moved) => this.#indexed(moved)))))
      await nextTurn()
    }
    return threads
  }

  async #indexed({ thread, head: moved }: Moved): Promise<IndexedThread> {
    const { ownerOf, log } = this.#parts
    const owner = await this.#unlessFaulty(thread, () => ownerOf(thread))
    const folded =
      owner && isFolded(owner.app)
        ? await this.#unlessFaulty(thread, () => this.#folded(owner, thread))
        : undefined
    const head = folded?.head ?? moved
    const newest = await this.#unlessFaulty(thread, () => recordAt(log, thread, head))
    return {
      thread,
      ...(owner && { app: owner.name }),
      head,
      ...(newest && { ts: newest.ts }),
      ...(folded?.values && { values: folded.values }),
    }
  }

  async #folded({ app, gate }: OpenedApp, thread: string) {
    const { snapshot, state } = await gate.current(thread)
    const declared = hasIndex(app)
      ? await this.#unlessFaulty(thread, async () =>
          indexValues(app, state, agentActivity(snapshot)),
        )
      : undefined
    const waits = openWaits(snapshot.pauses).length > 0
    const values = waits ? { ...declared, [WAITS]: true } : declared
    return { head: snapshot.seq, values }
  }

  /** A thread that cannot be read must not keep the others from the list. */
  async #unlessFaulty<Result>(
    thread: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LogError && error.code === 'closed') throw error
      this.#parts.onFault(error, thread)
      return undefined
    }
  }
}

function memoryIndex(): ThreadIndex {
  return new ThreadIndex(new MemoryShelves())
}

export function hasIndex({ index }: Pick<App, 'index'>): boolean {
  return Object.keys(index).length > 0
}

function isFolded(app: Pick<App, 'index' | 'agents'>): boolean {
  return hasIndex(app) || app.agents.length > 0
}

/** A log that was restored may have lost what the index has seen: its feed begins at the first record. */
async function isPositionHeld(log: EventLog, position: string): Promise<boolean> {
  const first = await firstPosition(log, '')
  return first !== undefined && first !== (await firstPosition(log, position))
}

async function firstPosition(log: EventLog, after: string): Promise<string | undefined> {
  for await (const batch of log.feed({ after })) return batch[0]?.position
  return undefined
}

/** Reducers without a version may have changed when the next process starts, or differ in another one. */
function canBeKept({ apps }: IndexPassParts): boolean {
  return apps.every(({ app }) => !hasIndex(app) || app.domainVersion !== undefined)
}

/** Changes with everything that decides what the index holds. */
function versionOf({ log, apps, sha256 }: IndexPassParts): string {
  const declared = apps.map(({ app }) => {
    const { name, opens, domain, agents, index, workVersion } = app
    const reducers = hasIndex(app) ? (app.domainVersion ?? '') : ''
    const opening = opens ?? [...domain.events.keys()]
    const names = Object.keys(index)
    return [name, opening, agents.map((agent) => agent.name), names, reducers, workVersion]
  })
  return sha256(JSON.stringify([FOLDS_VERSION, log.epoch, declared])).slice(0, 16)
}
