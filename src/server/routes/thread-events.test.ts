import { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { switchOn } from '../../domain/lamp.fixture.ts'
import { threadStreams } from '../event-streams.fixture.ts'
import { problemOf, problemResponse } from '../problems/problem.ts'
import { Quotas } from '../access/quotas.ts'
import { threadEvents } from './thread-events.ts'

const STREAM = { headers: { accept: 'text/event-stream' } }

/** The route as a program calls it that has no server of node's: by `fetch` alone. */
async function mounted(streamsPerToken = 16) {
  const { log, gate, streams, viewOf, revoked } = threadStreams()
  onTestFinished(() => streams.close())
  await gate.commit('t', [switchOn(30, { id: crypto.randomUUID() })])
  const quotas = new Quotas({ streamsPerToken })
  const access = { untilEnded: async () => revoked.signal }
  const entrant = { role: 'customer', id: 'one', thread: 't' } as Parameters<Quotas['read']>[0]
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.onError((error) => problemResponse(problemOf(error)))
  app.get('/', (context) =>
    threadEvents(
      context,
      { log, access, quotas, streams },
      { thread: 't', view: viewOf('customer'), entrant, history: { epoch: log.epoch } },
    ),
  )
  return {
    log,
    ask: (query: string, more: RequestInit = STREAM) => app.request(`/?${query}`, more),
  }
}

test('a program without a server of node’s gets streams too, with the state', async () => {
  const { log, ask } = await mounted()
  const { body } = await ask('state=1&after=0')
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (end: RegExp): Promise<void> => {
    while (!end.test(text)) text += (await reader?.read())?.value ?? ''
  }
  await until(/event: state\ndata: {"seq":0,"state":{"lit":true,"watts":30.*\n\n$/)
  await log.append('t', [{ type: 'n', data: 0 }])
  await until(/id: 1\ndata: .*\n\n$/)
  expect(text).toMatch(/^retry: 500\nevent: hello\n/)
})

test('[X20] a stream that its reader cancels makes room for the next one of its token', async () => {
  const { ask } = await mounted(1)
  const first = await ask('')
  expect((await ask('')).status).toBe(429)
  await first.body?.cancel()
  const second = await ask('after=9')
  expect(second.status).toBe(200)
  await second.body?.cancel()
  // A stream that is refused holds no place either.
  expect((await ask('after=x')).status).toBe(400)
  expect((await ask('')).status).toBe(200)
})

test('a list is in the face that the request names', async () => {
  const { ask } = await mounted()
  const list = async (query: string) => (await ask(query, {})).json()
  expect(await list('')).toMatchObject({ records: [{ seq: 0, type: 'switch_on' }], head: 0 })
  expect(await list('view=agent')).toMatchObject({ events: [{ type: 'event' }], next: 0, head: 0 })
})

test('a page counts hidden records too, and says where the next one begins', async () => {
  const { log, ask } = await mounted()
  const events = ['secret', 'secret', 'secret', 'seen', 'secret'].map((type) => ({ type, data: 0 }))
  await log.append('t', events)
  const pages: unknown[] = []
  for (let after = -1; after < 5;) {
    const page = await (await ask(`after=${after}&limit=2`, {})).json()
    const { records, next, head } = page as Record<'records' | 'next' | 'head', never>
    pages.push([(records as { seq: number }[]).map(({ seq }) => seq), next, head])
    after = next
  }
  expect(pages).toEqual([
    [[0], 1, 5],
    [[], 3, 5],
    [[4], 5, 5],
  ])
  expect(await (await ask('after=9', {})).json()).toMatchObject({ records: [], next: 9, head: 5 })
})

test.each([
  ['view=team', 'Cannot show the view "team": use "records" or "agent"'],
  ['state=2', 'Cannot use state: give a whole number from 0 to 1'],
  ['state=yes', 'Cannot use state: give a whole number from 0 to 1'],
  ['depth=-1', 'Cannot use depth: give a whole number from 0 to 1000'],
])('?%s is refused', async (query, detail) => {
  const { ask } = await mounted()
  for (const more of [STREAM, {}]) {
    const response = await ask(query, more)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_query', detail })
  }
})
