import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { SlowHeadLog, guarded, serveCallers } from './callers.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const ann = { subject: 'ann', agents: ['clerk', 'payer'] }

const READS = ['events', 'events?view=agent', 'state', 'verify', 'export']

test('[X7] a caller enters the threads that its subject began; a foreign one is like none', async () => {
  const { call, issue, run, throughline } = await serveCallers(guarded)
  const [mine, others, again] = [
    await issue(ann),
    await issue({ ...ann, subject: 'bob' }),
    await issue({ subject: 'ann', agents: ['clerk'] }),
  ]
  const thread = randomUUID()
  await run(thread, mine.token, 'clerk')
  const filed = randomUUID()
  await throughline.as({ source: 'ui', actor: 'bob' }).propose(filed, [{ type: 'filed', data: {} }])
  const ask = async (path: string, token: string, body?: unknown) => {
    const { status, body: answer } = await call(path, { token, ...(body ? { body } : {}) })
    return { status, answer }
  }
  for (const what of READS) {
    for (const token of [mine.token, again.token]) {
      expect((await ask(`/api/threads/${thread}/${what}`, token)).status, what).toBe(200)
    }
    const unknown = await ask(`/api/threads/${randomUUID()}/${what}`, others.token)
    expect(unknown.status).toBe(404)
    expect(await ask(`/api/threads/${thread}/${what}`, others.token)).toEqual(unknown)
    // The subject began the case, but cases accept no callers.
    expect(await ask(`/api/threads/${filed}/${what}`, others.token)).toEqual(unknown)
  }
  const before = await throughline.log.head(thread)
  for (const [path, body] of [
    ['runs', { agent: 'clerk', input: 'hi' }],
    ['runs/r/resume', { values: {} }],
    ['runs/r/cancel', {}],
    ['history/reset', {}],
    ['tokens', { role: 'caller' }],
    ['tokens/revoke', { role: 'caller' }],
    ['events', { events: [{ type: 'filed', data: {} }] }],
  ] as const) {
    expect((await ask(`/api/threads/${thread}/${path}`, others.token, body)).status, path).toBe(404)
  }
  expect(await throughline.log.head(thread)).toBe(before)
})

test('[X7] a caller asks the agents that its token names and no others, in its own thread too', async () => {
  const { call, issue, run, log } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  for (const agent of ['payer', 'customer', 'no-such-agent']) {
    const thread = randomUUID()
    const refused = await run(thread, token, agent)
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body['detail']).toContain('its token is for "clerk"')
    expect(await log.head(thread)).toBe(-1)
  }
  const thread = randomUUID()
  await run(thread, token, 'clerk')
  const refused = await run(thread, token, 'payer')
  expect(refused.body['detail']).toBe(
    '"caller" may not ask "payer" in "desk": it may only with "clerk"',
  )
  const proposed = { events: [{ type: 'filed', data: {} }] }
  expect((await call(`/api/threads/${thread}/events`, { token, body: proposed })).status).toBe(403)
  const opening = await call(`/api/threads/${randomUUID()}/events`, { token, body: proposed })
  expect(opening.status).toBe(403)
})

test('[X7] no caller begins a thread of the server’s own', async () => {
  const { issue, run, log } = await serveCallers(guarded)
  const { token } = await issue(ann)
  for (const thread of ['throughline.caller-tokens', 'throughline-requests', 'throughline.x']) {
    expect((await run(thread, token, 'clerk')).status).toBe(404)
    expect(await log.head(thread)).toBe(-1)
  }
})

test('[X7] of two callers who begin one thread at once, one begins it and the other adds nothing', async () => {
  const { issue, run, log } = await serveCallers({ ...guarded, Log: SlowHeadLog })
  const tokens = await Promise.all(
    ['ann', 'bob', 'eve', 'joe'].map((subject) => issue({ ...ann, subject })),
  )
  for (let round = 0; round < 3; round++) {
    const thread = randomUUID()
    const answers = await Promise.all(tokens.map(({ token }) => run(thread, token, 'clerk')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409])
    const records = await recordsOf(log, thread)
    expect(new Set(records.map(({ origin }) => origin.turn)).size).toBe(1)
  }
})

