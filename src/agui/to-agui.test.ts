import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { defineApp, defineDomain } from '../public/index.ts'
import { runFinished, runStarted, says, topOrigin } from '../activity/turn-records.fixture.ts'
import { stored } from '../activity/stored-records.fixture.ts'
import { applied, verified } from '../faces/agui/stock-client.fixture.ts'
import { frameText, joinPrelude, threadMessages, toAgui } from './index.ts'

const agent = topOrigin({ agent: 'A' }, 'turn-1')
const again = topOrigin({ agent: 'A' }, 'turn-2')

interface Counter {
  readonly count: number
  readonly secret: string
}

const { event, domain } = defineDomain<Counter>()
const counter = domain({
  name: 'counter',
  initial: { count: 0, secret: 'x' },
  events: {
    counted: event({
      schema: z.object({ by: z.number() }),
      by: [{ source: 'remote' }],
      reduce: (state, { by }) => ({ ...state, count: state.count + by }),
    }),
  },
})
const app = defineApp({
  name: 'counting',
  domain: counter,
  roles: { guest: { read: { record: 'all', state: ({ count }) => ({ count }) } } },
})

const records = stored([
  { type: 'counted', data: { by: 1 } },
  runStarted(agent),
  ...says({ ...agent, source: 'ui' }, 'm-1', 'Count'),
  { type: 'counted', data: { by: 2 } },
  ...says(agent, 'm-2', 'Done'),
  runFinished(agent, 'success'),
  { type: 'counted', data: { by: 4 } },
  runStarted(again),
  ...says(again, 'm-3', 'And on'),
])

test('[E001] [E027] [E028] [E041] the records of a thread are its runs, with the state that a role may see', async () => {
  const frames = [...toAgui(records, { app, role: 'guest' })]
  const events = frames.map((frame) => frame.event)
  await verified(events)
  const states = events.filter(({ type }) => type.startsWith('STATE_'))
  expect(states).toMatchObject([
    { type: 'STATE_SNAPSHOT', snapshot: { count: 1 } },
    { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/count', value: 3 }] },
    { type: 'STATE_SNAPSHOT', snapshot: { count: 7 } },
  ])
  expect(JSON.stringify(events)).not.toContain('secret')
  const { messages } = await applied(events)
  expect(messages).toEqual(threadMessages(records, { app, role: 'guest' }))
  expect(frameText({ id: '1.0', event: { type: 'CUSTOM' } })).toBe(
    'id: 1.0\ndata: {"type":"CUSTOM"}\n\n',
  )
})

test('without an application there is no state', () => {
  const types = [...toAgui(records)].map((frame) => frame.event.type)
  expect(types.filter((type) => type.startsWith('STATE_'))).toEqual([])
})

test('an application is read only by roles that it has', () => {
  const refused = { name: 'ApplicationError', code: 'unknown_role' }
  expect(() => [...toAgui(records, { app, role: 'nobody' })]).toThrow(
    expect.objectContaining(refused),
  )
  expect(() => threadMessages(records, { role: 'guest' })).toThrow(expect.objectContaining(refused))
})

test('a prelude is open while a turn is at work, and a whole run otherwise', async () => {
  const open = joinPrelude(records, { thread: 't', runId: 'mine', app })
  expect(open.isOpen).toBe(true)
  const ended = joinPrelude(records.slice(0, 11), { thread: 't', runId: 'mine', app })
  expect(ended.isOpen).toBe(false)
  const events = ended.frames.map((frame) => frame.event)
  await verified(events)
  expect(events.at(0)).toMatchObject({ type: 'RUN_STARTED', runId: 'mine' })
  const client = await applied(events)
  expect(client.state).toEqual({ count: 7, secret: 'x' })
  expect(client.messages).toEqual(threadMessages(records.slice(0, 11)))
})

test('a turn that never ended is ended by the next one', async () => {
  const unended = [...stored([runStarted(agent), ...says(agent, 'm-1', 'Hi'), runStarted(again)])]
  const events = [...toAgui(unended)].map((frame) => frame.event)
  await verified(events)
  expect(events.map(({ type }) => type)).toEqual([
    'RUN_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_ERROR',
    'RUN_STARTED',
  ])
})

test('[E036] the page about AG-UI names each CUSTOM event and each loss that there is', () => {
  const page = readFileSync('docs/agui.md', 'utf8')
  const source = ['wire-event.ts', 'downgrade.ts'].map((file) =>
    readFileSync(`src/faces/agui/${file}`, 'utf8'),
  )
  const unions = source.join('').matchAll(/(?:name|code): ((?:'\w+'(?: \| )?)+)/g)
  const names = Array.from(unions, ([, union = '']) => union.match(/\w+/g) ?? []).flat()
  expect(names).toHaveLength(8)
  expect(names.filter((name) => !page.includes(`${name}\``))).toEqual([])
})

test('the output of an agent is the result of its run', () => {
  const result = { city: 'Bern' }
  const ended = runFinished(agent, 'success')
  const data = { ...(ended.data as object), result }
  const events = [...toAgui(stored([runStarted(agent), { ...ended, data }]))]
  expect(events.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', result })
})
