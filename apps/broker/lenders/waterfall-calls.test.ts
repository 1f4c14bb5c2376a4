import { expect, test } from 'vitest'
import type { CaseState } from '../case/state.ts'
import { builtInPanel } from './built-in-panel.ts'
import type { LenderPanel } from './panel.ts'
import { readyCase } from './ready-case.fixture.ts'
import { runWaterfall } from './whole-waterfall.fixture.ts'
import type { WholeWaterfall } from './whole-waterfall.fixture.ts'

function run(
  caseState: CaseState,
  options: Pick<WholeWaterfall, 'panel'> & Partial<WholeWaterfall>,
) {
  return runWaterfall({
    caseState,
    scenario: 'auto',
    key: 'case-1:waterfall:0',
    now: '2026-03-02T11:00:00.000Z',
    stillWanted: async () => true,
    ...options,
  })
}

test('[S3] an application’s key is always the same and does not depend on earlier lenders', async () => {
  const keys: string[] = []
  const panel: LenderPanel = {
    lenders: builtInPanel.lenders,
    async decide(_index, application, { key }) {
      keys.push(key, application.applicationId)
      return { kind: 'declined', reason: 'NO' }
    },
  }
  await run(readyCase(), { panel })
  const first = keys.splice(0)
  await run(readyCase(), { panel })
  expect(keys).toEqual(first)
  expect(new Set(keys).size).toBe(builtInPanel.lenders.length)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

test('a customer who withdraws while a lender decides is not passed on to the next', async () => {
  let withdrawn = false
  const asked: number[] = []
  const panel: LenderPanel = {
    lenders: builtInPanel.lenders,
    async decide(index) {
      asked.push(index)
      withdrawn = true
      return { kind: 'unavailable', reason: 'TIMEOUT' }
    },
  }
  const result = await run(readyCase(), { panel, stillWanted: async () => !withdrawn })
  expect(asked).toEqual([0])
  expect(result).toMatchObject({ steps: [{ outcome: { kind: 'unavailable' } }], exhausted: false })
})
