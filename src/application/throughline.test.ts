import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { Throughline, defineApp } from './index.ts'
import type { AnyApp } from './index.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const says = (name: string) => defineAgent({ name, model: scriptedModel(() => `I am ${name}.`) })
const { event, domain } = defineDomain<{ readonly calls: number }>()
const rung = event({
  schema: z.object({}),
  by: [{ source: 'remote' }],
  reduce: ({ calls }) => ({ calls: calls + 1 }),
})
const bells = domain({ name: 'bells', initial: { calls: 0 }, events: { rung } })
const lamps = defineApp<Lamp>({
  name: 'lamps',
  domain: lamp,
  roles: {
    visitor: { read: { record: () => undefined, state: ({ watts }) => ({ lit: watts > 0 }) } },
    broken: { read: { record: 'all', state: () => mustNot('show') } },
  },
})
const bellsApp = defineApp({ name: 'bells', domain: bells, agents: [says('porter')] })
const talk = defineApp({ name: 'talk', opens: ['RUN_STARTED'], agents: [says('host')] })

function mustNot(what: string): never {
  throw new Error(`must not ${what}`)
}

function start(apps: readonly AnyApp[], log = memoryLog()) {
  return Throughline.start({ log, apps, now: Date.now, id: uuidv7, sha256, retryDelayMs: 1 })
}

test('a thread belongs to the application that its first event opens, a refused one too', async () => {
  const tl = await start([lamps, bellsApp, talk])
  const on = { type: 'switch_on', data: { watts: 40 } }
  await tl.propose('lamp', [on])
  await tl
    .as({ source: 'remote', surface: 'hook', actor: 'door-1' })
    .propose('bell', [{ ...on, type: 'rung' }])
  const { answers } = await tl.propose('no bell', [{ ...on, type: 'rung' }])
  await tl.turn('chat', { agent: 'host', input: 'Hello' }).result
  const owners = await Promise.all(
    ['lamp', 'bell', 'no bell', 'chat', 'empty'].map(
      async (thread) => (await tl.ownerOf(thread))?.name,
    ),
  )
  expect(owners).toEqual(['lamps', 'bells', 'bells', 'talk', undefined])
  expect(answers[0]?.record.origin).toMatchObject({ source: 'ui' })
  expect((await tl.app(bellsApp).gate.state('bell')).state.calls).toBe(1)
  await tl.close()
})

test('what a person or system proposed names it on record', async () => {
  const tl = await start([bellsApp])
  const proposer = { source: 'remote', surface: 'hook', actor: 'door-1' } as const
  const [ring] = [{ type: 'rung', data: {} }]
  const { answers } = await tl.as(proposer).propose('t', [ring])
  expect(answers[0]?.record.origin).toMatchObject(proposer)
  await tl.close()
})

test('a caller cannot propose as a model, as a rule or as an unknown source', async () => {
  const tl = await start([bellsApp])
  const model = 'model' as 'ui'
  expect(() => tl.as({ source: model })).toThrow('is of "ui", "system", "process", "remote"')
  await tl.close()
})

test('an agent of one application does not work in a thread of another', async () => {
  const tl = await start([lamps, bellsApp, talk])
  await tl.propose('lamp', [{ type: 'switch_on', data: { watts: 40 } }])
  const asked = tl.turn('lamp', { agent: 'host', input: 'Hello' })
  await expect(asked.result).rejects.toMatchObject({ code: 'unknown_thread' })
  await expect(tl.state('empty')).rejects.toMatchObject({ code: 'unknown_thread' })
  expect(() => tl.app('nothing')).toThrow('there is "lamps", "bells", "talk"')
  await tl.close()
})

test('with several applications a question is answered, and a run cancelled, by its thread alone', async () => {
  const clerk = defineAgent({
    name: 'clerk',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', input: {} }] },
    ),
    tools: { pay: { inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' } },
  })
  const tl = await start([lamps, bellsApp, defineApp({ name: 'office', agents: [clerk] })])
  const asked = await tl.turn('chat', { agent: 'clerk', input: 'Pay' }).result
  const answer = { run: asked.run, values: { approved: true }, key: 'k' }
  const turn = tl.resume('chat', answer)
  const events: string[] = []
  for await (const { type } of turn) events.push(type)
  expect([events[0], events.at(-1)]).toEqual(['resume_with_input', 'turn_end'])
  const done = await turn.result
  expect(done).toMatchObject({ run: turn.run, text: 'Paid.' })
  expect((await tl.resume('chat', answer).result).run).toBe(done.run)
  const once = tl.resume('chat', { run: asked.run, values: { approved: true } })
  await expect(once.started).rejects.toMatchObject({ code: 'not_waiting' })
  await tl.turn('other', { agent: 'clerk', input: 'Pay' }).result
  expect(await tl.cancel('other')).toBe(true)
  const unknown = { code: 'unknown_thread' }
  await expect(tl.resume('empty', answer).result).rejects.toMatchObject(unknown)
  await tl.close()
})

test('the state of an empty thread is an error, with one application too', async () => {
  const tl = await start([bellsApp])
  for (const at of [undefined, 0]) {
    await expect(tl.state('empty', at)).rejects.toMatchObject({
      code: 'unknown_thread',
      message: 'Cannot read the state of thread "empty": it is empty',
    })
  }
  await tl.close()
})

test.each([
  ['the same name', [lamps, lamps], 'Cannot open two applications called "lamps"; rename one'],
  [
    'the same first event',
    [lamps, defineApp<Lamp>({ name: 'other', domain: lamp })],
    'Cannot open "other" beside "lamps": both begin threads with "switch_on"; list in the `opens` of each what begins its threads',
  ],
  [
    'the same agent',
    [bellsApp, defineApp({ name: 'other', opens: [], agents: [says('porter')] })],
    'Cannot open "other" beside "bells": both have the agent "porter"; rename it in one of them',
  ],
])('two applications with %s are refused, with what to do', async (_what, apps, message) => {
  await expect(start(apps)).rejects.toMatchObject({ code: 'ambiguous_app', message })
})

test('a role sees what its view gives; a view that throws says whose it is', async () => {
  const tl = await start([lamps])
  const wall = tl.as({ source: 'ui', surface: 'wall' })
  const { answers } = await wall.propose('t', [{ type: 'switch_on', data: { watts: 40 } }])
  const [{ record }] = answers as [(typeof answers)[0]]
  const visitor = tl.app('lamps').view('visitor')
  expect(visitor.record(record)).toBeUndefined()
  expect((await visitor.state('t')).state).toEqual({ lit: true })
  const broken = tl.app('lamps').view('broken')
  expect(broken.record(record)).toBe(record)
  await expect(broken.state('t')).rejects.toMatchObject({
    code: 'view_failed',
    message:
      'Cannot show the state to "broken" of "lamps": what the role may see threw: must not show',
  })
  expect(() => tl.app('lamps').view('ghost')).toThrow(
    'its roles are "visitor", "broken", "operator"',
  )
  await tl.close()
})
