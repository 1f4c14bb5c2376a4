import { expect, test } from 'vitest'
import { EMPTY_RUN_TREE, foldRunTree, latestRun } from '../activity/index.ts'
import { defineAgent } from './define/agent.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  only,
  overheard,
  replies,
  withAgents,
} from './runs.fixture.ts'

const CUT = { text: 'First, you', ends: 'length' } as const

test('a reply cut at the model’s limit is marked `cut` in turn_end, result and record', async () => {
  const { ask, records, log } = withAgents([defineAgent({ name: 'A', model: replies(CUT, 'All') })])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  expect(only(events, 'turn_end')).toMatchObject([{ reason: 'success', cut: 'length' }])
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'First, you', cut: 'length' })
  expect((await records()).at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    data: { metadata: { throughline: { cut: 'length' } } },
  })
  const whole = await ask('And?').result
  expect([whole.text, whole.cut]).toEqual(['All', undefined])
  const tree = foldRunTree(EMPTY_RUN_TREE, events)
  expect(latestRun(tree)?.items).toMatchObject([{ kind: 'text', status: 'cut' }])
  await expectWhole(log)
})

test('an agent reads that the answer of its sub-agent was cut', async () => {
  const low = defineAgent({ name: 'low', model: replies(CUT) })
  const { model, calls } = overheard(replies(calling(['call_low', { message: 'Go' }]), 'Done'))
  const { ask, log } = withAgents([defineAgent({ name: 'A', model, agents: [low] })])
  const turn = ask('Go')
  const events = await eventsOf(turn)
  const ends = only(events, 'turn_end')
  expect(ends).toMatchObject([{ agent: 'low', cut: 'length' }, { agent: 'A' }])
  expect(ends[1]?.cut).toBeUndefined()
  expect(JSON.stringify(calls[1]?.prompt)).toContain('First, you\\n[The answer was cut off here')
  await expectWhole(log)
})
