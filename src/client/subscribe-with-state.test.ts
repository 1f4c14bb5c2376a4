import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { diff } from '../domain/index.ts'
import { applyPatch } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { subscribe } from './index.ts'
import type { StatefulUpdate, SubscribeOptions } from './index.ts'
import { URL_OF_THREAD, hello, record, reset, served, stream } from './scripted-stream.fixture.ts'

const state = (data: object): string => `event: state\ndata: ${JSON.stringify(data)}\n\n`
const set = (n: number) => [{ op: 'replace', path: '/n', value: n }]

async function take(options: SubscribeOptions, count: number): Promise<string[]> {
  const seen: string[] = []
  for await (const update of subscribe({ ...options, state: true })) {
    seen.push(brief(update))
    if (seen.length === count) break
  }
  return seen
}

function brief(update: StatefulUpdate): string {
  if (update.type === 'record') return `record ${update.record.seq}`
  if (update.type === 'state') return `state ${update.seq} ${JSON.stringify(update.state)}`
  if (update.type === 'reset') return `reset ${update.head}`
  if (update.type === 'cursor') return `cursor ${update.seq}`
  if (update.type === 'carried') return `${update.name} ${JSON.stringify(update.data)}`
  return 'error' in update ? `${update.status} ${update.error.code}` : update.status
}

test('the state comes whole first, and then as what each delta makes of it', async () => {
  const { options, requests } = served(() =>
    stream(
      [
        hello(0) + record(0) + state({ seq: 0, state: { n: 0, kept: [1] } }),
        record(1) + state({ seq: 1, base: 0, delta: set(1) }),
        state({ seq: 4, base: 1, delta: [{ op: 'add', path: '/m', value: null }] }),
      ],
      'open',
    ),
  )
  expect(await take(options, 7)).toEqual([
    'connecting',
    'live',
    'record 0',
    'state 0 {"n":0,"kept":[1]}',
    'record 1',
    'state 1 {"n":1,"kept":[1]}',
    'state 4 {"n":1,"kept":[1],"m":null}',
  ])
  expect(requests[0]?.url).toBe(`${URL_OF_THREAD}?state=1&after=-1`)
})

test('[E1] a delta from another base is not applied: the next connection brings the state whole', async () => {
  const { options } = served(
    () => stream([hello(1) + state({ seq: 1, state: { n: 1 } }) + record(0)], 'open'),
    () => stream([hello(1) + record(1) + state({ seq: 3, base: 2, delta: set(3) })], 'open'),
    () => stream([hello(3) + state({ seq: 3, state: { n: 3 } })], 'open'),
  )
  const cut = served(() => stream([hello(1) + state({ seq: 3, base: 2, delta: set(3) })], 'open'))
  expect((await take(cut.options, 20)).at(-1)).toBe('refused protocol')
  const fetch = options.fetch
  let connections = 0
  const seen = await take(
    {
      ...options,
      fetch: async (url, init) => {
        const answer = await fetch?.(url, init)
        if (!answer) throw new TypeError('nothing is served')
        return connections++ === 0 ? cutAfter(answer) : answer
      },
    },
    10,
  )
  expect(seen).toEqual([
    'connecting',
    'live',
    'state 1 {"n":1}',
    'record 0',
    'reconnecting network',
    'live',
    'record 1',
    'reconnecting protocol',
    'live',
    'state 3 {"n":3}',
  ])
})

/** The same, but it ends. */
function cutAfter(answer: Response): Response {
  const reader = answer.body?.getReader()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const first = await reader?.read()
      if (first?.value) controller.enqueue(first.value)
      controller.close()
    },
  })
  return new Response(body, { headers: answer.headers })
}

test('[E2] after a reset the state is the one that follows it', async () => {
  const { options } = served(
    () => stream([hello(3) + record(0) + state({ seq: 0, state: { n: 0 } })]),
    () => stream([hello(8, 'e2') + reset(8, 'e2') + state({ seq: 8, state: { n: 8 } })], 'open'),
  )
  expect((await take(options, 7)).slice(5)).toEqual(
    ['live', 'reset 8'].slice(1).concat('state 8 {"n":8}'),
  )
})

const ticket = 'event: ticket\ndata: {"ticket":"t1"}\n\n'

test('a frame that the application adds is an update under its name', async () => {
  const { options } = served(() =>
    stream([hello(0) + state({ seq: 0, state: {} }) + record(0) + ticket], 'open'),
  )
  expect((await take(options, 5)).slice(2)).toEqual([
    'state 0 {}',
    'record 0',
    'ticket {"ticket":"t1"}',
  ])
})

test('who does not ask for the state gets no update of it, nor of what the application adds', async () => {
  const { options } = served(() =>
    stream([hello(0) + state({ seq: 0, state: {} }) + ticket + record(0)], 'open'),
  )
  const types: string[] = []
  for await (const { type } of subscribe(options)) if (types.push(type) === 3) break
  expect(types).toEqual(['status', 'status', 'record'])
})

// As a log holds it: JSON has no -0.
const anyJson = fc
  .json({ maxDepth: 4, stringUnit: 'binary' })
  .map((text) => JSON.parse(text) as Json)
const anyNames = fc.dictionary(
  fc.constantFrom('a', 'b', '~', '/', '~1', '', '0', '__proto__', 'constructor'),
  anyJson,
  { maxKeys: 5 },
)

test('[E1] what our diff writes leads from any state to any other, and changes neither', () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, anyNames), fc.oneof(anyJson, anyNames), (given, wanted) => {
      // As both come over the wire.
      const [before, after] = [JSON.stringify(given), JSON.stringify(wanted)]
      const from = JSON.parse(before) as Json
      const delta = JSON.parse(JSON.stringify(diff(from, JSON.parse(after) as Json))) as Json
      expect(isDeepStrictEqual(applyPatch(from, delta), JSON.parse(after))).toBe(true)
      expect(JSON.stringify(from)).toBe(before)
    }),
    { numRuns: 1_000 },
  )
})
