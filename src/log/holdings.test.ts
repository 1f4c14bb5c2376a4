import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOLDINGS_MAX, Holdings } from './holdings.ts'
import type { Holding } from './holdings.ts'
import { ProcessLeases } from './leases.ts'
import type { Lease, Leases } from './leases.ts'

test('the first holding acquires the lease, the last one that is done frees it', async () => {
  const leases = new ProcessLeases()
  const holdings = new Holdings(leases)
  const one = await holdings.hold('t')
  const two = await holdings.hold('t')
  expect(two.fence).toBe(one.fence)
  one.done()
  one.done()
  expect(await leases.acquire('t')).toBeUndefined()
  expect(two.signal.aborted).toBe(false)
  two.done()
  expect(two.signal.aborted).toBe(true)
  const lease = await leases.acquire('t')
  expect(lease?.fence).toBeGreaterThan(two.fence)
})

test('a holding waits for another process until its signal aborts, then it is busy', async () => {
  const leases = new ProcessLeases()
  const holdings = new Holdings(leases)
  const other = await leases.acquire('t')
  const stop = new AbortController()
  const [patient, impatient] = [holdings.hold('t'), holdings.hold('t', stop.signal)]
  stop.abort()
  await expect(impatient).rejects.toMatchObject({ code: 'busy' })
  await expect(holdings.hold('t', stop.signal)).rejects.toMatchObject({ code: 'busy' })
  await other?.release()
  const held = await patient
  const shared = await holdings.hold('t', stop.signal)
  expect(shared.fence).toBe(held.fence)
  for (const holding of [held, shared]) holding.done()
  const free = await holdings.hold('t', stop.signal)
  expect(free.fence).toBeGreaterThan(held.fence)
})

test('a wait that all have given up takes no lease', async () => {
  const leases = new ProcessLeases()
  const holdings = new Holdings(leases)
  const other = await leases.acquire('t')
  const stop = new AbortController()
  const holds = [holdings.hold('t', stop.signal), holdings.hold('t', stop.signal)]
  await Promise.resolve()
  await other?.release()
  stop.abort()
  for (const outcome of await Promise.allSettled(holds)) {
    if (outcome.status === 'fulfilled') outcome.value.done()
  }
  await leases.freed('t', new AbortController().signal)
  expect(await leases.acquire('t')).toBeDefined()
})

test('when the lease is lost all holdings are aborted, and the next one acquires it anew', async () => {
  const leases = new ProcessLeases()
  const given: Lease[] = []
  const acquire = async (name: string) => {
    const lease = await leases.acquire(name)
    if (lease) given.push(lease)
    return lease
  }
  const holdings = new Holdings({
    isShared: false,
    acquire,
    freed: (...wait) => leases.freed(...wait),
  })
  const [one, two] = [await holdings.hold('t'), await holdings.hold('t')]
  await given[0]?.release()
  expect([one.signal.aborted, two.signal.aborted]).toEqual([true, true])
  const next = await holdings.hold('t')
  expect(next.fence).toBeGreaterThan(one.fence)
  for (const holding of [one, two]) holding.done()
  expect(next.signal.aborted).toBe(false)
  expect((await holdings.hold('t')).fence).toBe(next.fence)
  leases.close()
  expect(next.signal.aborted).toBe(true)
  await expect(holdings.hold('t')).rejects.toMatchObject({ code: 'closed' })
})

test('holdings that wait are rejected when the log is closed', async () => {
  const leases = new ProcessLeases()
  await leases.acquire('t')
  const waiting = new Holdings(leases).hold('t')
  await Promise.resolve()
  leases.close()
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
})

test('a thread has no more holdings than a bound', async () => {
  const holdings = new Holdings(new ProcessLeases())
  await Promise.all(Array.from({ length: HOLDINGS_MAX }, () => holdings.hold('t')))
  await expect(holdings.hold('t')).rejects.toMatchObject({ code: 'busy' })
})

