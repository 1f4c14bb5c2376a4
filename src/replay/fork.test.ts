import { expect, test } from 'vitest'
import { customValue } from '../activity/index.ts'
import { textOf } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { boughtErrand, errandsApp, recordsIn } from './errands.fixture.ts'
import { forkThread } from './index.ts'

const promptsIn = (records: readonly LogRecord[]) =>
  records.flatMap((record) => {
    const output = customValue(record, 'model_output')
    return output === undefined ? [] : [textOf(output, 'prompt')]
  })

const seqOf = (records: readonly LogRecord[], type: string) =>
  records.find((record) => record.type === type)?.seq ?? -1

test('a fork begins with the records and hashes of its origin, which does not move', async () => {
  const { log, tl, app, records, worked } = await boughtErrand()
  const before = { head: await log.head('t'), threads: await log.threads(), work: worked.length }
  for (const { seq, hash } of records) {
    const fork = await forkThread({ origin: log, thread: 't', at: seq, apps: [app] })
    expect(fork.label).toEqual({ thread: 't', at: seq, hash, sameHashes: true })
    expect((await recordsIn(fork.log)).slice(0, seq + 1)).toEqual(records.slice(0, seq + 1))
    expect(await fork.log.verify('t')).toMatchObject({ ok: true })
    expect((await fork.tl.state('t', seq)).state).toEqual((await tl.state('t', seq)).state)
    await fork.close()
  }
  expect({ head: await log.head('t'), threads: await log.threads(), work: worked.length }).toEqual(
    before,
  )
})

test('a turn that is taken again in a fork reads the same prompts, and its tools and effects do no work', async () => {
  const { log, app, records, worked } = await boughtErrand()
  expect(worked).toEqual(['look_up', 'set_price', 'buy'])
  const at = seqOf(records, 'RUN_STARTED') - 1
  const fork = await forkThread({ origin: log, thread: 't', at, apps: [app] })
  const { run } = await fork.tl.turn('t', { agent: 'buyer', input: 'Please buy it' } as never)
    .result
  // It stops to ask, as its origin did.
  await fork.tl.resume('t', { run, values: { count: '2' } }).result
  await fork.tl.settled()
  const now = await recordsIn(fork.log, at)
  const was = records.slice(at + 1)
  expect(promptsIn(now)).toEqual(promptsIn(was))
  expect(promptsIn(was)).toHaveLength(3)
  const domainEvents = (all: readonly LogRecord[]) =>
    all.flatMap(({ type, data }) => (type === type.toLowerCase() ? [{ type, data }] : []))
  expect(domainEvents(now)).toEqual(domainEvents(was))
  expect((await fork.tl.state('t')).state).toMatchObject({ status: 'bought', pounds: 6 })
  expect(worked).toEqual(['look_up', 'set_price', 'buy'])
  expect(fork.missed).toEqual([])
  await fork.close()
})

test('to leave an event out, fork before it; what follows has no outcome on record', async () => {
  const { log, app, records, worked } = await boughtErrand()
  const at = seqOf(records, 'priced') - 1
  const fork = await forkThread({ origin: log, thread: 't', at, apps: [app] })
  const home = fork.tl.as({ source: 'ui', surface: 'home' })
  await home.propose('t', [{ type: 'dropped', data: {} }] as never)
  await fork.tl.settled()
  expect((await fork.tl.state('t')).state).toMatchObject({ status: 'dropped' })
  expect(worked).toHaveLength(3)
  await fork.close()
})

test('a call that the record does not answer fails, and the fork names it', async () => {
  const { log, records } = await boughtErrand()
  const { scriptedModel } = await import('../models/index.ts')
  const elsewhere = scriptedModel(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? 'I do not know.'
      : { toolCalls: [{ name: 'look_up', input: { shop: 'market' } }] },
  )
  const { app, worked } = errandsApp({ model: elsewhere })
  const at = seqOf(records, 'RUN_STARTED') - 1
  const fork = await forkThread({ origin: log, thread: 't', at, apps: [app] })
  await fork.tl.turn('t', { agent: 'buyer', input: 'Please buy it' } as never).result
  expect(fork.missed).toEqual([{ name: 'look_up', input: { shop: 'market', currency: 'GBP' } }])
  expect(worked).toEqual([])
  await fork.close()
})

test('a thread that is empty or erased cannot be forked, nor one at a record that it does not have', async () => {
  const { log, app, records } = await boughtErrand()
  const fork = (thread: string, at: number) => forkThread({ origin: log, thread, at, apps: [app] })
  for (const at of [records.length, -2, 0.5, Number.NaN]) {
    await expect(fork('t', at)).rejects.toMatchObject({ code: 'invalid_fork' })
  }
  await expect(fork('none', -1)).rejects.toMatchObject({ code: 'invalid_fork' })
  await log.append('t', [{ type: 'thread_erased', data: { state: {} } }])
  await expect(fork('t', 1)).rejects.toMatchObject({ code: 'erased' })
})

test('what is no log or application, and a misspelt option, is named', async () => {
  const { log, app } = await boughtErrand()
  const good = { origin: log, thread: 't', at: 0, apps: [app] }
  for (const [wrong, said] of [
    [{ origin: 'sqlite:x.db' }, 'its `origin` is no log: it is a string'],
    [{ origin: undefined }, 'its `origin` is no log: it is undefined'],
    [{ apps: ['broker'] }, 'one of its `apps` was not made by `defineApp`'],
    [{ apps: [undefined] }, 'one of its `apps` was not made by `defineApp`'],
    [{ apps: [] }, 'it has no `apps`'],
    [{ apps: app }, 'its `apps` must be a list, and is an object'],
    [{ seq: 1 }, 'it has an unknown "seq"'],
  ] as const) {
    const fault = { code: 'invalid_fork', message: expect.stringContaining(said) as string }
    await expect(forkThread({ ...good, ...wrong } as never)).rejects.toMatchObject(fault)
  }
})

test('a person is asked in a fork where the record says so: no function is asked anew', async () => {
  const asked: string[] = []
  const needsApproval = ({ shop }: { readonly shop: string }) => {
    asked.push(shop)
    return true
  }
  const { log, records } = await boughtErrand({ needsApproval })
  expect(asked).toEqual(['corner'])
  const { app } = errandsApp({ needsApproval })
  const at = seqOf(records, 'RUN_STARTED') - 1
  const fork = await forkThread({ origin: log, thread: 't', at, apps: [app] })
  const turn = fork.tl.turn('t', { agent: 'buyer', input: 'Please buy it' } as never)
  const { run, reason, waits } = await turn.result
  expect([reason, waits]).toMatchObject(['interrupt', [{ reason: 'tool_approval' }]])
  await fork.tl.resume('t', { run, values: { approved: true } }).result
  expect(asked).toEqual(['corner'])
  expect(fork.missed).toEqual([])
  await fork.close()
})

test('a fork of nothing begins the thread again', async () => {
  const { log, app } = await boughtErrand()
  const fork = await forkThread({ origin: log, thread: 't', at: -1, apps: [app] })
  expect(await fork.log.head('t')).toBe(-1)
  expect(fork.label).toMatchObject({ at: -1, hash: '0'.repeat(64), sameHashes: true })
  expect(fork.clock.now()).toBe(5)
  await fork.close()
})
