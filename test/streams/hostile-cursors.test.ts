import fc from 'fast-check'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { subscribe } from 'throughline/client'
import { expect, test, vi } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'
import { SpecParser } from './spec-parser.fixture.ts'
import type { Dispatch } from './spec-parser.fixture.ts'
import { serveCase, serveOffice } from './served-threads.fixture.ts'

vi.setConfig({ testTimeout: timesInTier({ quick: 60_000, full: 400_000 }) })

const HEAD = 19
/** Node's limit for a request's head; it answers 431 to a longer one by itself. */
const HEAD_BYTES_MAX = 16_384

interface Cursor {
  readonly query?: string
  readonly lastEventId?: string
}

interface Answer {
  readonly status: number
  readonly code?: string
  /** The stream's frames up to the first one that is neither its opening nor a reset. */
  readonly frames: readonly Dispatch[]
}

/** Asks for a stream with exactly these bytes, and reads until the answer is clear. */
function ask(events: string, token: string | undefined, cursor: Cursor): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(events)
  const query = [search.slice(1), cursor.query ?? ''].filter((part) => part !== '').join('&')
  const headers = {
    accept: 'text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(cursor.lastEventId === undefined ? {} : { 'last-event-id': cursor.lastEventId }),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: `${pathname}?${query}`, headers, agent: false })
    asked.on('error', (error) => {
      // The 431 may be overtaken by the end of the connection, which takes no more of such a head.
      const tooLong = (cursor.query ?? cursor.lastEventId ?? '').length >= HEAD_BYTES_MAX
      if (tooLong) resolve({ status: 431, frames: [] })
      else reject(error)
    })
    asked.on('response', (response) => {
      read(response).then((answer) => {
        asked.destroy()
        resolve(answer)
      }, reject)
    })
    asked.end()
  })
}

async function read(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0
  const frames: Dispatch[] = []
  if (status !== 200) {
    let text = ''
    for await (const bytes of response) text += String(bytes)
    const code = text.startsWith('{') ? (JSON.parse(text) as { code: string }).code : ''
    return { status, code, frames }
  }
  const parser = new SpecParser()
  for await (const bytes of response as AsyncIterable<Buffer>) {
    frames.push(...parser.feed(bytes))
    const settled = frames.some(({ event }) => event === 'reset' || event === 'message')
    if (settled) break
  }
  return { status, frames }
}

/** What became of a cursor: the promise knows `refused`, `reset` and the position that it goes on from. */
function fate({ status, code, frames }: Answer): string {
  if (status === 431 || (status === 400 && code === 'invalid_cursor')) return 'refused'
  if (status !== 200) return `answered ${status} ${code}`
  const [hello, second] = frames
  if (hello?.event !== 'hello' || !second) return 'no hello'
  return second.event === 'reset' ? fateOf(hello, second) : `goes on at ${second.lastEventId}`
}

function fateOf(hello: Dispatch, reset: Dispatch): string {
  const told = JSON.parse(hello.data ?? '') as Record<string, unknown>
  const { epoch, head, state, reason } = JSON.parse(reset.data ?? '') as Record<string, unknown>
  const isWhole = typeof state === 'object' && state !== null && head === HEAD
  return isWhole && epoch === told['epoch'] ? `reset: ${String(reason)}` : 'an empty reset'
}

