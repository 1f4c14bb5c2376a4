import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answer, desk } from './due-work/due-work.fixture.ts'
import type { Desk } from './due-work/due-work.fixture.ts'
import type { EffectRunner, EffectRunners } from './due-work/index.ts'
import { lamp } from './domain/lamp.fixture.ts'
import type { Lamp } from './domain/lamp.fixture.ts'
import { defineAgent, open, scriptedModel } from './public/index.ts'
import { ManualClock, wholeTree } from './public/testing.ts'
import { SNAPSHOT_RECORDS } from './thread/index.ts'
import { openLog } from './storage/index.ts'
import { freshPath, recordsOf } from './storage/sqlite-folder.fixture.ts'

const clerk = () =>
  defineAgent({
    name: 'clerk',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? `So: ${messages.at(-1)?.text}`
        : { toolCalls: [{ name: 'pay', input: { pounds: 5 } }] },
    ),
    tools: {
      pay: {
        inputSchema: z.object({ pounds: z.number() }),
        needsApproval: true,
        execute: ({ pounds }) => `paid ${pounds}`,
      },
    },
  })

const helper = () => defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello') })

test('[C014] an agent is asked through the front door, and answers live', async () => {
  const app = await open({ store: 'memory:', agents: [helper()] })
  const turn = app.turn('t', { agent: 'helper', input: 'Hello' })
  const types: string[] = []
  for await (const event of turn) types.push(event.type)
  expect(types.at(-1)).toBe('turn_end')
  expect(await turn.result).toMatchObject({ text: 'Hello', reason: 'success' })
  expect(await wholeTree(turn)).toMatchObject([{ agent: 'helper', depth: 0 }])
  expect(await app.verify('t')).toMatchObject({ ok: true })
  await app.close()
})

test('a question outlives the program: asked in one, answered in the next', async () => {
  const store = `sqlite:${freshPath()}`
  const before = await open({ store, agents: [clerk()] })
  const { run, waits } = await before.turn('t', { agent: 'clerk', input: 'Pay' }).result
  expect(waits).toMatchObject([{ toolName: 'pay', arguments: '{"pounds":5}' }])
  await before.close()
  const after = await open({ store, agents: [clerk()] })
  const turn = after.resume('t', { run, values: { approved: true } })
  expect(await turn.result).toMatchObject({ text: 'So: paid 5', reason: 'success' })
  await expect(after.resume('t', { run, values: { approved: true } }).result).rejects.toThrow(
    'it waits for nothing',
  )
  await after.close()
})

test('a domain’s state moves by people’s events and by agents’, and is shown as it was at any seq', async () => {
  const agent = defineAgent<Lamp>({
    name: 'keeper',
    model: scriptedModel(() => `On. <agent-event type="switch_on" data='{"watts":20}' />`),
    emits: ['switch_on'],
  })
  const app = await open<Lamp>({ store: 'memory:', domain: lamp, agents: [agent] })
  const {
    answers,
    refused,
    records,
    state: before,
  } = await app.propose('t', [{ type: 'switch_on', data: { watts: 50 } }])
  const { refused: reason, detail } = answers[0]?.refusal ?? {}
  expect(refused).toEqual([{ type: 'switch_on', reason, detail }])
  expect(reason).toBe('not_authorised')
  expect(records).toMatchObject([{ type: 'event_refused' }])
  expect(before.watts).toBe(0)
  const { state } = await app.turn('t', { agent: 'keeper', input: 'Light' }).result
  expect(state.watts).toBe(20)
  expect((await app.state('t', 0)).state.watts).toBe(0)
  await app.close()
})

test('closing ends what runs', async () => {
  const hanging = defineAgent({ name: 'slow', model: scriptedModel(() => ({ hang: true })) })
  const app = await open({ store: 'memory:', agents: [hanging] })
  const turn = app.turn('t', { agent: 'slow', input: 'x' })
  await turn.started
  await app.close(1)
  expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'interrupted' } })
})

test('without a store the error says what to give', async () => {
  // A program without types may leave it out.
  const options = { agents: [helper()] } as unknown as Parameters<typeof open>[0]
  await expect(open(options)).rejects.toMatchObject({
    name: 'LogError',
    code: 'configuration',
    message:
      'Cannot open a log: there is no `store`; give "sqlite:PATH", "postgres://…", "memory:" or an open log',
  })
})

test('agents that do not fit are refused, and the store is free again', async () => {
  const store = `sqlite:${freshPath()}`
  const agent = defineAgent<Lamp>({ name: 'a', model: scriptedModel(() => ''), emits: ['fly'] })
  await expect(open<Lamp>({ store, domain: lamp, agents: [agent] })).rejects.toThrow(
    'it may emit "fly"',
  )
  const app = await open({ store, agents: [helper()] })
  await app.close()
})

test('what a crash left open is ended when the store is opened, and no rest is disturbed', async () => {
  const store = `sqlite:${freshPath()}`
  const log = await openLog(store)
  const origin = { source: 'system', agent: 'helper', depth: 0, run: 'r', turn: 'r' } as const
  const started = { type: 'RUN_STARTED', data: { threadId: 't', runId: 'r' }, origin }
  const ended = { type: 'RUN_FINISHED', data: { threadId: 't', runId: 'r' }, origin }
  await log.append('crashed', [started])
  await log.append('rests', [started, ended])
  // A record of another build, which this one cannot fold.
  await log.append('strange', [{ type: 'switch_on', data: {}, v: 99 }])
  await log.close()
  const app = await open<Lamp>({ store, domain: lamp })
  expect((await recordsOf(app.log, 'crashed')).at(-1)).toMatchObject({
    type: 'RUN_ERROR',
    data: { code: 'interrupted' },
  })
  expect(await app.log.head('rests')).toBe(1)
  await app.close()
})

