import { expect, test } from 'vitest'
import { app, closing, mounted, report, responder } from '../mounted-routes.fixture.ts'

test('a role begins a thread, and sees its view of it; its records name the person', async () => {
  const { ask } = await mounted()
  const begun = await ask('/api/threads/t/events', responder, report)
  expect(begun).toMatchObject({ status: 200, body: { refused: [], state: { reports: 1 } } })
  expect(begun.body['records']).toMatchObject([
    { origin: { source: 'ui', surface: 'responder', actor: 'ann' } },
  ])
  await ask(
    '/api/threads/t/events',
    { role: 'operator' },
    { events: [{ type: 'closed', data: {} }] },
  )
  const seen = await ask('/api/threads/t/events', responder)
  expect(seen.body).toMatchObject({ head: 1, records: [{ type: 'reported' }] })
  const { body: whole } = await ask('/api/threads/t/state', { role: 'auditor' })
  expect(whole).toMatchObject({ state: { reports: 1, secret: 'the key' } })
})

const auditor = { role: 'auditor' }

test.each([
  ['propose', 'events', auditor, report, '"auditor" may not propose "reported" in "incidents"'],
  ['propose all', 'events', responder, closing, 'it may only with "reported"'],
  ['ask', 'runs', auditor, { agent: 'payer', input: 'Pay' }, '"auditor" may not ask "payer"'],
  ['ask all', 'runs', responder, { agent: 'greeter', input: 'Hi' }, 'it talks with "door" alone'],
  ['answer', 'runs/r/resume', auditor, { values: {} }, 'may not answer what agents ask'],
  ['cancel', 'runs/r/cancel', auditor, {}, 'may not cancel runs'],
  ['forget', 'history/reset', responder, {}, 'only "operator" may'],
])(
  '[X7] a role that may not %s gets an error that names it',
  async (...[, path, caller, body, why]) => {
    const { ask } = await mounted()
    await ask('/api/threads/t/events', responder, report)
    const answer = await ask(`/api/threads/t/${path}`, caller, body)
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body['detail']).toContain(why)
  },
)

test('[X7] a role that may not begin finds no thread', async () => {
  const { ask, throughline } = await mounted()
  const answer = await ask('/api/threads/t/events', { role: 'auditor' }, report)
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await throughline.log.head('t')).toBe(-1)
})

test('[X7] who may begin is told which agents there are for their role, where they misspell one', async () => {
  const { ask } = await mounted()
  const asked = { agent: 'payr', input: 'Pay' }
  expect(await ask('/api/threads/t/runs', responder, asked)).toMatchObject({
    status: 404,
    body: { code: 'unknown_agent', detail: expect.stringContaining('"payer"') as string },
  })
  expect((await ask('/api/threads/t/runs', auditor, asked)).body['code']).toBe('not_found')
})

test('an event that comes with a run is of the role’s surface, as one that comes alone', async () => {
  const { ask, throughline } = await mounted()
  const { events } = report
  const asked = { agent: 'payer', input: 'Pay', events }
  expect(await ask('/api/threads/t/runs', responder, asked)).toMatchObject({ status: 202 })
  for await (const records of throughline.log.read('t')) {
    const found = records.find(({ type }) => type === 'reported')
    expect(found?.origin).toMatchObject({ source: 'ui', surface: 'responder', actor: 'ann' })
  }
})

test('[X7] a question that is put on a surface is answered there', async () => {
  const { ask, throughline } = await mounted()
  const { result, run } = throughline.turn('t', { agent: 'guard', input: 'Open' })
  await result
  const values = { values: { approved: true } }
  const refused = await ask(`/api/threads/t/runs/${run}/resume`, responder, values)
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const gate = { role: 'responder', surface: 'gate' }
  expect(await ask(`/api/threads/t/runs/${run}/resume`, gate, values)).toMatchObject({
    status: 202,
  })
})

test('a key belongs to one person: another’s request under it is done as well', async () => {
  const { ask } = await mounted()
  const key = { 'idempotency-key': 'k' }
  const ann = await ask('/api/threads/t/events', responder, report, key)
  const bob = { role: 'responder', actor: 'bob' }
  const again = await ask('/api/threads/t/events', responder, report, key)
  const other = await ask('/api/threads/t/events', bob, report, key)
  expect(again.body).toEqual(ann.body)
  expect(other.body).toMatchObject({ state: { reports: 2 } })
})

test('a role that may cancel cancels runs on its own surface and on none, and no others', async () => {
  const { ask, throughline } = await mounted()
  const started = await ask('/api/threads/t/runs', responder, { agent: 'payer', input: 'Pay' })
  await expect
    .poll(async () => (await throughline.app(app).gate.snapshot('t')).pauses.waiting)
    .toHaveLength(1)
  const cancel = (run: unknown) => ask(`/api/threads/t/runs/${String(run)}/cancel`, responder, {})
  expect(await cancel(started.body['runId'])).toMatchObject({ status: 202 })
  const guarded = throughline.turn('t', { agent: 'guard', input: 'Open' })
  await guarded.result
  expect(await cancel(guarded.run)).toMatchObject({ status: 409 })
})

test('an approval names who gave it', async () => {
  const { ask, throughline } = await mounted()
  const started = await ask('/api/threads/t/runs', responder, { agent: 'payer', input: 'Pay' })
  expect(started.status).toBe(202)
  const { runId } = started.body
  await expect
    .poll(async () => (await throughline.app(app).gate.snapshot('t')).pauses.waiting)
    .toHaveLength(1)
  const bob = { role: 'responder', actor: 'bob' }
  const given = await ask(`/api/threads/t/runs/${String(runId)}/resume`, bob, {
    values: { approved: true },
  })
  expect(given.status).toBe(202)
  const { body } = await ask('/api/threads/t/events', { role: 'auditor' })
  const records = body['records'] as { type: string; origin: { actor?: string } }[]
  const starts = records.filter(({ type }) => type === 'RUN_STARTED')
  expect(starts.map(({ origin }) => origin.actor)).toEqual(['ann', 'bob'])
})
