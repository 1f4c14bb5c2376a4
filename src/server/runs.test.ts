import { afterEach, expect, test } from 'vitest'
import type { CallerEvent } from '../activity/index.ts'
import { call, readFrames, serveAgents } from './served-agents.fixture.ts'
import type { Frame, ServedSetting } from './served-agents.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const open: { close(): Promise<void> }[] = []

async function served(setting?: ServedSetting) {
  const office = await serveAgents(setting)
  open.push(office)
  const thread = `${office.url}/api/threads/t`
  const ask = (agent: string, input: string, headers?: Record<string, string>) =>
    call(`${thread}/runs`, { agent, input }, headers)
  return { ...office, thread, ask }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const ended = ({ type, depth }: CallerEvent) => type === 'turn_end' && depth === 0
const eventsIn = (frames: readonly Frame[]) => frames.flatMap(({ event }) => event ?? [])

test('[C010] [C011] [C016] a run is asked for over HTTP and read live as its caller sees it', async () => {
  const { thread, ask } = await served()
  const { status, body } = await ask('clerk', 'What of case 7?')
  expect(status).toBe(202)
  const frames = await readFrames(`${thread}/events?view=agent`, ended)
  const events = eventsIn(frames)
  expect(events[0]).toMatchObject({ type: 'prompt_started', content: 'What of case 7?', depth: 0 })
  expect(events.at(-1)).toMatchObject({
    type: 'turn_end',
    run: body['runId'],
    result: 'I have it. Found: case 7.',
  })
  expect(events.find(({ depth }) => depth === 1)).toMatchObject({
    agent: 'archive',
    path: ['clerk', 'archive'],
    parentRun: body['runId'],
  })
})

test('a run may begin with events of a person: each is decided, and the model gets a note of it', async () => {
  const { thread, log } = await served()
  const events = [{ type: 'unheard_of', data: {} }]
  expect(await call(`${thread}/runs`, { agent: 'clerk' })).toMatchObject({ status: 400 })
  expect(await call(`${thread}/runs`, { agent: 'clerk', events })).toMatchObject({ status: 202 })
  await readFrames(`${thread}/events?view=agent`, ended)
  const types = (await recordsOf(log)).map(({ type }) => type)
  expect(types.slice(0, 4)).toEqual(['RUN_STARTED', 'event_refused', 'CUSTOM', 'STEP_STARTED'])
})

test('an empty list of events asks an agent to go on, and a run may say that it is the first', async () => {
  const { thread } = await served()
  for (const first of [true, false]) {
    const { status, body } = await call(`${thread}/runs`, { agent: 'greeter', events: [], first })
    expect(status).toBe(202)
    const isOver = (event: CallerEvent) => ended(event) && event.run === body['runId']
    const frames = await readFrames(`${thread}/events?view=agent`, isOver)
    const end = { type: 'turn_end', result: `[first: ${first}, bare: true]` }
    expect(eventsIn(frames).at(-1)).toMatchObject(end)
  }
})

test('[C012] [C020] a reader says how deep it wants to see', async () => {
  const { thread, ask } = await served()
  await ask('clerk', 'What of case 7?')
  const all = eventsIn(await readFrames(`${thread}/events?view=agent`, ended))
  const top = eventsIn(await readFrames(`${thread}/events?view=agent&depth=0`, ended))
  expect(top).toEqual(all.filter(({ depth }) => depth === 0))
  expect(top.length).toBeLessThan(all.length)
})

test('[E1] wherever a reader of events comes back, it misses nothing and sees nothing twice', async () => {
  const { thread, ask } = await served()
  await ask('clerk', 'What of case 7?')
  const frames = await readFrames(`${thread}/events?view=agent`, ended)
  for (const [at, { id }] of frames.entries()) {
    if (id === undefined || at === frames.length - 1) continue
    const rest = await readFrames(`${thread}/events?view=agent&after=${id}`, ended)
    const joined = [...eventsIn(frames.slice(0, at + 1)), ...eventsIn(rest)]
    expect(joined).toEqual(eventsIn(frames))
  }
})

test('the same events come as JSON, page by page', async () => {
  const { thread, ask } = await served()
  await ask('clerk', 'What of case 7?')
  const live = eventsIn(await readFrames(`${thread}/events?view=agent`, ended))
  const paged: unknown[] = []
  for (let after = -1, head = 0; after < head;) {
    const { body } = await call(`${thread}/events?view=agent&after=${after}&limit=3`)
    paged.push(...(body['events'] as unknown[]))
    head = Number(body['head'])
    after = Number(body['next'])
  }
  expect(paged).toEqual(live)
})

test('a run that asks for permission is resumed once', async () => {
  const { thread, ask } = await served()
  const { body } = await ask('clerk', 'pay them')
  const run = String(body['runId'])
  const asked = (event: CallerEvent) => event.type === 'wait_for_input'
  const waits = eventsIn(await readFrames(`${thread}/events?view=agent`, asked))
  expect(waits.at(-1)).toMatchObject({ requestKeys: { approved: 'Run pay({"pounds":5})?' } })
  expect((await ask('clerk', 'never mind')).body).toMatchObject({ code: 'waiting_for_input' })

  const wrong = await call(`${thread}/runs/${run}/resume`, { values: { agreed: true } })
  expect([wrong.status, wrong.body['code']]).toEqual([400, 'invalid_values'])
  const resumed = await call(`${thread}/runs/${run}/resume`, { values: { approved: true } })
  expect(resumed.status).toBe(202)
  const events = eventsIn(await readFrames(`${thread}/events?view=agent`, ended))
  expect(events.at(-1)).toMatchObject({ run: resumed.body['runId'], result: 'I have it. Paid 5.' })
  const again = await call(`${thread}/runs/${run}/resume`, { values: { approved: true } })
  expect([again.status, again.body['code']]).toEqual([409, 'not_waiting'])
})

test('a run is stopped by a command, not by a reader that leaves', async () => {
  const { thread, ask } = await served()
  const { body } = await ask('sleeper', 'Rest')
  const run = String(body['runId'])
  await readFrames(`${thread}/events?view=agent`, ({ type }) => type === 'tool_call')
  expect((await call(`${thread}/runs/${run}/cancel`, {})).status).toBe(202)
  const cancelled = ({ type }: CallerEvent) => type === 'turn_cancelled'
  const events = eventsIn(await readFrames(`${thread}/events?view=agent`, cancelled))
  expect(events.filter(cancelled)).toHaveLength(1)
  const again = await call(`${thread}/runs/${run}/cancel`, {})
  expect([again.status, again.body['code']]).toEqual([409, 'not_running'])
})

test('[C031] agents forget their conversation on request, and the log keeps it', async () => {
  const { thread, ask } = await served()
  await ask('clerk', 'Case 7?')
  await readFrames(`${thread}/events?view=agent`, ended)
  expect((await call(`${thread}/history/reset`, {})).status).toBe(200)
  const { body } = await call(`${thread}/events?view=agent`)
  const types = (body['events'] as unknown as readonly CallerEvent[]).map(({ type }) => type)
  expect([types[0], types.at(-1)]).toEqual(['prompt_started', 'reset_history'])
})

test('a request that comes twice under one key runs once', async () => {
  const { thread, ask } = await served()
  const key = { 'idempotency-key': 'k' }
  const [one, two] = await Promise.all([ask('clerk', 'Case 7?', key), ask('clerk', 'Case 7?', key)])
  expect(one).toEqual(two)
  await readFrames(`${thread}/events?view=agent`, ended)
  expect(await ask('clerk', 'Case 7?', key)).toEqual(one)
  const { body } = await call(`${thread}/events?view=agent`)
  const events = body['events'] as unknown as readonly CallerEvent[]
  expect(events.filter(({ type, depth }) => type === 'prompt_started' && depth === 0)).toHaveLength(
    1,
  )
  expect((await ask('clerk', 'Case 8?', key)).body).toMatchObject({ code: 'key_reused' })
})

test.each([
  ['an agent that is not there', '/runs', { agent: 'nobody', input: 'x' }, 404, 'unknown_agent'],
  ['a blank prompt', '/runs', { agent: 'clerk', input: '  ' }, 400, 'invalid_body'],
  ['a run in a thread that is not there', '/runs/x/resume', { values: {} }, 404, 'not_found'],
])('%s is refused with a code', async (...row) => {
  const [, path, body, status, code] = row
  const { thread } = await served()
  const answer = await call(thread + path, body)
  expect([answer.status, answer.body['code']]).toEqual([status, code])
})

test('a view that is not known is refused', async () => {
  const { thread, ask } = await served()
  await ask('clerk', 'Case 7?')
  expect((await call(`${thread}/events?view=x`)).body).toMatchObject({ code: 'invalid_query' })
  expect((await call(`${thread}/events?view=agent&depth=-1`)).status).toBe(400)
})

test('[X7] agents are asked, read and stopped by the operator alone where there is one', async () => {
  const { url, thread, ask } = await served({ operatorToken: 'op' })
  const operator = { authorization: 'Bearer op' }
  expect((await ask('clerk', 'Case 7?')).status).toBe(401)
  expect((await ask('clerk', 'Case 7?', operator)).status).toBe(202)
  expect((await ask('clerk', 'Case 7?')).status).toBe(401)
  expect((await call(`${thread}/events`)).status).toBe(401)
  expect((await call(`${thread}/runs/x/cancel`, {})).status).toBe(401)
  expect((await call(`${url}/api/agents/served`)).status).toBe(401)
  const { body } = await call(`${url}/api/agents/served`, undefined, operator)
  expect(body['agents']).toMatchObject([
    { name: 'clerk', application: 'office', tools: ['pay'], agents: ['archive'] },
    { name: 'sleeper' },
    { name: 'greeter' },
    { name: 'newcomer' },
  ])
})

test('the operator’s token opens pages through a cookie that a page of another role does not use', async () => {
  const { url, thread, ask } = await served({ operatorToken: 'op' })
  await ask('clerk', 'Case 7?', { authorization: 'Bearer op' })
  const response = await fetch(`${url}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'op' }),
  })
  expect(await response.json()).toEqual({ role: 'operator' })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/)
  const bearing = { cookie: cookie.split(';')[0] ?? '' }
  expect((await call(`${thread}/events`, undefined, bearing)).status).toBe(200)
  const acting = { ...bearing, 'throughline-role': 'customer' }
  expect((await call(`${thread}/events`, undefined, acting)).status).toBe(401)
})
