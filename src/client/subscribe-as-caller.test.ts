import { expect, test } from 'vitest'
import { InvariantError } from '../assert/index.ts'
import type { CallerUpdate, SubscribeOptions } from './index.ts'
import { subscribe } from './index.ts'
import { URL_OF_THREAD, hello, hidden, reset, served, stream } from './scripted-stream.fixture.ts'

const event = (seq: number, type: string) => JSON.stringify({ seq, type, agent: 'clerk' })
/** All frames of one record: the last one has the id. */
const events = (seq: number, ...types: readonly string[]): string =>
  types
    .map((type, index) => {
      const id = index === types.length - 1 ? `id: ${seq}\n` : ''
      return `${id}data: ${event(seq, type)}\n\n`
    })
    .join('')

async function take(
  options: SubscribeOptions & { readonly depth?: number },
  count: number,
): Promise<string[]> {
  const seen: string[] = []
  for await (const update of subscribe({ ...options, as: 'caller' })) {
    seen.push(brief(update))
    if (seen.length === count) break
  }
  return seen
}

function brief(update: CallerUpdate): string {
  if (update.type === 'events')
    return `${update.seq}: ${update.events.map(({ type }) => type).join(' ')}`
  if (update.type === 'cursor') return `${update.seq}: –`
  if (update.type === 'reset') return `reset ${update.head}`
  return 'error' in update ? `${update.status} ${update.error.code}` : update.status
}

test('[E1] the events of one record arrive together, and records without events move the cursor', async () => {
  const { options, requests } = served(() =>
    stream([hello(2) + events(0, 'tool_call', 'tool_call', 'completion_end') + hidden(1)], 'open'),
  )
  expect(await take({ ...options, depth: 0 }, 4)).toEqual([
    'connecting',
    'live',
    '0: tool_call tool_call completion_end',
    '1: –',
  ])
  expect(requests[0]?.url).toBe(`${URL_OF_THREAD}?view=agent&depth=0&after=-1`)
})

test('[E1] a record whose frames were cut apart comes once and whole', async () => {
  const whole = events(1, 'subagent_result', 'tool_result', 'tool_result')
  const cuts = whole.split(/(?<=\n\n)/)
  const { options, requests } = served(
    () => stream([hello(1) + events(0, 'chat_output') + cuts[0]]),
    () => stream([hello(1) + cuts[0] + cuts[1] + 'id: 1\ndata: {"se']),
    () => stream([hello(1) + events(0, 'chat_output') + whole + events(2, 'turn_end')], 'open'),
  )
  expect((await take(options, 9)).filter((seen) => /^\d/.test(seen))).toEqual([
    '0: chat_output',
    '1: subagent_result tool_result tool_result',
    '2: turn_end',
  ])
  expect(requests.map(({ url }) => new URL(url, 'http://t').searchParams.get('after'))).toEqual([
    '-1',
    '0',
    '0',
  ])
})

test('[E2] frames that waited for their id do not survive a reset', async () => {
  const { options } = served(
    () => stream([hello(3) + events(0, 'chat_output') + `data: ${event(1, 'tool_call')}\n\n`]),
    () => stream([hello(8, 'e2') + reset(8, 'e2') + events(9, 'turn_end')], 'open'),
  )
  expect((await take(options, 6)).slice(4)).toEqual(['reset 8', '9: turn_end'])
})

test.each([
  ['an event of another record', `data: ${event(4, 'tool_call')}\n\n${events(0, 'tool_call')}`],
  ['frames without end or id', `data: "${'x'.repeat(5_000_000)}"\n\n`.repeat(2)],
  ['an event that is none', 'id: 0\ndata: []\n\n'],
])('%s, again and again, is refused in the end', async (_fault, wire) => {
  const { options } = served(() => stream([hello(9) + wire], 'open'))
  expect((await take(options, 20)).at(-1)).toBe('refused protocol')
})

test('reading the view of callers as records is a bug that is named', () => {
  expect(() => subscribe({ url: `${URL_OF_THREAD}?view=agent` })).toThrow(InvariantError)
})
