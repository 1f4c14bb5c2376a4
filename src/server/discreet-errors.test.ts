import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { mounted } from './mounted-routes.fixture.ts'

const SECRET = 'the margin is nine'

const { event, domain } = defineDomain<{ readonly note: string }>()
const schema = z.object({ note: z.string() })
const notes = domain({
  name: 'notes',
  initial: { note: SECRET },
  events: {
    noted: event({
      schema,
      by: [{ source: 'ui' }],
      guard: ({ note }, data) =>
        data.note === 'refuse me' ? { refused: 'precondition', detail: note } : undefined,
      reduce: (state) => state,
    }),
  },
})
const asks = tool({
  inputSchema: z.object({}),
  execute: (_input, { values, pause }) =>
    values ? 'known' : pause({ margin: `Is it so: ${SECRET}?` }),
})
const asker = defineAgent<{ readonly note: string }>({
  name: 'asker',
  model: scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'asks', input: {} }] },
  ),
  tools: { asks },
})
const hides = (record: LogRecord) =>
  record.type === 'CUSTOM' || record.type === 'event_refused' ? undefined : record
const acts = { propose: 'all', run: 'all', begin: true, answer: true } as const
const app = defineApp<{ readonly note: string }>({
  name: 'notes',
  domain: notes,
  agents: [asker],
  roles: {
    broken: {
      ...acts,
      read: {
        record: hides,
        state: ({ note }) => {
          throw new Error(note)
        },
      },
    },
    outsider: { ...acts, read: { record: hides, state: () => ({}) } },
    insider: { ...acts, read: 'all' },
  },
})

const [outsider, insider] = [{ role: 'outsider' }, { role: 'insider' }]
const noted = (note: string, id: string = randomUUID()) => ({
  events: [{ id, type: 'noted', data: { note } }],
})

async function begun() {
  const told: unknown[] = []
  const at = await mounted({ onFault: (error) => told.push(error) }, app)
  await at.ask('/api/threads/t/events', insider, noted('hello'))
  return { ...at, told }
}

test('[X22] what a view throws goes to the program, and not to the role', async () => {
  const { ask, told } = await begun()
  const { status, body } = await ask('/api/threads/t/state', { role: 'broken' })
  expect([status, body['code']]).toEqual([500, 'view_failed'])
  expect(JSON.stringify(body)).not.toContain('margin')
  expect(told).toMatchObject([{ code: 'view_failed', cause: { message: SECRET } }])
})

test('[X22] the id of a hidden refusal does not give its detail to another role', async () => {
  const { ask } = await begun()
  const refused = noted('refuse me')
  const own = await ask('/api/threads/t/events', insider, refused)
  expect(own.body['refused']).toMatchObject([{ reason: 'precondition', detail: SECRET }])
  const theirs = await ask('/api/threads/t/events', outsider, refused)
  expect(theirs).toMatchObject({ status: 200, body: { records: [], refused: [] } })
  expect(JSON.stringify(theirs.body)).not.toContain('margin')
  const fresh = await ask('/api/threads/t/events', outsider, noted('refuse me'))
  expect(fresh.body['refused']).toMatchObject([{ reason: 'precondition' }])
})

test('[X22] errors do not reveal a hidden question; a role that sees the question reads it in the error', async ({
  annotate,
}) => {
  const { ask, throughline } = await begun()
  const { run, result } = throughline.turn('t', { agent: 'asker', input: 'Go' })
  await result
  const start = (as: unknown) => ask('/api/threads/t/runs', as, { agent: 'asker', input: 'Go' })
  const resume = (as: unknown, values: unknown) =>
    ask(`/api/threads/t/runs/${run}/resume`, as, { values })
  const hidden = [
    await start(outsider),
    await resume(outsider, {}),
    await resume(outsider, { other: 1 }),
  ]
  expect(hidden.map(({ body }) => body['code'])).toEqual([
    'waiting_for_input',
    'invalid_values',
    'invalid_values',
  ])
  for (const { body } of hidden) {
    expect(JSON.stringify(body)).not.toContain('margin')
    expect(JSON.stringify(body)).not.toContain(run)
  }
  expect((await start(insider)).body['detail']).toContain(`run ${run} waits for margin`)
  expect((await resume(insider, {})).body['detail']).toContain('"margin" is missing')
  await annotate(`0 of ${hidden.length} errors told a hidden question`, 'promise')
})