test.each([
  ['of agents that only talk', {}, true],
  ['of a domain whose reducers are named', { domain: lamp, domainVersion: '1' }, true],
  ['of a domain whose reducers are not named', { domain: lamp }, false],
])('[Y4] a long thread is kept beside the store: one %s', async (_whose, parts, kept) => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const note = { type: 'CUSTOM', data: { name: 'throughline.note', value: 'said' } }
  await log.append('t', Array<typeof note>(SNAPSHOT_RECORDS).fill(note))
  await log.close()
  for (let opened = 0; opened < 2; opened++) {
    const app = await open<Lamp>({ store: `sqlite:${path}`, ...parts })
    expect((await app.state('t')).seq).toBe(SNAPSHOT_RECORDS - 1)
    await app.close()
    expect(existsSync(`${path}.snapshots`)).toBe(kept)
    rmSync(`${path}.snapshots`, { force: true })
  }
})

test('threads are listed by what their application declares, from beside the store, without it too', async () => {
  const path = freshPath()
  const parts = { domain: lamp, domainVersion: '1', index: { watts: ({ watts }: Lamp) => watts } }
  const before = await open<Lamp>({ store: `sqlite:${path}`, ...parts })
  const on = { type: 'switch_on', data: { watts: 40 } }
  await before.as({ source: 'ui', surface: 'wall' }).propose('t', [on])
  const listed = await before.threads({ where: { watts: 40 } })
  expect(listed.threads).toMatchObject([{ thread: 't', app: 'main', values: { watts: 40 } }])
  await before.close()
  for (let opened = 0; opened < 2; opened++) {
    const after = await open<Lamp>({ store: `sqlite:${path}`, ...parts })
    expect(await after.threads({ where: { watts: 40 } })).toEqual(listed)
    await after.close()
    expect(existsSync(`${path}.side`)).toBe(true)
    rmSync(`${path}.side`)
  }
})

test('[D16] a click runs its effect, a deadline fires, and both survive a close and a second open', async () => {
  const store = `sqlite:${freshPath()}`
  const keys: string[] = []
  const page = (run: EffectRunner<Desk>['run']): EffectRunners<Desk> => ({
    page: {
      run: (context) => {
        keys.push(context.key)
        return run(context)
      },
    },
    mail: answer('mail'),
  })
  const began = Promise.withResolvers<void>()
  const hanging = page(({ signal }) => {
    began.resolve()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const before = await open<Desk>({ store, domain: desk, effects: hanging })
  await before.propose('t', [alarm('early', Date.now() + 20), alarm('late', Date.now() + 2_000)])
  await before.propose('t', [want('letter', 'mail')])
  await expect
    .poll(async () => (await before.state('t')).state)
    .toMatchObject({
      rung: ['early'],
      done: ['mail letter'],
    })
  await before.propose('t', [want('k', 'page')])
  await began.promise
  await before.close(1)
  const effects = page(({ key }) => ({ type: 'done', data: { effect: 'page', key } }))
  const after = await open<Desk>({ store, domain: desk, effects })
  await expect
    .poll(async () => (await after.state('t')).state)
    .toMatchObject({
      rung: ['early', 'late'],
      done: ['mail letter', 'page k'],
      work: [],
    })
  expect(keys).toEqual(['k', 'k'])
  const types = (await recordsOf(after.log, 't')).map(({ type }) => type)
  expect(types.filter((type) => type === 'effect_requested')).toHaveLength(2)
  expect(await after.verify('t')).toMatchObject({ ok: true })
  await after.close()
})

test.each([
  ['missing_runner', { page: answer('page') }],
  ['invalid_runner', { page: answer('page'), mail: answer('mail'), fax: answer('fax') }],
])('[D16] effects with a %s are refused, and the store is free again', async (code, effects) => {
  const store = `sqlite:${freshPath()}`
  const opening = open<Desk>({ store, domain: desk, effects })
  await expect(opening).rejects.toMatchObject({ name: 'DefinitionError', code })
  const all = { page: answer('page'), mail: answer('mail') }
  const app = await open<Desk>({ store, domain: desk, effects: all })
  expect(await app.log.head('t')).toBe(-1)
  await app.close()
})

const want = (key: string, effect: string) => ({ type: 'want', data: { effect, key } })
const alarm = (key: string, at: number) => ({ type: 'alarm', data: { at, key, as: 'rung' } })

test('a second open of one file in one process says what to do, and leaves the first at work', async () => {
  const store = `sqlite:${freshPath()}`
  const app = await open({ store, agents: [helper()] })
  await expect(open({ store })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('keep it over reloads in globalThis'),
  })
  expect(await app.turn('t', { agent: 'helper', input: 'Hello' }).result).toMatchObject({
    reason: 'success',
  })
  await app.close()
})

test('with a manual clock a deadline comes when a test lets time pass, and its record has that time', async () => {
  const clock = new ManualClock(1_000)
  const effects = { page: answer('page'), mail: answer('mail') }
  const app = await open<Desk>({ store: 'memory:', domain: desk, effects, clock })
  await app.propose('t', [alarm('noon', 61_000)])
  expect((await app.state('t')).state.rung).toEqual([])
  clock.advance(60_000)
  await expect.poll(async () => (await app.state('t')).state.rung).toEqual(['noon'])
  const [asked, rung] = await recordsOf(app.log, 't')
  expect([asked?.ts, rung?.ts]).toEqual([1_000, 61_000])
  await app.close()
})
