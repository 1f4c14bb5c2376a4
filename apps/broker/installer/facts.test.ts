import type { LogRecord, Source } from 'throughline/log'
import { expect, test } from 'vitest'
import type { InstallerCase } from '../case/case-view.ts'
import { factsOf } from './facts.ts'

const view: InstallerCase = {
  sessionId: 's',
  retailerName: 'Demonstration Solar',
  status: 'intake',
  project: { projectValue: 17_500, depositPct: 10, netLoanAmount: 15_750 },
  contact: { firstName: 'Sarah' },
  installerHandoffComplete: false,
  createdAt: '',
  updatedAt: '',
}

const record = (seq: number, source: Source, data: LogRecord['data']): LogRecord => ({
  seq,
  id: `${seq}`,
  thread: 's',
  ts: seq,
  type: 'record_project_facts',
  data,
  origin: { source, depth: 0 },
  v: 1,
  prev: '',
  hash: '',
})

test('[B005] a fact names the newest record that carries it, and a rule where none does', () => {
  const records = [
    record(1, 'model', { projectValue: 17_000, depositPct: 10 }),
    record(2, 'ui', { projectValue: 17_500 }),
  ]
  const { project, customer } = factsOf(view, records)
  expect(project).toEqual([
    { name: 'retailerName', value: 'Demonstration Solar', source: { actor: 'system' } },
    { name: 'projectValue', value: '£17,500', source: { actor: 'person', ts: 2 } },
    { name: 'depositPct', value: '10%', source: { actor: 'model', ts: 1 } },
    { name: 'netLoanAmount', value: '£15,750', source: { actor: 'rule' } },
  ])
  expect(customer.map(({ name }) => name)).toEqual(['firstName'])
})
