import { expect, test } from 'vitest'
import type { Role } from '../application/index.ts'
import { subscribe } from '../client/index.ts'
import type { Fetch, StatefulUpdate } from '../client/index.ts'
import { askAs, allReads, foundIn } from './all-reads.fixture.ts'
import { PLANTED, clinicApp } from './clinic.fixture.ts'
import type { Clinic } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import { mounted } from './mounted-routes.fixture.ts'

const roles = {
  auditor: { read: 'redacted' },
  matron: { read: { state: ({ ward, patient }) => ({ ward, ...patient }), record: 'all' } },
} satisfies Record<string, Role<Clinic>>
const PLACES = ['patient', 'visits.reason']
const OPERATOR = { role: 'operator', actor: 'kim' }

async function started(places?: readonly string[]) {
  const app = { ...clinicApp(roles, places), erasable: true }
  const { throughline, http, ask } = await mounted({}, app)
  const head = await visit(throughline)
  const readBy = (role: string, at = head) => allReads(askAs(http, role), { thread: 't', head: at })
  const subscribed = () => {
    const caller = JSON.stringify({ role: 'desk', actor: 'ann' })
    const fetch: Fetch = (url, init) =>
      http.fetch(
        new Request(url, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), caller },
        }),
      )
    const url = 'http://any.example/api/threads/t/events'
    return { url, fetch, random: () => 0, sleep: async () => undefined }
  }
  return { throughline, ask, readBy, head, subscribed }
}

test.each([{ places: undefined }, { places: PLACES }])(
  '[L4] after an erasure no role reads a planted value on any route, and each route answers, $places',
  async ({ places }) => {
    const { ask, readBy, head } = await started(places)
    expect(foundIn(await readBy('desk'), PLANTED).length).toBeGreaterThan(60)
    const body = { why: 'asked by letter' }
    const erased = await ask('/api/threads/t/erase', OPERATOR, body)
    expect(erased).toMatchObject({
      status: 200,
      body: { erased: { by: 'kim', why: body.why, clear: 0 } },
    })
    for (const role of ['desk', 'auditor', 'matron', 'operator']) {
      const answers = await readBy(role, head + 1)
      expect([...answers.values()].filter((text) => !text.startsWith('200 '))).toEqual([])
      expect(foundIn(answers, PLANTED)).toEqual([])
    }
    const { body: state } = await ask('/api/threads/t/state', OPERATOR)
    expect(state).toMatchObject({ state: { ward: 'east', visits: [{ paid: 12 }] } })
    expect(await ask('/api/threads/t/erase', OPERATOR, { why: 'again' })).toEqual(erased)
  },
)

test('only an operator erases, and says why', async () => {
  const { ask } = await started()
  const why = { why: 'asked by letter' }
  expect((await ask('/api/threads/t/erase', { role: 'desk', actor: 'ann' }, why)).status).toBe(403)
  for (const body of [{}, { why: ' ' }, { why: 'x'.repeat(501) }, { why: 'x', by: 'y' }]) {
    expect((await ask('/api/threads/t/erase', OPERATOR, body)).status).toBe(400)
  }
  expect((await ask('/api/threads/none/erase', OPERATOR, why)).status).toBe(404)
})

test('an erased thread refuses events and runs as erased', async () => {
  const { ask } = await started()
  await ask('/api/threads/t/erase', OPERATOR, { why: 'asked by letter' })
  const desk = { role: 'desk', actor: 'ann' }
  const events = { events: [{ type: 'moved', data: { ward: 'x' } }] }
  for (const [path, body] of [
    ['events', events],
    ['runs', { agent: 'nurse', input: 'Hello' }],
  ] as const) {
    const answer = await ask(`/api/threads/t/${path}`, desk, body)
    expect(answer).toMatchObject({ status: 409, body: { code: 'erased' } })
  }
})

test('[L4] a reader whose stream is open at the erasure drops what it was shown, and reads again what is left', async () => {
  const { ask, subscribed, head } = await started()
  const seen = (updates: readonly StatefulUpdate[]) =>
    foundIn(new Map([['seen', JSON.stringify(updates)]]), PLANTED)
  let shown: StatefulUpdate[] = []
  let isErased = false
  for await (const update of subscribe({ ...subscribed(), state: true })) {
    if (update.type === 'reset') shown = []
    shown.push(update)
    if (update.type !== 'record') continue
    if (update.record.type === 'thread_erased' && shown[0]?.type === 'reset') break
    if (update.record.seq !== head || isErased) continue
    expect(seen(shown).length).toBeGreaterThan(0)
    const answer = await ask('/api/threads/t/erase', OPERATOR, { why: 'asked by letter' })
    isErased = answer.status === 200
  }
  const seqs = shown.flatMap((update) => (update.type === 'record' ? [update.record.seq] : []))
  expect(seqs.slice(0, head + 1)).toEqual(Array.from({ length: head + 1 }, (_, seq) => seq))
  expect(seen(shown)).toEqual([])
})

test('a reader that comes back after the erasure with its old place starts anew, and only once', async () => {
  const { ask, throughline, subscribed, head } = await started()
  await ask('/api/threads/t/erase', OPERATOR, { why: 'asked by letter' })
  const { epoch } = throughline.log
  let next = { after: head, epoch }
  for await (const update of subscribe({ ...subscribed(), ...next })) {
    if (update.type !== 'reset') continue
    expect(update).toMatchObject({
      reason: 'erased',
      head: -1,
      erasedAt: expect.any(Number) as number,
      state: expect.anything() as unknown,
    })
    next = { after: update.head, epoch: update.epoch }
    break
  }
  const seen: string[] = []
  for await (const update of subscribe({ ...subscribed(), ...next })) {
    seen.push(update.type)
    if (update.type === 'record' && update.record.type === 'thread_erased') break
  }
  expect(seen).not.toContain('reset')
  const { body } = await ask('/api/threads/t/events', OPERATOR)
  expect(body).toMatchObject({ epoch: next.epoch })
})
