import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { LogError } from './index.ts'
import type { EventLog, Lease, LogRecord } from './index.ts'

const STEPS = ['acquire', 'release', 'append', 'append unawaited', 'append stale', 'pause'] as const
const THREADS = ['a', 'b'] as const
type Step = readonly [kind: (typeof STEPS)[number], thread: string]

const anyStep: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...STEPS), fc.constantFrom(...THREADS))
const anyScript = fc.array(anyStep, { minLength: 15, maxLength: 40, size: 'max' })

/** How many appends were tried under a lease that had ended, over all runs: in each run at least one on each thread. */
export interface Tried {
  stale: number
}

/** Lets several holders work at once, each by its script, and checks what leases and fences promise. */
export async function checkHolders(
  open: () => EventLog | Promise<EventLog>,
  numRuns: number,
): Promise<Tried> {
  const tried: Tried = { stale: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(anyScript, { minLength: 2, maxLength: 4 }), async (scripts) => {
      const log = await open()
      try {
        const world = new World(log)
        await Promise.all(scripts.map((script) => play(new Holder(world), script)))
        await world.check()
        tried.stale += world.stale
      } finally {
        await log.close()
      }
    }),
    { numRuns },
  )
  return tried
}

async function play(holder: Holder, script: readonly Step[]): Promise<void> {
  for (const thread of THREADS) await holder.step('acquire', thread)
  for (const [kind, thread] of script) await holder.step(kind, thread)
  await holder.leave()
}

/** The leases, fences and answers of all holders. */
class World {
  readonly log: EventLog
  readonly holders = new Map<string, Lease>()
  readonly fences = new Set<string>()
  readonly answers: Promise<{ id: string; isStored: boolean }>[] = []
  stale = 0
  #ids = 0

  constructor(log: EventLog) {
    this.log = log
  }

  /** Appends one event that says under which fence; the answer is checked when all is done. */
  append(thread: string, fence: number): Promise<LogError | undefined> {
    const id = `00000000-0000-7000-8000-${(++this.#ids).toString(16).padStart(12, '0')}`
    const answer = this.log
      .append(thread, [{ id, type: 'worked', data: { fence } }], { fence })
      .then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof LogError && error.code === 'fenced') return error
          throw error
        },
      )
    this.answers.push(answer.then((refusal) => ({ id, isStored: refusal === undefined })))
    return answer
  }

  async check(): Promise<void> {
    const records: LogRecord[] = []
    for (const thread of THREADS) {
      const ofThread: LogRecord[] = []
      for await (const batch of this.log.read(thread)) ofThread.push(...batch)
      const fences = ofThread.map(({ data }) => (data as { fence: number }).fence)
      expect(fences, 'work of one holder after the other').toEqual(fences.toSorted((a, b) => a - b))
      records.push(...ofThread)
    }
    const stored = new Set(records.map(({ id }) => id))
    for (const { id, isStored } of await Promise.all(this.answers)) {
      expect(stored.has(id)).toBe(isStored)
    }
  }
}

class Holder {
  readonly #world: World
  readonly #held = new Map<string, Lease>()
  readonly #ended = new Map<string, Lease>()

  constructor(world: World) {
    this.#world = world
  }

  async step(kind: Step[0], thread: string): Promise<void> {
    const held = this.#held.get(thread)
    const ended = this.#ended.get(thread)
    if (kind === 'pause') await setImmediate()
    if (kind === 'acquire' && !held) await this.#acquire(thread)
    if (kind === 'release' && held) await this.#release(held)
    if (kind === 'append' && held) {
      expect(await this.#world.append(thread, held.fence)).toBeUndefined()
    }
    if (kind === 'append unawaited' && held) void this.#world.append(thread, held.fence)
    if (kind === 'append stale' && ended) await this.#appendUnder(ended)
  }

  async leave(): Promise<void> {
    for (const lease of this.#held.values()) await this.#release(lease)
    for (const lease of this.#ended.values()) await this.#appendUnder(lease)
  }

  async #appendUnder(ended: Lease): Promise<void> {
    this.#world.stale++
    expect(ended.signal.aborted).toBe(true)
    expect(await this.#world.append(ended.name, ended.fence)).toMatchObject({ code: 'fenced' })
  }

  async #acquire(thread: string): Promise<void> {
    const { log, holders, fences } = this.#world
    const lease = await log.leases.acquire(thread)
    if (!lease) return
    expect(holders.get(thread), 'the other holder').toBeUndefined()
    expect(fences).not.toContain(`${thread} ${lease.fence}`)
    fences.add(`${thread} ${lease.fence}`)
    holders.set(thread, lease)
    this.#held.set(thread, lease)
  }

  async #release(lease: Lease): Promise<void> {
    const thread = lease.name
    this.#held.delete(thread)
    this.#ended.set(thread, lease)
    // Before the release resolves, because the next holder may acquire the lease earlier.
    this.#world.holders.delete(thread)
    await lease.release()
  }
}
