import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import type { SubscribeOptions, ThreadUpdate } from './index.ts'
import { subscribe } from './index.ts'
import {
  HTML,
  URL_OF_THREAD,
  hello,
  hidden,
  problem,
  record,
  reset,
  served,
  stored,
  stream,
  utf8,
} from './scripted-stream.fixture.ts'

async function take(options: SubscribeOptions, count = Infinity): Promise<ThreadUpdate[]> {
  const updates: ThreadUpdate[] = []
  for await (const update of subscribe(options)) {
    updates.push(update)
    if (updates.length === count) break
  }
  return updates
}

function brief(updates: readonly ThreadUpdate[]): string[] {
  return updates.map((update) => {
    if (update.type === 'record') return `record ${update.record.seq}`
    if (update.type === 'cursor') return `cursor ${update.seq}`
    if (update.type === 'reset') return `reset ${update.head}`
    return 'error' in update ? `${update.status} ${update.error.code}` : update.status
  })
}

test('a stream is one in whatever case its content type is written', async () => {
  const { options } = served(() => {
    const { body } = stream([hello(0) + record(0)])
    return new Response(body, { headers: { 'content-type': 'Text/Event-Stream' } })
  })
  expect(brief(await take(options, 3))).toContain('record 0')
})

test('[E11] records arrive in order, and hidden ones move the cursor', async () => {
  const { options, requests } = served(
    () => stream([hello(2) + record(0) + hidden(1) + record(2), hidden(3)]),
    () => stream([hello(4), hidden(4)], 'open'),
  )
  const updates = await take(options, 9)
  expect(brief(updates)).toEqual([
    'connecting',
    'live',
    'record 0',
    'cursor 1',
    'record 2',
    'cursor 3',
    'reconnecting network',
    'live',
    'cursor 4',
  ])
  expect(updates[1]).toEqual({ type: 'status', status: 'live', head: 2, epoch: 'e1' })
  expect(updates[2]).toEqual({ type: 'record', record: stored(0) })
  expect(requests.map((request) => request.url)).toEqual([
    `${URL_OF_THREAD}?after=-1`,
    `${URL_OF_THREAD}?after=3&epoch=e1`,
  ])
})

test('a subscription starts after what the reader has, beside the query of its address', async () => {
  const { options, requests } = served(() => stream([hello(6, 'e 1') + record(6)]))
  const url = `${URL_OF_THREAD}?tenant=7`
  const updates = await take({ ...options, url, after: 5, epoch: 'e 1' }, 3)
  expect(brief(updates)).toEqual(['connecting', 'live', 'record 6'])
  expect(requests[0]?.url).toBe(`${url}&after=5&epoch=e+1`)
})

test('[E1] what the reader has already is dropped', async () => {
  const { options } = served(
    () => stream([hello(1) + record(0) + record(1)]),
    () => stream([hello(2) + record(0) + record(1) + record(1) + record(2)], 'open'),
  )
  const updates = await take(options, 7)
  expect(brief(updates).slice(2)).toEqual([
    'record 0',
    'record 1',
    'reconnecting network',
    'live',
    'record 2',
  ])
})

test('[E1] a gap is never delivered: the stream is resumed before it', async () => {
  const { options, requests } = served(
    () => stream([hello(3) + record(0) + record(1) + record(3)], 'open'),
    () => stream([hello(3) + record(2) + record(3)], 'open'),
  )
  const updates = await take(options, 8)
  expect(brief(updates).slice(2)).toEqual([
    'record 0',
    'record 1',
    'reconnecting protocol',
    'live',
    'record 2',
    'record 3',
  ])
  expect(requests[1]?.url).toContain('after=1&')
})

test.each([
  ['a gap', hello(9) + record(7)],
  ['a stream without hello', record(0)],
  ['an id that is no position', hello(0) + `id: 0x0\ndata: {}\n\n`],
  ['a record under another id', hello(0) + `id: 0\ndata: ${JSON.stringify(stored(1))}\n\n`],
  ['data that is not JSON', hello(0) + 'id: 0\ndata: {\n\n'],
  ['a hello without an epoch', 'event: hello\ndata: {"head":0}\n\n'],
  ['a reset without a state', hello(0) + 'event: reset\ndata: {"epoch":"e1","head":0}\n\n'],
  ['a part of a record without a position', `${hello(0)}data: {}\n\n${record(0)}`],
  ['a frame without end', hello(0) + `data: ${'x'.repeat(9 * 1024 * 1024)}`],
])('%s, again and again, is refused in the end', async (_fault, wire) => {
  const { options, requests } = served(() => stream([wire], 'open'))
  const updates = await take(options)
  expect(brief(updates).at(-1)).toBe('refused protocol')
  expect(requests).toHaveLength(5)
  expect(updates.some((update) => update.type === 'record')).toBe(false)
})

