import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Fetch } from '../client/index.ts'
import { latestRun } from '../activity/index.ts'
import { call, serveAgents } from '../server/served-agents.fixture.ts'
import { AgentThreadStore, OUTBOX_MAX, ServedAgentsStore } from './index.ts'
import type { AgentThreadSnapshot, AgentThreadStoreOptions } from './index.ts'

let served: Awaited<ReturnType<typeof serveAgents>>
const stops = new Set<() => void>()

beforeAll(async () => {
  served = await serveAgents()
})
afterEach(() => {
  for (const stop of stops) stop()
  stops.clear()
})
afterAll(() => served.close())

const addressOf = (thread: string): string => `${served.url}/api/threads/${thread}`

/** A store with a listener, and all the keys and snapshots that it has had. */
function opened(thread: string, options: Partial<AgentThreadStoreOptions> = {}) {
  const keys: (string | null)[] = []
  const { fetch: send = fetch, ...more } = options
  const counting: Fetch = (url, init) => {
    if (init.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'))
    return send(url, init)
  }
  const store = new AgentThreadStore({ url: addressOf(thread), ...more, fetch: counting })
  const seen: AgentThreadSnapshot[] = []
  stops.add(store.subscribe(() => seen.push(store.getSnapshot())))
  return { store, keys, seen, now: () => store.getSnapshot() }
}

const until = async (check: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(check()).toBe(true))

const statuses = ({ pending }: AgentThreadSnapshot): readonly string[] =>
  pending.map(({ request, state }) => `${request.kind} ${state.status}`)
const latest = ({ tree }: AgentThreadSnapshot) => latestRun(tree)

/** Lets requests of these addresses pass only once it is released. */
function gate(pattern: RegExp, when: 'before' | 'after' = 'before') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held: Fetch = async (url, init) => {
    if (!pattern.test(url)) return fetch(url, init)
    if (when === 'before') await promise
    const response = await fetch(url, init)
    await promise
    return response
  }
  return { fetch: held, release: resolve }
}

test('[surfaces 4] a prompt is pending until the stream shows it, and the first one begins the thread', async () => {
  const events = gate(/\/events/)
  const { store, now, seen } = opened('first', { fetch: events.fetch })
  const asked = store.ask('clerk', 'Look up case 7')
  expect(statuses(now())).toEqual(['ask sending'])
  expect(await asked).toMatchObject({ status: 'accepted' })
  expect(statuses(now())).toEqual(['ask accepted'])
  expect(now()).toMatchObject({ phase: 'opening', tree: { turns: [] } })
  events.release()
  await until(() => latest(now())?.state.status === 'done')
  expect(latest(now())).toMatchObject({ agent: 'clerk', prompt: 'Look up case 7' })
  expect(statuses(now())).toEqual([])
  // At no moment was it shown as pending and as recorded.
  for (const { tree, pending } of seen) expect(tree.turns.length + pending.length).toBe(1)
})

test('a thread that does not exist is absent, and opened once it is begun here', async () => {
  const { store, now } = opened('absent')
  await until(() => now().phase === 'absent')
  await store.ask('clerk', 'Look up case 7')
  await until(() => now().phase === 'opened' && latest(now())?.state.status === 'done')
})

test('[surfaces 5] a prompt whose answer is lost goes again under its key, and is one turn', async () => {
  let cuts = 1
  const { store, now, keys } = opened('lost', {
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (init.method === 'POST' && cuts-- > 0) throw new TypeError('fetch failed')
      return response
    },
  })
  expect(await store.ask('clerk', 'Case 7')).toMatchObject({ error: { code: 'network' } })
  const [failed] = now().pending
  expect(await store.retry(failed?.key ?? '')).toMatchObject({ status: 'accepted' })
  await until(() => now().pending.length === 0)
  await store.ask('clerk', 'Case 8')
  await until(() => now().tree.turns.length === 2)
  expect(keys).toEqual([keys[0], keys[0], keys[2]])
  expect(keys[2]).not.toBe(keys[0])
  expect(now().tree.turns.map(({ runs }) => runs[0]?.prompt)).toEqual(['Case 7', 'Case 8'])
})

test('[surfaces 5] the same prompt twice at once is one, and another one waits for the first', async () => {
  const { store, now, keys } = opened('twice')
  await Promise.all(['Case 7', 'Case 7', 'Case 8'].map((input) => store.ask('clerk', input)))
  expect(keys).toHaveLength(2)
  await until(() => now().tree.turns.length === 2)
})

test('a request that the server refuses for good stays pending, with the reason, until it is forgotten', async () => {
  const { store, now, keys } = opened('refused')
  const problem = { status: 404, code: 'unknown_agent' }
  expect(await store.ask('nobody', 'Hello')).toMatchObject({ error: { final: true, problem } })
  const [failed] = now().pending
  await store.retry(failed?.key ?? '')
  expect(new Set(keys).size).toBe(2)
  expect(statuses(now())).toEqual(['ask failed'])
  for (const { key } of now().pending) store.forget(key)
  expect(now().pending).toEqual([])
  await store.ask('nobody', 'Hello')
  expect(keys).toHaveLength(3)
  expect(await store.retry(failed?.key ?? '')).toEqual({ status: 'ignored' })
})

