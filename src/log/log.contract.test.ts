import { hash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { NOTHING_UNANCHORED } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import type { Lease } from './leases.ts'
import { eventLogContract } from './log.contract.ts'
import { MemoryLog } from './memory-log.ts'
import type { LogRecord, NewEvent } from './record.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')
const sound = () => new MemoryLog({ hash: sha256, now: () => 1_000, id: randomUUID })

interface Defect {
  /** In the name of a case that has to notice. */
  readonly noticedBy: string
  readonly change: (log: EventLog) => Partial<EventLog>
}

const DEFECTS: Readonly<Record<string, Defect>> = {
  'forgets an id': {
    noticedBy: '[A079]',
    change: (log) => ({
      append: async (thread, events, options) =>
        log.append(
          thread,
          (await log.head(thread)) > 2_000 ? events.map(({ id: _, ...rest }) => rest) : events,
          options,
        ),
    }),
  },
  'appends the events of a batch one by one': {
    noticedBy: 'appends enter whole',
    change: (log) => ({
      append: async (thread, events) => {
        const records: LogRecord[] = []
        for (const event of events) records.push(...(await log.append(thread, [event])))
        return records
      },
    }),
  },
  'does not look at the expected version': {
    noticedBy: '[S4]',
    change: (log) => ({
      append: (thread, events) => log.append(thread, events),
    }),
  },
  'takes appends under a lease that has ended': {
    noticedBy: 'under a lease that has ended',
    change: (log) => ({
      append: (thread, events, { expectedVersion } = {}) =>
        log.append(thread, events, expectedVersion === undefined ? {} : { expectedVersion }),
    }),
  },
  'answers a repeated append under a lease that has ended': {
    noticedBy: 'under a lease that has ended',
    change: (log) => ({
      append: async (thread, events, options) => {
        const held = await log.find(thread, events[0]?.id ?? '')
        return held && options?.fence !== undefined ? [held] : log.append(thread, events, options)
      },
    }),
  },
  'gives one lease to all who ask': {
    noticedBy: 'one holder at a time',
    change: (log) => ({
      leases: {
        isShared: false,
        acquire: async (name) =>
          (await log.leases.acquire(name)) ?? {
            name,
            fence: 1,
            signal: new AbortController().signal,
            onEnd: () => () => {},
            release: async () => {},
          },
        freed: (...given) => log.leases.freed(...given),
      },
    }),
  },
  'gives a fence twice': {
    noticedBy: 'a greater fence',
    change: (log) => ({
      leases: {
        isShared: false,
        acquire: async (name) => {
          const lease = await log.leases.acquire(name)
          if (!lease) return undefined
          const { signal } = lease
          const onEnd: Lease['onEnd'] = (act) => lease.onEnd(act)
          return { name, fence: 1, signal, onEnd, release: () => lease.release() }
        },
        freed: (...given) => log.leases.freed(...given),
      },
    }),
  },
  'wakes none who wait for a lease': {
    noticedBy: 'a wait ends when',
    change: (log) => ({
      leases: {
        isShared: false,
        acquire: (name) => log.leases.acquire(name),
        freed: (_name, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      },
    }),
  },
  'refuses a retry whose ids it knows': {
    noticedBy: 'ids are all known',
    change: (log) => ({
      append: async (thread, events, options) => {
        const records = await log.append(thread, events, options)
        const stale = options?.expectedVersion !== undefined && (records[0]?.seq ?? 0) === 0
        return stale && (await log.head(thread)) > 1 ? [] : records
      },
    }),
  },
  'copies the events too late': {
    noticedBy: 'later changes nothing',
    change: (log) => ({
      append: async (...given) => {
        await Promise.resolve()
        return log.append(...given)
      },
    }),
  },
  'spoils lone surrogates': {
    noticedBy: '[E5]',
    change: (log) => ({
      append: (thread, events, options) =>
        log.append(
          thread,
          events.map((event) => ({ ...event, ...wellFormed(event) })),
          options,
        ),
    }),
  },
  'takes events without a type': {
    noticedBy: 'one unfit event',
    change: (log) => ({
      append: (thread, events, options) =>
        log.append(
          thread,
          events.map((event) => ({ ...event, type: event.type || 'any' })),
          options,
        ),
    }),
  },
  'begins reading one too late': {
    noticedBy: 'read begins',
    change: (log) => ({
      read: (thread, { after = -1, ...rest } = {}) =>
        log.read(thread, { after: after + 1, ...rest }),
    }),
  },
  'reads without a limit': {
    noticedBy: 'stops at a limit',
    change: (log) => ({
      read: (thread, { after = -1 } = {}) => log.read(thread, { after }),
    }),
  },
  'counts the records instead of naming the head': {
    noticedBy: 'the head is the last one',
    change: (log) => ({
      head: async (thread) => (await log.head(thread)) + 1,
    }),
  },
  'finds nothing': { noticedBy: '[D082]', change: () => ({ find: async () => undefined }) },
  'sorts the threads': {
    noticedBy: 'listed in order',
    change: (log) => ({ threads: async () => [...(await log.threads())].sort() }),
  },
  'doubts everything': {
    noticedBy: '[L1]',
    change: () => ({
      verify: async () => ({ ok: false, head: 0, firstBadSeq: 0, ...NOTHING_UNANCHORED }),
    }),
  },
  'subscribes to live records only': {
    noticedBy: '[D088]',
    change: (log) => ({
      subscribe: (thread, options) => {
        const subscription = log.subscribe(thread, options)
        return stepping(subscription, () => subscription.next().then(() => subscription.next()))
      },
    }),
  },
  'repeats a record after each batch': {
    noticedBy: '[S1]',
    change: (log) => ({
      subscribe: (thread, options) => {
        const subscription = log.subscribe(thread, options)
        const repeat = (records: readonly LogRecord[]) => [...records, ...records.slice(-1)]
        const next = async () => {
          const step = await subscription.next()
          return step.done ? step : { ...step, value: repeat(step.value) }
        }
        return stepping(subscription, next)
      },
    }),
  },
  'forgets a thread in its feed': {
    noticedBy: 'miss nothing',
    change: (log) => ({
      feed: (options) => {
        const feed = log.feed(options)
        const next = async () => {
          const step = await feed.next()
          if (step.done || step.value.length < 2) return step
          return { ...step, value: step.value.filter(({ thread }) => thread !== 't5') }
        }
        return stepping(feed, next)
      },
    }),
  },
  'resumes its feed one late': {
    noticedBy: 'resumes after every position',
    change: (log) => ({
      feed: (options) => {
        const feed = log.feed(options)
        let isFirst = true
        const next = async () => {
          const step = await feed.next()
          const late = isFirst && options?.after !== undefined && !step.done
          isFirst = false
          return late ? { ...step, value: step.value.slice(1) } : step
        }
        return stepping(feed, next)
      },
    }),
  },
  'never resumes its feed': {
    noticedBy: 'does not hold',
    change: (log) => ({ feed: (options) => log.feed(options?.after ? { after: '' } : options) }),
  },
  'goes on after it was closed': {
    noticedBy: 'closing the log ends',
    change: () => ({ close: async () => {} }),
  },
}

for (const [defect, { noticedBy, change }] of Object.entries(DEFECTS)) {
  test(`the contract notices a log that ${defect}`, async () => {
    const cases = eventLogContract(() => {
      const log = sound()
      return { ...whole(log), ...change(log) }
    })
    const failed: string[] = []
    for (const { name, run } of cases.filter((each) => each.name.includes(noticedBy))) {
      // In memory nothing waits for a timer: a case that does waits for ever.
      const outcome = await Promise.race([run().catch(() => 'failed'), later('stuck')])
      if (outcome) failed.push(name)
    }
    expect(failed).not.toEqual([])
  })
}

function later<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, 20, value))
}

function wellFormed({ data }: NewEvent): { data: NewEvent['data'] } {
  return { data: typeof data === 'string' ? data.toWellFormed() : data }
}

function whole(log: EventLog): EventLog {
  return {
    epoch: log.epoch,
    leases: log.leases,
    append: (...given) => log.append(...given),
    read: (...given) => log.read(...given),
    subscribe: (...given) => log.subscribe(...given),
    feed: (...given) => log.feed(...given),
    find: (...given) => log.find(...given),
    threads: () => log.threads(),
    head: (thread) => log.head(thread),
    verify: (thread) => log.verify(thread),
    verifyAll: (options) => log.verifyAll(options),
    close: () => log.close(),
  }
}

function stepping<Batch>(
  subscription: AsyncIterableIterator<Batch>,
  next: AsyncIterableIterator<Batch>['next'],
): AsyncIterableIterator<Batch> {
  return {
    next,
    return: async () => (await subscription.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
