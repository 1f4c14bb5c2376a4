import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LogError } from 'throughline/log'
import type { EventLog } from 'throughline'
import type { Cursors } from 'throughline/server/extend'
import { logWith } from '../../../src/log/log-with.fixture.ts'
import { revocable } from '../../../src/log/revocable-leases.fixture.ts'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { domain } from '../case/given-case.fixture.ts'
import { request } from '../journeys/served-broker.fixture.ts'
import type { Setting } from '../journeys/served-broker.fixture.ts'
import { appendCases, appendHandedOver, counted, newCursors, newLog } from './cases.fixture.ts'
import { Outboxes } from './outboxes.ts'
import { SECRET, fails, notedIn, receiver, takes } from './receiver.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { testBroker } from '../journeys/test-broker.fixture.ts'

const WAIT = { timeout: 8_000, interval: 10 }
const CASES = timesInTier({ quick: 2_000, full: 10_000 })

const patient = { secret: SECRET, onFault: () => undefined }

async function served(setting: Setting) {
  // These tests append to the log and read it past the server.
  const broker = await testBroker({ erasable: false, ...setting })
  return broker
}

async function deliveredIn(log: EventLog, thread: string): Promise<readonly string[]> {
  const noted = notedIn(await recordsOf(log, thread))
  return noted.filter(({ name }) => name === 'webhook_delivered').map(({ delivery }) => delivery)
}

/** Whether the search for open work has come as far as the webhooks; the next start looks at the rest again. */
async function hasReadAll(cursors: Cursors): Promise<boolean> {
  const positions = ['work', 'broker.webhooks'].map(async (name) => {
    return (await cursors.load(name))?.split(' ').at(-1)
  })
  const [work, webhooks] = await Promise.all(positions)
  return work !== undefined && work === webhooks
}

async function pendingIn(log: EventLog, thread: string): Promise<readonly string[]> {
  const { pending } = await new Outboxes({ log, domain }).read(thread)
  return pending.map(({ id }) => id)
}

test('[broker 15] an event that another writer appends is delivered', async () => {
  const { url, received } = await receiver(0, takes)
  const log = await newLog()
  await served({ log, webhooks: { ...patient, url } })
  const thread = await appendHandedOver(log)
  await expect.poll(() => deliveredIn(log, thread), WAIT).toHaveLength(1)
  expect(received.map(({ sessionId }) => sessionId)).toEqual([thread])
})

test.each([
  ['with', newCursors()],
  ['without', undefined],
])(
  '[broker 15] a crash between the append and the delivery: the next start delivers once, %s a saved cursor',
  async (_, cursors) => {
    const { url, received } = await receiver(0, takes)
    const log = await newLog()
    const webhooks = { ...patient, url }
    const before = await served({ log, cursors, webhooks })
    const first = await appendHandedOver(log)
    await expect.poll(() => deliveredIn(log, first), WAIT).toHaveLength(1)
    await before.close()
    const thread = await appendHandedOver(log)
    const [delivery] = await pendingIn(log, thread)
    await served({ log, cursors, webhooks })
    await expect.poll(() => deliveredIn(log, thread), WAIT).toEqual([delivery])
    await pause(60)
    expect(received.map((each) => each.delivery.id).slice(1)).toEqual([delivery])
  },
)

test('[D11] of two processes on one log one sends webhooks; when it stops the other takes over', async () => {
  const { url, received } = await receiver(0, takes)
  const log = await newLog()
  const webhooks = { ...patient, url }
  const first = await served({ log, webhooks })
  await served({ log, webhooks })
  const early = await Promise.all(Array.from({ length: 20 }, () => appendHandedOver(log)))
  for (const thread of early) {
    await expect.poll(() => deliveredIn(log, thread), WAIT).toHaveLength(1)
  }
  await first.close()
  const late = await appendHandedOver(log)
  await expect.poll(() => deliveredIn(log, late), WAIT).toHaveLength(1)
  await pause(60)
  const sent = received.map(({ sessionId }) => sessionId)
  expect(sent.toSorted()).toEqual([...early, late].toSorted())
})

test('[D11] a process that loses its lease aborts its requests; the next holder sends under the same id', async () => {
  const aborted = Promise.withResolvers<void>()
  const waits: typeof takes = (response) => response.on('close', aborted.resolve)
  const { url, received } = await receiver(0, waits, takes)
  const log = await newLog()
  const { log: leased, revoke } = revocable(log)
  await served({ log: leased, webhooks: { ...patient, url } })
  await served({ log, webhooks: { ...patient, url } })
  const thread = await appendHandedOver(log)
  await expect.poll(() => received, WAIT).toHaveLength(1)
  await revoke('broker.webhooks')
  await aborted.promise
  await expect.poll(() => deliveredIn(log, thread), WAIT).toHaveLength(1)
  expect(notedIn(await recordsOf(log, thread))).toHaveLength(1)
  expect(new Set(received.map((each) => each.delivery.id)).size).toBe(1)
})