test('a question carries its tool, arguments and keys, and is open until the stream shows the answer', async () => {
  const resume = gate(/\/resume/, 'after')
  const { store, now } = opened('question', { fetch: resume.fetch })
  await store.ask('clerk', 'Please pay')
  await until(() => now().questions.length > 0)
  const [question] = now().questions
  const [wait] = question?.waits ?? []
  expect(question).toMatchObject({ agent: 'clerk', run: latest(now())?.run })
  expect(wait).toMatchObject({
    reason: 'tool_approval',
    toolName: 'pay',
    arguments: '{"pounds":5}',
    requestKeys: { approved: expect.any(String) },
  })
  expect(await store.answer('another run', {})).toEqual({ status: 'ignored' })
  const answered = store.answer(question?.run ?? '', { approved: true })
  expect(statuses(now())).toEqual(['answer sending'])
  expect(now().questions).toHaveLength(1)
  await until(() => now().questions.length === 0)
  expect(statuses(now())).toEqual([])
  resume.release()
  expect(await answered).toMatchObject({ status: 'accepted' })
  await until(() => latest(now())?.state.status === 'done')
  expect(statuses(now())).toEqual([])
})

test('an answer that arrives too late is pending no longer than its question is open', async () => {
  const resume = gate(/\/resume/)
  const { store, now } = opened('late', { fetch: resume.fetch })
  await store.ask('clerk', 'Please pay')
  await until(() => now().questions.length > 0)
  const run = now().questions[0]?.run ?? ''
  const answered = store.answer(run, { approved: true })
  await call(`${addressOf('late')}/runs/${run}/resume`, { values: { approved: false } })
  await until(() => now().questions.length === 0)
  expect(statuses(now())).toEqual([])
  resume.release()
  expect(await answered).toMatchObject({ status: 'failed', error: { problem: { status: 409 } } })
  expect(statuses(now())).toEqual([])
})

test('an answer that was refused is replaced by the next one', async () => {
  const { store, now } = opened('again')
  await store.ask('clerk', 'Please pay')
  await until(() => now().questions.length > 0)
  const run = now().questions[0]?.run ?? ''
  await store.answer(run, { approved: 'perhaps' })
  expect(statuses(now())).toEqual(['answer failed'])
  const answered = store.answer(run, { approved: true })
  expect(statuses(now())).toEqual(['answer sending'])
  expect(await answered).toMatchObject({ status: 'accepted' })
  await until(() => latest(now())?.state.status === 'done')
})

test('a cancel is pending until the stream shows that the run has ended', async () => {
  const cancels = gate(/\/cancel$/, 'after')
  let clock = 0
  const { store, now, seen } = opened('cancel', { fetch: cancels.fetch, now: () => clock })
  expect(await store.cancel()).toEqual({ status: 'ignored' })
  await store.ask('sleeper', 'Rest')
  await until(() => latest(now())?.items.some(({ kind }) => kind === 'tool') === true)
  const run = latest(now())?.run ?? ''
  const before = seen.length
  const [one, same] = [store.cancel(), store.cancel(run)]
  await until(() => latest(now())?.state.status === 'stopped')
  for (const snapshot of seen.slice(before)) {
    const isOpen = latest(snapshot)?.state.status === 'working'
    expect(statuses(snapshot)).toEqual(isOpen ? ['cancel sending'] : [])
  }
  cancels.release()
  expect(await one).toEqual({ status: 'accepted', run })
  expect(await same).toEqual(await one)
  clock += 1_000
  expect(await store.cancel(run)).toEqual({ status: 'ignored' })
  expect(now().pending).toEqual([])
})

test('no more than a bound of requests is kept, the latest', async () => {
  const fetchNothing: Fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { store, now } = opened('bound', { fetch: fetchNothing })
  for (let count = 0; count <= OUTBOX_MAX; count++) await store.ask('clerk', `${count}`)
  expect(now().pending).toHaveLength(OUTBOX_MAX)
  expect(now().pending[0]?.request).toMatchObject({ input: '1' })
})

test('a server is asked once for its agents, and again when it failed', async () => {
  let cuts = 1
  const agents = new ServedAgentsStore({
    base: `${served.url}/api`,
    fetch: (url, init) => {
      if (cuts-- > 0) throw new TypeError('fetch failed')
      return fetch(url, init)
    },
  })
  expect(agents.getSnapshot()).toEqual({ status: 'asking' })
  stops.add(agents.subscribe(() => undefined))
  stops.add(agents.subscribe(() => undefined))
  await until(() => agents.getSnapshot().status === 'failed')
  agents.look()
  expect(agents.getSnapshot()).toEqual({ status: 'asking' })
  await until(() => agents.getSnapshot().status === 'answered')
  const names = ['clerk', 'sleeper', 'greeter', 'newcomer'].map((name) =>
    expect.objectContaining({ name }),
  )
  expect(agents.getSnapshot()).toEqual({ status: 'answered', agents: names })
  expect(cuts).toBe(-1)
})

test('a snapshot stays the same object until something changes', async () => {
  const { store, now } = opened('same')
  await store.ask('clerk', 'Case 7')
  await until(() => latest(now())?.state.status === 'done')
  const before = now()
  expect(now()).toBe(before)
  await store.ask('clerk', 'Case 8')
  await until(() => now().tree.turns.length === 2)
  expect(now().tree.turns[0]).toBe(before.tree.turns[0])
  expect(before.tree.turns).toHaveLength(1)
})