test('a caller sees what agents say and do; notes to the model and a domain’s state stay hidden', async () => {
  const { call, issue, run } = await serveCallers(guarded)
  const { token } = await issue({ subject: 'ann', agents: ['clerk', 'seller'] })
  const thread = randomUUID()
  await run(thread, token, 'clerk')
  const path = `/api/threads/${thread}`
  await vi.waitFor(async () => {
    expect((await call(`${path}/events?view=agent`, { token })).text).toContain('turn_end')
  })
  const shown = await call(`${path}/events?view=agent`, { token })
  expect(shown.text).toContain('Heard: hello')
  expect(shown.text).toContain('prompt_started')
  const all = [
    shown,
    await call(`${path}/events`, { token }),
    await call(`${path}/export`, { token }),
  ]
  for (const { text } of all) expect(text).not.toContain('a word to the model')
  expect((await call(`${path}/state`, { token })).body['state']).toEqual({})

  const bought = randomUUID()
  await run(bought, token, 'seller')
  expect((await call(`/api/threads/${bought}/state`, { token })).body['state']).toEqual({
    open: true,
  })
})

test('a caller answers and cancels what runs in its thread', async () => {
  const { call, issue, run } = await serveCallers(guarded)
  const { token } = await issue(ann)
  const [answered, left] = [randomUUID(), randomUUID()]
  const asked = await run(answered, token, 'payer')
  const path = `/api/threads/${answered}`
  const seen = async () => (await call(`${path}/events?view=agent`, { token })).text
  await vi.waitFor(async () => expect(await seen()).toContain('wait_for_input'))
  const body = { values: { approved: true } }
  const runId = String(asked.body['runId'])
  expect((await call(`${path}/runs/${runId}/resume`, { token, body })).status).toBe(202)
  await vi.waitFor(async () => expect(await seen()).toContain('Paid.'))
  const other = await run(left, token, 'payer')
  const cancel = `/api/threads/${left}/runs/${String(other.body['runId'])}/cancel`
  expect((await call(cancel, { token, body: {} })).status).toBe(202)
})

test('[X7] a thread that a body names is entered like one in the path', async () => {
  const { call, issue, run } = await serveCallers(guarded)
  const [mine, others] = [
    await issue({ subject: 'ann', agents: ['clerk'] }),
    await issue({ subject: 'bob', agents: ['clerk'] }),
  ]
  const enter = async (token: string, thread: string, agent = 'clerk') => {
    const { status, body } = await call('/agui/asked/enter', { token, body: { thread, agent } })
    return { status, body }
  }
  const thread = randomUUID()
  expect(await enter(mine.token, thread)).toEqual({
    status: 200,
    body: {
      role: 'caller',
      app: 'desk',
      begins: true,
      as: { source: 'ui', surface: 'caller', actor: 'ann' },
    },
  })
  await run(thread, mine.token, 'clerk')
  expect(await enter(mine.token, thread)).toMatchObject({ status: 200, body: { begins: false } })
  const foreign = await enter(others.token, thread)
  expect(foreign.status).toBe(404)
  expect((await enter(mine.token, thread, 'payer')).status).toBe(403)
  for (const odd of ['', 'a\nb', 'throughline.caller-tokens']) {
    expect(await enter(mine.token, odd)).toEqual(foreign)
  }
  expect((await enter('a.b.c', thread)).status).toBe(401)
})

test('[X7] a token of a case enters its own case alone, and no caller token opens a case', async () => {
  const { call, throughline, tokens, log } = await serveCallers(guarded)
  const [own, other] = [randomUUID(), randomUUID()]
  for (const each of [own, other]) {
    await throughline.as({ source: 'ui' }).propose(each, [{ type: 'filed', data: {} }])
  }
  const { token } = await tokens.issue({ thread: own, role: 'customer', generation: 0 })
  const enter = async (given: string, thread: string, agent: string) =>
    (await call('/agui/asked/enter', { token: given, body: { thread, agent } })).status
  expect(await enter(token, own, 'customer')).toBe(200)
  expect(await enter(token, own, 'clerk')).toBe(403)
  expect(await enter(token, other, 'customer')).toBe(404)
  expect(await enter(token, randomUUID(), 'clerk')).toBe(404)
  // The application stopped accepting callers after the token was issued.
  const caller = await tokens.issueCaller({ subject: 'ann', agents: ['customer'] }, 60)
  const fresh = randomUUID()
  expect(await enter(caller.token, fresh, 'customer')).toBe(404)
  expect(await enter(caller.token, own, 'customer')).toBe(404)
  expect(await log.head(fresh)).toBe(-1)
})