const HOSTILE: readonly (readonly [Cursor, string])[] = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    '',
    '%20',
    '-2',
    '-0',
    '-1000000',
    '1.0',
    '1.5',
    '1e1',
    '0x10',
    '0b1',
    '1_0',
    '1,0',
    '%2B1',
    '+1',
    '1%20',
    '%201',
    '1%00',
    '%D9%A1%D9%A2',
    '%EF%BC%91',
    '%F0%9D%9F%8F',
    '%',
    '%zz',
    '%ff',
    '[1]',
    '{}',
    "1'--",
    '../1',
    '9007199254740993000',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(4_000)}1`,
  ].map((after) => [{ query: `after=${after}` }, 'refused'] as const),
  ...['NaN', '-2', '1.5', '0x10', '1e3', '5, 6', 'abc', '', '\u00b9', `${'9'.repeat(4_000)}`].map(
    (lastEventId) => [{ lastEventId }, 'refused'] as const,
  ),
  [{ query: 'after=5&after=6' }, 'refused'],
  [{ query: 'after=5&after=5' }, 'refused'],
  [{ query: 'after=5&after=NaN' }, 'refused'],
  [{ query: 'after=5&%61fter=9' }, 'refused'],
  [{ query: 'epoch=a&epoch=b' }, 'refused'],
  [{ query: 'after=5', lastEventId: 'NaN' }, 'refused'],
  [{ query: 'after=NaN', lastEventId: '5' }, 'refused'],
  [{ query: `after=${'9'.repeat(HEAD_BYTES_MAX)}` }, 'refused'],
  [{ query: `after=${'9'.repeat(1_048_576)}` }, 'refused'],
  [{ lastEventId: '9'.repeat(1_048_576) }, 'refused'],
  [{ query: `after=${HEAD + 1}` }, 'reset: future'],
  [{ query: 'after=999999999999999' }, 'reset: future'],
  [{ lastEventId: `${HEAD + 1}` }, 'reset: future'],
  [{ query: 'after=3', lastEventId: '4294967296' }, 'reset: future'],
  [{ query: 'after=4294967296', lastEventId: '3' }, 'reset: future'],
  [{ query: 'after=3&epoch=another' }, 'reset: other_epoch'],
  [{ query: 'after=-1&epoch=another' }, 'reset: other_epoch'],
  [{ query: 'after=3&epoch=' }, 'reset: other_epoch'],
  [{ query: `after=3&epoch=${'e'.repeat(4_000)}` }, 'reset: other_epoch'],
  [{ query: 'after=3&epoch=%00%0D%0Adata:x' }, 'reset: other_epoch'],
  [{ query: 'after=3' }, 'goes on at 4'],
  [{ query: 'after=003' }, 'goes on at 4'],
  [{ query: 'after=3', lastEventId: '7' }, 'goes on at 8'],
  [{ query: 'after=7', lastEventId: '3' }, 'goes on at 8'],
  [{ query: 'after=-1', lastEventId: '7' }, 'goes on at 8'],
  [{ query: 'after=-1' }, 'goes on at 0'],
  [{}, 'goes on at 0'],
]

test('[E2] a cursor that cannot be served is refused or reset, in both views, never served in silence', async ({
  annotate,
}) => {
  const theCase = await serveCase()
  const office = await serveOffice()
  await theCase.busy.flow(HEAD + 1)
  await office.busy.flow(HEAD + 1)
  const readers = [
    { events: theCase.events, token: theCase.token },
    { events: `${theCase.events}?view=agent`, token: theCase.token },
    { events: office.events, token: undefined },
    { events: `${office.events}?view=agent`, token: undefined },
  ]
  let tried = 0
  let silent = 0
  for (const [cursor, expected] of HOSTILE) {
    const what = JSON.stringify(cursor).slice(0, 120)
    for (const { events, token } of readers) {
      const found = fate(await ask(events, token, cursor))
      tried++
      if (!/^(refused|reset: |goes on)/.test(found)) silent++
      // In the view of callers the first visible event may come later than the first record.
      const wanted = expected.startsWith('goes on') ? /^goes on/ : new RegExp(`^${expected}$`)
      expect(found, what).toMatch(wanted)
      if (!events.includes('view')) expect(found, what).toBe(expected)
    }
  }
  expect(silent).toBe(0)
  await annotate(`${silent} of ${tried} hostile or odd cursors served in silence`, 'promise')
})

test('[E2] any text at all is a cursor only if it is a whole number of at least -1', async ({
  annotate,
}) => {
  const { events, token, busy } = await serveCase()
  await busy.flow(HEAD + 1)
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.double().map(String),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    fc.stringMatching(/^[-+ ]?[0-9a-fA-FxXeE._]{1,18}$/),
  )
  let tried = 0
  await fc.assert(
    fc.asyncProperty(odd, async (text) => {
      const isCursor = /^(-1|[0-9]{1,15})$/.test(text)
      // A reader that has everything gets nothing until there is more.
      fc.pre(!isCursor || Number(text) !== HEAD)
      const query = `after=${encodeURIComponent(text.toWellFormed())}`
      const found = fate(await ask(events, token, { query }))
      tried++
      if (!isCursor) expect(found).toBe('refused')
      else expect(found).toMatch(Number(text) <= HEAD ? /^goes on at/ : /^reset: future$/)
    }),
    { numRuns: timesInTier({ quick: 100, full: 2_000 }) },
  )
  await annotate(`0 of ${tried} random cursors taken for what they are not`, 'promise')
})

test('[E2] after a reset the reader has the state, and gets every record from there on', async () => {
  const { events, token, busy } = await serveCase()
  await busy.flow(HEAD + 1)
  const headers = () => ({ authorization: `Bearer ${token}` })
  const state = await fetch(events.replace(/events$/, 'state'), { headers: headers() })
  const seen: unknown[] = []
  for await (const update of subscribe({ url: events, headers, after: 7, epoch: 'another' })) {
    if (update.type === 'reset') {
      seen.push(update.reason, update.state)
      void busy.flow(HEAD + 4)
    }
    if (update.type === 'record') seen.push(update.record.seq)
    if (update.type === 'cursor') seen.push(update.seq)
    if (seen.length === 5) break
  }
  const { state: snapshot } = (await state.json()) as { state: unknown }
  expect(seen).toEqual(['other_epoch', snapshot, HEAD + 1, HEAD + 2, HEAD + 3])
})
