import { expect, test } from 'vitest'
import { toAgui } from '../agui/index.ts'
import { askAs, allReads, foundIn } from './all-reads.fixture.ts'
import { PLANTED, clinicApp } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import { mounted } from './mounted-routes.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const acts = { propose: ['moved'], run: 'all', answer: true, cancel: true } as const
const app = clinicApp({
  // Neither says which records it reads.
  porter: { ...acts, read: { state: ({ ward }) => ({ ward }) } },
  caller: { read: { state: () => ({}) } },
  clerk: { ...acts, read: { record: 'all', state: ({ ward }) => ({ ward }) } },
})

async function started() {
  const { throughline, http, ask } = await mounted({}, app)
  const head = await visit(throughline)
  const readBy = (role: string) =>
    allReads(askAs(http, role), { thread: 't', head, agents: ['nurse'] })
  return { throughline, head, ask, readBy }
}

test('a role without `record` reads no record and nothing that agents say, on every route', async () => {
  const { throughline, head, readBy, ask } = await started()
  const open = foundIn(await readBy('clerk'), PLANTED)
  expect(open.length).toBeGreaterThan(30)
  const closed = await readBy('porter')
  expect([...closed.values()].filter((text) => !text.startsWith('200 '))).toEqual([])
  expect(foundIn(closed, { ...PLANTED, record: 'admitted', tool: 'look_up' })).toEqual([])
  expect(closed.get('events?limit=10000')).toContain('{"records":[],')
  expect(closed.get('events?limit=10000&view=agent')).toContain('{"events":[],')
  expect(closed.get('export?format=jsonl')).toBe('200 {"complete":true,"records":0}\n')
  // The cursor moves all the same.
  const ids = Array.from({ length: head + 1 }, (_, seq) => `id: ${seq}\n\n`).join('')
  expect(closed.get('stream ')).toContain(ids)
  const moved = { events: [{ type: 'moved', data: { ward: 'south' } }] }
  const { body } = await ask('/api/threads/t/events', { role: 'porter', actor: 'ann' }, moved)
  expect(body).toMatchObject({ records: [], refused: [], state: { ward: 'south' } })
  const view = throughline.app('clinic').view('caller')
  for await (const records of throughline.log.read('t')) {
    expect(records.flatMap((record) => view.record(record) ?? [])).toEqual([])
  }
})

test('without a server too, AG-UI shows a role without `record` nothing that agents say', async () => {
  const { throughline } = await started()
  const stored = await recordsOf(throughline.log)
  const told = (role: string) =>
    new Map([[role, JSON.stringify([...toAgui(stored, { app, role })])]])
  expect(foundIn(told('clerk'), PLANTED).length).toBeGreaterThan(3)
  expect(foundIn(told('porter'), { ...PLANTED, tool: 'look_up' })).toEqual([])
})
