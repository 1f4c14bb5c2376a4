import { expect, onTestFinished, test, vi } from 'vitest'
import type { Role } from '../application/index.ts'
import { SEARCH_TEXT_RECORDS_MAX } from '../faces/index.ts'
import { clinicApp, PLANTED } from './clinic.fixture.ts'
import type { Clinic } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import type { Authenticate, Caller } from './index.ts'
import { byHeader, mounted } from './mounted-routes.fixture.ts'
import { SEARCH_TIME_MAX_MS } from './routes/thread-search.ts'

interface Find {
  readonly thread: string
  readonly seq: number
  readonly type: string
  readonly text: string
}
interface Answer {
  readonly found: readonly Find[]
  readonly searched: { readonly threads: number; readonly records: number }
  readonly unread?: readonly string[]
  readonly next?: string
}

const auditor = { role: 'auditor', actor: 'ann' }
const roles = { auditor: { read: 'redacted' }, matron: { read: 'all' } } as const

/** Eve may not enter threads whose names begin with "other". */
const notOthers: Authenticate = (request, thread) => {
  const caller = byHeader(request, thread) as Caller
  return caller.actor === 'eve' && thread?.startsWith('other') ? undefined : caller
}

async function searched(served = clinicApp(roles), authenticate = notOthers) {
  const { ask, throughline } = await mounted({ authenticate }, served)
  const search = async (caller: object, q: string, more = '') => {
    const { status, body } = await ask(`/api/search?q=${encodeURIComponent(q)}${more}`, caller)
    return { status, ...(body as unknown as Answer) }
  }
  /** All finds, page by page. */
  const all = async (caller: object, q: string, limit: number) => {
    const found: Find[] = []
    let more = `&limit=${limit}`
    for (let pages = 0; pages < 100; pages++) {
      const { next, found: page } = await search(caller, q, more)
      found.push(...page)
      if (next === undefined) return found.map(({ thread, seq }) => `${thread} ${seq}`)
      more = `&limit=${limit}&after=${next}`
    }
    throw new Error('The search does not end')
  }
  return { throughline, ask, search, all }
}

const spoken = (id: string, ...deltas: readonly string[]) => [
  { type: 'TEXT_MESSAGE_START', data: { messageId: id, role: 'assistant' } },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', data: { messageId: id, delta } })),
  { type: 'TEXT_MESSAGE_END', data: { messageId: id } },
]

test('a role that reads all finds what people, models, tools and events said; a redacted one none of it', async () => {
  const { throughline, search } = await searched()
  await visit(throughline)
  for (const text of Object.values(PLANTED).map(String)) {
    expect([text, (await search(auditor, text)).found]).toEqual([text, []])
    // Only the raw output of the model holds what a tag of an unknown type said.
    if (text === PLANTED.refusedData) continue
    const [first] = (await search({ role: 'matron' }, text.toUpperCase())).found
    expect(first?.text.toLowerCase()).toContain(text.toLowerCase())
  }
  const { found } = await search(auditor, 'north')
  expect(found).toMatchObject([{ thread: 't', app: 'clinic', type: 'moved', text: 'north' }])
  expect((await search(auditor, 'redacted')).found).toEqual([])
})

test('nothing of an erased person is found', async () => {
  const app = { ...clinicApp(roles), erasable: true }
  const { throughline, search } = await searched(app)
  await visit(throughline)
  await throughline.erase('t', { by: 'ann', why: 'asked' })
  for (const text of Object.values(PLANTED).map(String)) {
    expect([text, (await search({ role: 'operator' }, text)).found]).toEqual([text, []])
  }
})

test('nobody finds anything in a thread that they may not enter, and a cursor lets nobody in', async () => {
  const { throughline, search } = await searched()
  for (const thread of ['mine', 'other-1', 'other-2']) {
    await throughline.propose(thread, [{ type: 'moved', data: { ward: 'north' } }])
  }
  const threadsFor = async (actor: string, more?: string) =>
    (await search({ role: 'matron', actor }, 'north', more)).found.map(({ thread }) => thread)
  expect(await threadsFor('ann')).toEqual(['other-2', 'other-1', 'mine'])
  expect(await threadsFor('eve')).toEqual(['mine'])
  const forged = Buffer.from(JSON.stringify({ thread: 'other-1', from: 0, told: -1 }))
  expect(await threadsFor('eve', `&after=${forged.toString('base64url')}`)).toEqual([])
})

