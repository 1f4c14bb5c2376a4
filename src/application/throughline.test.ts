import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineDomain } from '../domain/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { MemoryLog } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { Throughline, defineApp } from './index.ts'
import type { AnyApp } from './index.ts'

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
    broken: { read: { state: () => mustNot('show') } },
  },
})
const bellsApp = defineApp({ name: 'bells', domain: bells, agents: [says('porter')] })
const talk = defineApp({ name: 'talk', opens: ['RUN_STARTED'], agents: [says('host')] })

function mustNot(what: string): never {
  throw new Error(`must not ${what}`)
}

function start(
  apps: readonly AnyApp[],
  log = new MemoryLog({ hash: sha256, now: Date.now, id: uuidv7 }),
) {
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

test('nobody proposes as a model, a rule, or what no source is', async () => {
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
  expect(() => tl.resume('lamp', { run: 'r', values: {} })).toThrow('use app(name).runs')
  await tl.close()
})

test.each([
  ['the same name', [lamps, lamps]],
  ['the same first event', [lamps, defineApp<Lamp>({ name: 'other', domain: lamp })]],
  ['the same agent', [talk, defineApp({ name: 'other', agents: [says('host')] })]],
])('two applications with %s are refused', async (_what, apps) => {
  await expect(start(apps)).rejects.toMatchObject({ code: 'ambiguous_app' })
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
