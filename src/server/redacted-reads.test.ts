import { expect, onTestFinished, test } from 'vitest'
import { toAgui } from '../agui/index.ts'
import { Throughline } from '../application/index.ts'
import type { App, Role } from '../application/index.ts'
import { applied, verified } from '../faces/agui/stock-client.fixture.ts'
import { REDACTED } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { newLog } from '../application/tickets.fixture.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { askAs, allReads, foundIn } from './all-reads.fixture.ts'
import { PLANTED, clinicApp } from './clinic.fixture.ts'
import type { Clinic } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import { routes } from './index.ts'
import { byHeader, mounted, quiet } from './mounted-routes.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const acts = { run: 'all', propose: ['admitted'] } as const
const roles = {
  auditor: { ...acts, read: 'redacted' },
  matron: {
    ...acts,
    read: { state: ({ ward, patient }) => ({ ward, ...patient }), record: 'redacted' },
  },
} satisfies Record<string, Role<Clinic>>
const places = [
  'patient.name',
  'patient.age',
  'patient.smoker',
  'patient.contact',
  'visits.reason',
  'nowhere.at.all',
]
const apps = { traced: clinicApp(roles), declared: clinicApp(roles, places) }

async function started(app: App<Clinic>) {
  const { throughline, http, ask } = await mounted({}, app)
  const head = await visit(throughline)
  const readBy = (role: string) =>
    allReads(askAs(http, role), { thread: 't', head, agents: ['nurse'] })
  const stored = await recordsOf(throughline.log)
  return { throughline, readBy, ask, stored }
}

test.each(['traced', 'declared'] as const)(
  'a redacted role reads no personal value and no text of people and agents on any route, places %s',
  async (places) => {
    const { readBy, ask, stored } = await started(apps[places])
    expect(foundIn(await readBy('desk'), PLANTED).length).toBeGreaterThan(60)
    for (const role of Object.keys(roles)) {
      const answers = await readBy(role)
      expect([...answers.values()].filter((text) => !text.startsWith('200 '))).toEqual([])
      expect(foundIn(answers, PLANTED)).toEqual([])
      const agui = [...toAgui(stored, { app: apps[places], role })]
      expect(foundIn(new Map([['toAgui', JSON.stringify(agui)]]), PLANTED)).toEqual([])
    }
    const { name, age, email } = PLANTED
    const admitted = { name, age, smoker: false, contact: { email }, ward: 'south' }
    const body = { events: [{ type: 'admitted', data: admitted }] }
    const answer = await ask('/api/threads/t/events', { role: 'auditor', actor: 'ann' }, body)
    expect(foundIn(new Map([['answer', JSON.stringify(answer.body)]]), PLANTED)).toEqual([])
    expect(answer.body).toMatchObject({ state: { ward: 'south', patient: { name: REDACTED } } })
  },
)

test.each(['traced', 'declared'] as const)(
  'what is not personal stays: structure, ids, times, names, usage, places %s',
  async (places) => {
    const { throughline, stored } = await started(apps[places])
    const view = throughline.app('clinic').view('auditor')
    const seen = stored.flatMap((record) => view.record(record) ?? [])
    const shapeOf = ({ seq, id, ts, type, origin }: LogRecord) => ({ seq, id, ts, type, origin })
    expect(seen.map(shapeOf)).toEqual(stored.map(shapeOf))
    const first = (type: string) => seen.find((record) => record.type === type)
    expect(first('admitted')?.data).toEqual({
      name: REDACTED,
      age: REDACTED,
      smoker: REDACTED,
      contact: { email: REDACTED },
      ward: 'west',
    })
    expect(first('visited')?.data).toEqual({ reason: REDACTED, paid: 12 })
    expect(seen.flatMap(({ type, data }) => (type === 'event_refused' ? [data] : []))).toEqual([
      { type: 'moved', reason: 'invalid_payload', source: 'ui' },
      { type: 'admitted', reason: 'invalid_payload', source: 'ui' },
      { type: REDACTED, reason: 'unknown_type', source: 'ui' },
      { type: REDACTED, reason: 'not_authorised', source: 'model' },
    ])
    expect(first('TOOL_CALL_START')?.data).toMatchObject({ toolCallName: 'look_up' })
    expect(first('TOOL_CALL_RESULT')?.data).toMatchObject({ content: REDACTED })
    expect(seen.every(({ hash, prev }) => hash === '' && prev === '')).toBe(true)
    const { state } = await view.state('t')
    expect(state).toMatchObject({ ward: 'east', visits: [{ reason: REDACTED, paid: 12 }] })
  },
)