test('[broker 15] a case that cannot be read holds up no other, and the next start looks at it again', async () => {
  const { url, received } = await receiver(0, takes)
  const [log, cursors] = [await newLog(), newCursors()]
  const damaged = await appendHandedOver(log)
  const sound = await appendHandedOver(log)
  const failing = logWith(log, {
    read(thread, options) {
      if (thread === damaged) throw new LogError('corrupt', 'Cannot read')
      return log.read(thread, options)
    },
  })
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const webhooks = { ...patient, url, onFault }
  const before = await served({ log: failing, cursors, webhooks })
  await expect.poll(() => received.map(({ sessionId }) => sessionId), WAIT).toEqual([sound])
  await expect.poll(() => cursors.load('broker.webhooks'), WAIT).toBeDefined()
  await before.close()
  expect(faults).toContainEqual(expect.objectContaining({ code: 'corrupt' }))
  expect((await cursors.open('broker.webhooks'))[0]).toEqual({ thread: damaged, dueAt: 0 })
  await served({ log, cursors, webhooks })
  await expect.poll(() => received.at(-1)?.sessionId, WAIT).toBe(damaged)
})

test('[L13] a start over many cases looks at those with open deliveries and no other', async () => {
  const { url, received } = await receiver(0, fails)
  const [log, cursors] = [await newLog(), newCursors()]
  const webhooks = { ...patient, url, retryDelaysMs: [3_000, 600_000] }
  await appendCases(log, CASES)
  const open = await Promise.all(Array.from({ length: 10 }, () => appendHandedOver(log)))
  const before = await served({ log, cursors, webhooks })
  const listed = async () => (await cursors.open('broker.webhooks')).map(({ thread }) => thread)
  await expect.poll(async () => (await listed()).toSorted(), WAIT).toEqual(open.toSorted())
  await expect.poll(() => received.length, WAIT).toBe(10)
  await expect.poll(() => hasReadAll(cursors)).toBe(true)
  await before.close()
  const counting = counted(log)
  await served({ log: counting.log, cursors, webhooks })
  await expect.poll(() => received.length, WAIT).toBe(20)
  expect([...counting.read].toSorted()).toEqual(open.toSorted())
}, 60_000)

test('[L13] the list of dead letters reads the cases that have one and no other', async () => {
  const { url } = await receiver(0, fails)
  const [log, cursors] = [await newLog(), newCursors()]
  const webhooks = { ...patient, url, retryDelaysMs: [] }
  await appendCases(log, CASES)
  const dead = await appendHandedOver(log)
  const before = await served({ log, cursors, webhooks })
  const listed = async () => (await cursors.open('broker.dead-cases')).map(({ thread }) => thread)
  await expect.poll(listed, WAIT).toEqual([dead])
  await expect.poll(() => hasReadAll(cursors)).toBe(true)
  await before.close()
  const counting = counted(log)
  const { url: api } = await served({ log: counting.log, cursors, webhooks })
  const { body } = await request(`${api}/api/webhooks/dead-letters`)
  expect(body).toMatchObject({ deadLetters: [{ sessionId: dead }] })
  expect([...counting.read].filter((thread) => thread !== dead)).toEqual([])
}, 60_000)

test('without a saved list dead letters are found in bounded requests, each of which says where to go on', async () => {
  const { url } = await receiver(0, fails)
  const log = await newLog()
  await appendCases(log, 5_000)
  const before = await served({ log, webhooks: { ...patient, url, retryDelaysMs: [] } })
  const dead = await appendHandedOver(log)
  const names = async () => notedIn(await recordsOf(log, dead)).map(({ name }) => name)
  await expect.poll(names, WAIT).toEqual(['webhook_dead_lettered'])
  await before.close()
  const { url: api } = await served({ log })
  const pages: unknown[] = []
  for (let next: unknown = 0; next !== undefined;) {
    const { body } = await request(`${api}/api/webhooks/dead-letters?from=${Number(next)}`)
    pages.push(body['deadLetters'])
    next = body['next']
  }
  expect(pages).toMatchObject([[], [], [{ sessionId: dead }]])
}, 60_000)
