import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { restarted } from '../log/restarted-log.fixture.ts'
import { THREADS_LISTED_MAX } from './index.ts'
import { close, names, newLog, note, open, start, ticketsApp } from './tickets.fixture.ts'
import type { Ticket } from './tickets.fixture.ts'

test('threads are listed with what their application declares, the one that moved last first', async () => {
  const tl = await start()
  await open(tl, 'a', 'ann')
  await note(tl, 'n')
  await open(tl, 'b')
  await close(tl, 'a')
  const [values, ts] = [{ status: 'closed', owner: 'ann' }, expect.any(Number)]
  expect((await tl.threads()).threads).toEqual([
    { thread: 'a', app: 'tickets', head: 1, ts, values },
    { thread: 'b', app: 'tickets', head: 0, ts, values: { status: 'open' } },
    { thread: 'n', app: 'notes', head: 0, ts },
  ])
  await tl.log.append('stray', [{ type: 'unknown', data: {} }])
  expect((await tl.threads({ limit: 1 })).threads).toEqual([
    { thread: 'stray', head: 0, ts: 1_000 },
  ])
  await tl.close()
})

test('threads are found by application and by declared values', async () => {
  const tl = await start()
  for (const [thread, owner] of [
    ['a', 'ann'],
    ['b', 'bob'],
    ['c', 'ann'],
  ] as const) {
    await open(tl, thread, owner)
  }
  await note(tl, 'n')
  await close(tl, 'c')
  const found = async (query: Parameters<typeof tl.threads>[0]) =>
    names((await tl.threads(query)).threads)
  expect(await found({ app: 'notes' })).toEqual(['n'])
  expect(await found({ where: { status: 'open' } })).toEqual(['b', 'a'])
  expect(await found({ app: 'tickets', where: { status: 'open', owner: 'ann' } })).toEqual(['a'])
  expect(await found({ where: { status: ['closed', 'open'], owner: 'ann' } })).toEqual(['c', 'a'])
  await tl.close()
})

test('a call lists every thread that was appended before it, beside other calls', async () => {
  const tl = await start()
  const writers = Array.from({ length: 40 }, async (_, n) => {
    await open(tl, `t${n}`, `o${n}`)
    const { threads } = await tl.threads({ where: { owner: `o${n}` } })
    return names(threads)
  })
  expect(await Promise.all(writers)).toEqual(Array.from({ length: 40 }, (_, n) => [`t${n}`]))
  await tl.close()
})

test('a call does not join a pass that may have missed what its caller appended', async () => {
  const log = restarted(newLog())
  const reached = Promise.withResolvers<void>()
  async function* slowEnd(...given: Parameters<typeof log.feed>) {
    for await (const batch of log.feed(...given)) {
      if (batch.length === 0) {
        reached.resolve()
        await setTimeout(20)
      }
      yield batch
    }
  }
  const tl = await start({ log: { ...log, feed: slowEnd } })
  const before = tl.threads()
  await reached.promise
  await open(tl, 't')
  expect(names((await tl.threads()).threads)).toEqual(['t'])
  expect((await before).threads.length).toBeLessThanOrEqual(1)
  await tl.close()
})

test('a drain in the middle of a pass costs the list no thread', async () => {
  let drained: Promise<void> | undefined
  const status = ({ status: held, owner }: Ticket) => {
    if (owner === 'o20') drained ??= tl.drain()
    return held
  }
  const tl = await start({ apps: [ticketsApp({ index: { status } })] })
  for (let n = 0; n < 40; n++) await open(tl, `t${n}`, `o${n}`)
  const { threads } = await tl.threads()
  await drained
  expect(drained).toBeDefined()
  expect(threads).toHaveLength(40)
})

test('pages go on from a cursor; a thread that moves meanwhile goes to the front', async () => {
  const tl = await start()
  for (let n = 0; n < 5; n++) await open(tl, `t${n}`)
  const first = await tl.threads({ limit: 2 })
  await close(tl, 't0')
  const second = await tl.threads({ limit: 2, after: first.next ?? '' })
  expect(names([...first.threads, ...second.threads])).toEqual(['t4', 't3', 't2', 't1'])
  expect(second.next).toBeUndefined()
  expect(names((await tl.threads({ limit: 5 })).threads)[0]).toBe('t0')
  await tl.close()
})

test('threads in which the library keeps its own records are not listed', async () => {
  const tl = await start()
  await open(tl, 't')
  for (const thread of ['throughline-erasures', 'throughline.own'])
    await tl.log.append(thread, [{ type: 'kept', data: {} }])
  expect(names((await tl.threads()).threads)).toEqual(['t'])
  await tl.close()
})

test.each([
  [{ app: 'tikets' }, 'unknown_app', 'there is "tickets", "notes"'],
  [
    { where: { stauts: 'open' } },
    'invalid_query',
    'no application has this name in its index; declared: "status", "owner"',
  ],
  [
    { app: 'notes', where: { status: 'open' } },
    'invalid_query',
    '"notes" does not have this name in its index; declared: none',
  ],
  [{ where: { status: undefined as never } }, 'invalid_query', 'a value of "status"'],
  [{ where: { status: 'x'.repeat(257) } }, 'invalid_query', 'a text of 257 characters'],
  [{ where: { status: Array(17).fill('x') } }, 'invalid_query', 'at most 16'],
  [{ limit: 0 }, 'invalid_query', 'a whole number from 1 to 1000'],
  [{ limit: THREADS_LISTED_MAX + 1 }, 'invalid_query', 'a whole number from 1 to 1000'],
  [{ after: '1' }, 'invalid_query', 'begin again without "after"'],
  [{ after: '1-0123456789ab' }, 'invalid_query', 'begin again without "after"'],
])('the query %j is refused as %s', async (query, code, why) => {
  const tl = await start()
  const refused = expect.objectContaining({ code, message: expect.stringContaining(why) })
  await expect(tl.threads(query)).rejects.toEqual(refused)
  await tl.close()
})

test('a thread that cannot be folded or indexed is reported and listed without values', async () => {
  const faults: string[] = []
  const broken: Readonly<Record<string, () => unknown>> = {
    thrower: () => mustNot(),
    lists: () => [],
    endless: () => Infinity,
    wordy: () => 'x'.repeat(257),
  }
  const index = {
    status: ({ status, owner = '' }: Ticket) => (broken[owner]?.() as undefined) ?? status,
  }
  const onFault = (error: unknown, thread = '') => void faults.push(`${thread}: ${String(error)}`)
  const tl = await start({ apps: [ticketsApp({ index })], onFault })
  for (const owner of ['ann', ...Object.keys(broken)]) await open(tl, owner, owner)
  const { threads } = await tl.threads()
  expect(threads.map(({ thread, values }) => [thread, values?.['status']])).toEqual([
    ...Object.keys(broken)
      .toReversed()
      .map((owner) => [owner, undefined]),
    ['ann', 'open'],
  ])
  expect(faults.toSorted()).toEqual([
    expect.stringContaining('endless: ApplicationError: Cannot index a thread of "tickets"'),
    expect.stringContaining('its index "status" returned object, no text, number, boolean'),
    expect.stringContaining('its index "status" threw: must not'),
    expect.stringContaining('returned a text of 257 characters, at most 256 are allowed'),
  ])
  await tl.close()
})

function mustNot(): never {
  throw new Error('must not')
}