test('a forged cursor skips no more than the records that a text may be spread over', async () => {
  const { throughline, search } = await searched()
  const events = Array.from({ length: 200 }, () => ({ type: 'moved', data: { ward: 'south' } }))
  for (let count = 0; count < SEARCH_TEXT_RECORDS_MAX; count += events.length)
    await throughline.propose('t', events)
  await throughline.propose('t', [
    { type: 'moved', data: { ward: 'north' } },
    { type: 'moved', data: { ward: 'north' } },
  ])
  const forged = Buffer.from(JSON.stringify({ thread: 't', told: Number.MAX_SAFE_INTEGER }))
  const more = `&after=${forged.toString('base64url')}`
  const { found } = await search({ role: 'matron' }, 'north', more)
  expect(found.map(({ seq }) => seq)).toEqual([SEARCH_TEXT_RECORDS_MAX + 1])
})

test('a search takes a thread in each answer, even where reaching one takes all its time', async () => {
  const now = performance.now.bind(performance)
  let lateMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + lateMs)
  onTestFinished(() => clock.mockRestore())
  const slow: Authenticate = (request, thread) => {
    if (thread !== undefined) lateMs += 2 * SEARCH_TIME_MAX_MS
    return byHeader(request, thread)
  }
  const { throughline, search } = await searched(clinicApp(roles), slow)
  for (const thread of ['a', 'b', 'c'])
    await throughline.propose(thread, [{ type: 'moved', data: { ward: 'north' } }])
  const found: string[] = []
  let more = ''
  for (let answers = 0; answers < 4; answers++) {
    const answer = await search({ role: 'matron' }, 'north', more)
    found.push(...answer.found.map(({ thread }) => thread))
    more = `&after=${answer.next ?? ''}`
    if (answer.next === undefined) break
  }
  expect(found).toEqual(['c', 'b', 'a'])
})

test('a thread whose view throws is named, and the others are searched', async () => {
  const broken: Role<Clinic> = {
    read: {
      record: (record) => {
        if (record.thread === 'bad') throw new Error('no view')
        return record
      },
      state: () => null,
    },
  }
  const { throughline, search } = await searched(clinicApp({ ...roles, broken }))
  for (const thread of ['good', 'bad']) {
    await throughline.propose(thread, [{ type: 'moved', data: { ward: 'north' } }])
  }
  const { found, unread, next } = await search({ role: 'broken', actor: 'ann' }, 'north')
  expect(found.map(({ thread }) => thread)).toEqual(['good'])
  expect([unread, next]).toEqual([['bad'], undefined])
})

test('a text that came in parts is found as a whole, at the part in which the hit begins', async () => {
  const { throughline, search } = await searched()
  await throughline.propose('t', [{ type: 'moved', data: { ward: 'west' } }])
  await throughline.log.append('t', [
    ...spoken('a', 'The caf', 'E\u0301 in \uff2d', 'unich is closed'),
    ...spoken('b', 'unended Munich').slice(0, -1),
  ])
  const { found } = await search({ role: 'matron' }, 'café in munich')
  expect(found).toMatchObject([
    { seq: 2, type: 'TEXT_MESSAGE_CONTENT', text: 'The cafÉ in Munich is closed' },
  ])
  expect((await search({ role: 'matron' }, 'MUNICH')).found.map(({ seq }) => seq)).toEqual([3, 7])
})

test('the pages of a search tell each find once, the thread that moved last first', async () => {
  const { throughline, all } = await searched()
  for (const thread of ['a', 'b', 'c']) {
    await throughline.propose(thread, [
      { type: 'moved', data: { ward: 'west wing' } },
      { type: 'moved', data: { ward: 'east' } },
    ])
  }
  const moved = { type: 'moved', data: { ward: 'west wing' } }
  const [start, ...parts] = spoken('m', 'the ', 'WEST', ' wing')
  // Another record comes while a text goes on.
  await throughline.log.append('a', [
    ...(start ? [start] : []),
    ...parts.slice(0, 1),
    moved,
    ...parts.slice(1),
    ...spoken('n', 'west', ' wing'),
  ])
  const expected = ['a 0', 'a 4', 'a 5', 'a 9', 'c 0', 'b 0']
  for (const limit of [1, 2, 3, 100]) {
    expect(await all({ role: 'matron' }, 'west wing', limit)).toEqual(expected)
  }
})

test('a search has two characters at least, and a sender one search at a time', async () => {
  const { search } = await searched()
  for (const q of ['', 'a', ' a ', 'a'.repeat(201)]) {
    expect(await search(auditor, q)).toMatchObject({ status: 400, code: 'invalid_query' })
  }
  expect(await search(auditor, 'ab', '&after=xyz')).toMatchObject({ status: 400 })
  const both = await Promise.all([search(auditor, 'ab'), search(auditor, 'ab')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
})