test.each(['traced', 'declared'] as const)(
  'a followed state of a redacted role is at each record what it reads there, places %s',
  async (places) => {
    const { throughline, stored } = await started(apps[places])
    for (const role of Object.keys(roles)) {
      const view = throughline.app('clinic').view(role)
      const followed = await view.follow('t', -1)
      for (const record of stored) {
        followed.take(record)
        expect(followed.state).toEqual((await view.state('t', record.seq)).state)
      }
    }
  },
)

test('an id that is sent again tells a redacted role nothing that the refusal of another quotes', async () => {
  const { ask, stored } = await started(apps.traced)
  const admitted = { name: 'Bo', age: 3, smoker: false, contact: { email: 'b@o' }, ward: 'west' }
  for (const { id, type, data } of stored) {
    if (type !== 'event_refused') continue
    const body = { events: [{ id, type: 'admitted', data: admitted }] }
    const answer = await ask('/api/threads/t/events', { role: 'auditor', actor: 'ann' }, body)
    const { reason } = data as { readonly reason: string }
    expect(answer.body['refused']).toEqual([{ type: 'admitted', reason, detail: '' }])
    expect(foundIn(new Map([['answer', JSON.stringify(answer.body)]]), PLANTED)).toEqual([])
  }
})

test('the stock client of AG-UI takes what a redacted role reads', async () => {
  const { stored } = await started(apps.traced)
  const events = [...toAgui(stored, { app: apps.traced, role: 'auditor' })].map(
    ({ event }) => event,
  )
  await verified(events)
  const { messages, state } = await applied(events)
  expect(messages.map(({ role }) => role)).toContain('tool')
  expect(state).toMatchObject({ ward: 'east', patient: { name: REDACTED } })
})

test('the verdict on a thread has no hash for a redacted role', async () => {
  const log = newLog()
  const anchored = { seq: 0, hash: 'h', ts: 1 }
  const verdict = { ok: true, head: 0, anchored, unanchored: 0, unanchoredFrom: [] } as const
  const sources = { now: Date.now, id: uuidv7, sha256 }
  const verified = logWith(log, { verify: async () => verdict })
  const throughline = await Throughline.start({ log: verified, apps: [apps.traced], ...sources })
  onTestFinished(() => throughline.close())
  await throughline.propose('t', [{ type: 'moved', data: { ward: 'west' } }])
  const http = routes(throughline, { authenticate: byHeader, ...quiet })
  const verdictFor = async (role: string) => {
    const headers = { caller: JSON.stringify({ role, actor: 'ann' }) }
    const path = 'http://any.example/api/threads/t/verify'
    return (await http.fetch(new Request(path, { headers }))).json()
  }
  expect(await verdictFor('desk')).toEqual(verdict)
  expect(await verdictFor('auditor')).toEqual({ ...verdict, anchored: { seq: 0, ts: 1 } })
})

test('a view that throws on a redacted state fails as any view does, and tells nothing', async () => {
  const told: unknown[] = []
  const app = clinicApp(
    {
      careless: {
        ...acts,
        read: {
          state: ({ patient }) => ({ at: patient?.contact.email.split('@')[1] }),
          record: 'redacted',
        },
      },
    },
    ['patient.contact'],
  )
  const { throughline, ask } = await mounted({ onFault: (error) => told.push(error) }, app)
  await visit(throughline)
  const { status, body } = await ask('/api/threads/t/state', { role: 'careless', actor: 'ann' })
  expect([status, body['code']]).toEqual([500, 'view_failed'])
  expect(foundIn(new Map([['answer', JSON.stringify(body)]]), PLANTED)).toEqual([])
  expect(told).toHaveLength(1)
})