test('a fault that is got over does not count towards a refusal', async () => {
  const fault = hello(9) + record(7)
  const faults = Array.from({ length: 4 }, () => () => stream([fault], 'open'))
  const { options, requests } = served(
    ...faults,
    () => stream([hello(9) + record(0)]),
    () => stream([fault], 'open'),
  )
  expect(brief(await take(options)).at(-1)).toBe('refused protocol')
  expect(requests).toHaveLength(4 + 1 + 5)
})

test('a page in place of the stream is refused in the end', async () => {
  const { options } = served(() => new Response('<h1>Welcome</h1>', HTML))
  expect(brief(await take(options)).at(-1)).toBe('refused protocol')
})

test('[E2] a reset replaces the received records and goes on from its head', async () => {
  const { options, requests } = served(
    () => stream([hello(0) + record(0)]),
    () => stream([hello(41, 'e2') + reset(41, 'e2') + record(42)]),
    () => stream([hello(43, 'e2') + record(43)], 'open'),
  )
  const updates = await take(options, 9)
  expect(brief(updates).slice(3)).toEqual([
    'reconnecting network',
    'reset 41',
    'record 42',
    'reconnecting network',
    'live',
    'record 43',
  ])
  expect(updates[4]).toEqual({
    type: 'reset',
    reason: 'epoch',
    epoch: 'e2',
    head: 41,
    state: { at: 41 },
  })
  expect(requests[2]?.url).toContain('after=42&epoch=e2')
})

test.each([
  ['another epoch', hello(9, 'e2') + record(5) + record(6)],
  ['a head before the cursor', hello(3) + record(3)],
])('[E2] %s without a reset is not passed over in silence', async (_what, wire) => {
  const { options } = served(() => stream([wire], 'open'))
  const updates = await take({ ...options, after: 5, epoch: 'e1' })
  expect(brief(updates).at(-1)).toBe('refused protocol')
})

test.each([400, 401, 403, 404, 410])('an answer of %i is final', async (status) => {
  const { options, requests } = served(() => problem(status))
  const updates = await take(options)
  expect(brief(updates)).toEqual(['connecting', 'refused problem'])
  expect(updates[1]).toMatchObject({ error: { problem: { status, code: 'not_you' } } })
  expect(requests).toHaveLength(1)
})

test.each([
  ['204', () => new Response(null, { status: 204 })],
  ['429', () => problem(429)],
  ['500', () => problem(500)],
  ['502 of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502, ...HTML })],
  ['503', () => problem(503)],
  ['failed fetch', () => failedFetch()],
  ['stream that ends at once', () => stream([])],
])('[E6] after a %s the stream is asked for again', async (_what, answer) => {
  const { options } = served(answer, answer, () => stream([hello(0) + record(0)], 'open'))
  const updates = await take(options, 5)
  expect(brief(updates).slice(3)).toEqual(['live', 'record 0'])
})

function failedFetch(): Response {
  throw new TypeError('fetch failed')
}

test('pauses double up to a cap, with the whole pause left to chance', async () => {
  const { options, pausesMs } = served(() => problem(503))
  await take(options, 9)
  expect(pausesMs).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  const lucky = served(() => problem(503))
  await take({ ...lucky.options, random: () => 0 }, 5)
  expect(lucky.pausesMs).toEqual([0, 0, 0])
})

test('the server sets the pause by retry and Retry-After, up to the cap', async () => {
  const { options, pausesMs } = served(
    () => stream(['retry: 4\n\n']),
    () => problem(503, { 'retry-after': '2' }),
    () => problem(429, { 'retry-after': '3600' }),
    () => problem(503, { 'retry-after': 'Fri, 20 Nov 2026 12:00:00 GMT' }),
    () => stream([`retry: 0\n\n${hello(0)}${record(0)}`]),
    () => stream([hello(0)]),
  )
  await take(options, 9)
  expect(pausesMs).toEqual([4, 2008, 8000, 32, 1])
})

test('a heartbeat after the opening counts as success, the opening alone does not', async () => {
  const { options, pausesMs } = served(
    () => stream([hello(-1)]),
    () => stream([hello(-1)]),
    () => stream([hello(-1), ': still here\n\n']),
    () => stream([hello(-1)]),
  )
  await take(options, 10)
  expect(pausesMs).toEqual([500, 1000, 500, 1000])
})

test('[E5] however the bytes are split, every text arrives as it was', async () => {
  const nasty = '\r\n\r\n\n\nid: 9\ndata: {}\u2028\u2029\u0085\0\uFEFF😀\uD800é"\\'
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
      fc.array(fc.nat(600), { maxLength: 12 }),
      async (texts, cuts) => {
        const payloads = [nasty, ...texts]
        const wire = utf8(hello(9) + payloads.map((data, seq) => record(seq, data)).join(''))
        const { options } = served(() => stream(split(wire, cuts), 'open'))
        const updates = await take(options, payloads.length + 2)
        const records = updates.slice(2).map((update) => 'record' in update && update.record.data)
        expect(records).toEqual(payloads)
      },
    ),
    { numRuns: timesInTier({ quick: 60, full: 200 }) },
  )
})

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const marks = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
  return marks.slice(1).map((end, at) => bytes.subarray(marks[at], end))
}