interface Task {
  readonly process: number
  readonly thread: string
  /** After how many steps of its own it stops waiting, if it does. */
  readonly patience: number | undefined
  readonly work: number
}

const anyTask: fc.Arbitrary<Task> = fc.record({
  process: fc.nat({ max: 2 }),
  thread: fc.constantFrom('a', 'a', 'b'),
  patience: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  work: fc.nat({ max: 4 }),
})

test('[D11] processes whose leases answer at any time hold a thread one after the other', async () => {
  let shared = 0
  let busy = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTask, { minLength: 1, maxLength: 14, size: 'max' }),
      fc.scheduler(),
      async (tasks, scheduler) => {
        const leases = new ProcessLeases()
        const held = new Held()
        const processes = [0, 1, 2].map(() => new Holdings(delayed(leases, scheduler)))
        const playing = tasks.map((task) => play(task, { held, processes, scheduler }))
        busy += (await scheduler.waitFor(Promise.all(playing))).filter(
          (end) => end === 'busy',
        ).length
        await drain(scheduler)
        shared += held.shared
        for (const thread of ['a', 'b']) expect(await leases.acquire(thread)).toBeDefined()
      },
    ),
    { numRuns: 300 },
  )
  expect(shared).toBeGreaterThan(300)
  expect(busy).toBeGreaterThan(100)
})

/** Lets releases and cancelled waits finish that are still under way when all tasks have ended. */
async function drain(scheduler: fc.Scheduler): Promise<void> {
  do {
    await scheduler.waitAll()
    await setImmediate()
  } while (scheduler.count() > 0)
}

interface Scene {
  readonly held: Held
  readonly processes: readonly Holdings[]
  readonly scheduler: fc.Scheduler
}

async function play(task: Task, { held, processes, scheduler }: Scene): Promise<'done' | 'busy'> {
  const pause = () => scheduler.schedule(Promise.resolve(), 'pause')
  await pause()
  const stop = new AbortController()
  const { patience } = task
  const losePatience = async () => {
    for (let n = 0; n < Number(patience); n++) await pause()
    stop.abort()
  }
  if (patience !== undefined) void losePatience()
  const holding = await processes[task.process]
    ?.hold(task.thread, stop.signal)
    .catch(() => undefined)
  if (!holding) {
    expect(stop.signal.aborted).toBe(true)
    return 'busy'
  }
  held.enter(task, holding)
  for (let n = 0; n < task.work; n++) await pause()
  expect(holding.signal.aborted).toBe(false)
  held.leave(task)
  holding.done()
  holding.done()
  return 'done'
}

/** The holder of each thread, across all processes. */
class Held {
  readonly #last = new Map<string, { process: number; fence: number; count: number }>()
  shared = 0

  enter({ thread, process }: Task, { fence }: Holding): void {
    const last = this.#last.get(thread)
    if (last && (last.count > 0 || last.fence === fence)) {
      expect([process, fence]).toEqual([last.process, last.fence])
      last.count++
      this.shared++
      return
    }
    expect(fence).toBeGreaterThan(last?.fence ?? 0)
    this.#last.set(thread, { process, fence, count: 1 })
  }

  leave({ thread }: Task): void {
    const last = this.#last.get(thread)
    if (last) last.count--
  }
}

/** Leases behind a network: the scheduler orders all requests and answers. */
function delayed(leases: Leases, scheduler: fc.Scheduler): Leases {
  const trip = () => scheduler.schedule(Promise.resolve(), 'trip')
  return {
    isShared: false,
    async acquire(name) {
      await trip()
      const lease = await leases.acquire(name)
      await trip()
      if (!lease) return undefined
      const release = async () => {
        await trip()
        await lease.release()
        await trip()
      }
      const { fence, signal } = lease
      return { name, fence, signal, onEnd: (act) => lease.onEnd(act), release }
    },
    async freed(name, signal) {
      await trip()
      await leases.freed(name, signal)
      await trip()
    },
  }
}
