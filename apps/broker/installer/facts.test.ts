import type { LogRecord, Source } from 'throughline/client'
import { expect, test } from 'vitest'
import type { InstallerCase } from '../case/case-view.ts'
import { DEFAULT_RETAILER } from '../routes/default-retailer.ts'
import { factsOf } from './facts.ts'
import type { FactSource } from './facts.ts'
import { recordAt } from '../../../test/memory-log.fixture.ts'

const view: InstallerCase = {
  sessionId: 's',
  retailerName: 'Sunny Roofs',
  status: 'intake',
  project: { projectValue: 17_500, depositPct: 10, netLoanAmount: 15_750 },
  contact: { firstName: 'Sarah' },
  installerHandoffComplete: false,
  createdAt: '',
  updatedAt: '',
}

const record = (seq: number, source: Source, data: LogRecord['data']) =>
  recordAt(seq, { type: 'record_project_facts', data, origin: { source, depth: 0 } })

const whoOf = (source: FactSource) => (source.from === 'record' ? source.actor : source.from)

test('[B005] a fact names the newest record that carries it, and a rule where none does', () => {
  const records = [
    record(1, 'model', { projectValue: 17_000, depositPct: 10 }),
    record(2, 'ui', { projectValue: 17_500 }),
  ]
  const { project, customer } = factsOf(view, records)
  expect(project).toEqual([
    { name: 'retailerName', value: 'Sunny Roofs', source: { from: 'opening' } },
    {
      name: 'projectValue',
      value: '£17,500',
      source: { from: 'record', actor: 'person', ts: 2 },
    },
    { name: 'depositPct', value: '10%', source: { from: 'record', actor: 'model', ts: 1 } },
    { name: 'netLoanAmount', value: '£15,750', source: { from: 'rule' } },
  ])
  expect(customer.map(({ name }) => name)).toEqual(['firstName'])
})

test('[B005] an unnamed retailer is marked as a default, a named one links to its record', () => {
  const unnamed = { ...view, retailerName: DEFAULT_RETAILER }
  expect(factsOf(unnamed, []).project[0]?.source).toEqual({ from: 'default' })
  const said = record(1, 'model', { retailerName: DEFAULT_RETAILER })
  expect(factsOf(unnamed, [said]).project[0]?.source).toMatchObject({ actor: 'model', ts: 1 })
})

test.each([
  [
    'the amount',
    { depositAmount: 2_000, depositPct: 11.43 },
    [{ depositPct: 10 }, { depositAmount: 2_000 }],
  ],
  [
    'the share',
    { depositAmount: 1_750, depositPct: 10 },
    [{ depositAmount: 2_000 }, { depositPct: 10 }],
  ],
] as const)('[B005] of the deposit only %s, which was said last, was said', (_name, held, said) => {
  const records = said.map((data, seq) => record(seq, 'model', data))
  const { project } = factsOf({ ...view, project: held }, records)
  const later = Object.keys(said[1])[0]
  for (const { name, source } of project.slice(1)) {
    expect([name, whoOf(source)]).toEqual([name, name === later ? 'model' : 'rule'])
  }
})

test('[B005] a share that a new price moved was not said', () => {
  const records = [
    record(0, 'model', { projectValue: 17_500, depositPct: 10 }),
    record(1, 'ui', { projectValue: 20_000 }),
  ]
  const held = { projectValue: 20_000, depositAmount: 1_750, depositPct: 8.75 }
  const { project } = factsOf({ ...view, project: held }, records)
  expect(project.slice(1).map(({ source }) => whoOf(source))).toEqual(['person', 'rule', 'rule'])
})
