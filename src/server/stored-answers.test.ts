import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { defineApp } from '../application/index.ts'
import { routes } from './index.ts'
import {
  app as incidents,
  byHeader,
  mounted,
  open,
  quiet,
  report,
} from './mounted-routes.fixture.ts'

const SECRET = 'the key is under the mat'
const fails = (): never => {
  throw new Error(SECRET)
}
// A program without types may return a promise; it is never awaited.
const rejects = (async () => fails()) as unknown as () => never
const acts = { propose: 'all', begin: true } as const
const app = defineApp({
  name: 'incidents',
  domain: incidents.domain,
  roles: {
    'state-throws': { ...acts, read: { state: fails } },
    'record-throws': { ...acts, read: { record: fails, state: () => ({}) } },
    'state-rejects': { ...acts, read: { state: rejects } },
    'record-rejects': { ...acts, read: { record: rejects, state: () => ({}) } },
    auditor: { read: 'all' },
  },
})

/** Mounts the routes; collects the faults reported to `onFault`. */
async function started() {
  const told: unknown[] = []
  const at = await mounted({ onFault: (error) => told.push(error) }, app)
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return { ...at, told, unhandled }
}

test.for(['state-throws', 'record-throws', 'state-rejects', 'record-rejects'])(
  '[X24] events that are recorded are answered as recorded, though the view fails: %s',
  async (role, { annotate }) => {
    const { ask, told, unhandled, throughline } = await started()
    const [id, refused] = [randomUUID(), randomUUID()]
    const events = [
      { id, type: 'reported', data: { what: 'smoke' } },
      { id: refused, type: 'reported', data: { what: 7 } },
    ]
    const { status, body } = await ask('/api/threads/t/events', { role }, { events })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        recorded: [
          { id, seq: 0, type: 'reported' },
          { id: refused, seq: 1, type: 'event_refused' },
        ],
        refused: [expect.objectContaining({ type: 'reported', reason: 'invalid_payload' })],
        head: 1,
        fault: { code: 'view_failed', detail: 'Something went wrong on our side' },
      },
    })
    expect(told).toMatchObject([{ code: 'view_failed' }])
    expect((await throughline.state('t')).state).toMatchObject({ reports: 1 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
    await annotate(`0 of ${events.length} recorded events were answered as lost`, 'promise')
  },
)

test('[X24] a view that rejects is answered as one that throws, and ends no process', async () => {
  const { ask, told, unhandled } = await started()
  await ask('/api/threads/t/events', { role: 'state-throws' }, report)
  told.length = 0
  const { status, body } = await ask('/api/threads/t/state', { role: 'state-rejects' })
  expect([status, body['code']]).toEqual([500, 'view_failed'])
  expect(told).toMatchObject([{ message: expect.stringContaining('returned a promise') }])
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})

test('[X24] events stay recorded when what an extension adds to the answer fails', async () => {
  const throughline = await open(app)
  const extensions = [{ carries: { app: 'incidents', name: 'seed', value: fails } }]
  const http = routes(throughline, { authenticate: byHeader, extensions, ...quiet })
  const answer = await http.fetch(
    new Request('http://any.example/api/threads/t/events', {
      method: 'POST',
      body: JSON.stringify(report),
      headers: {
        caller: JSON.stringify({ role: 'operator' }),
        'content-type': 'application/json',
      },
    }),
  )
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { recorded: [{ seq: 0 }], head: 0, fault: { code: 'internal' } },
  ])
})
