import { EventType } from '@ag-ui/core'
import { EventType as EventTypeBefore } from 'ag-ui-client-0'
import { expect, test } from 'vitest'
import { answers, calls, runFinished } from '../../activity/turn-records.fixture.ts'
import { withAgents } from '../../agents/runs.fixture.ts'
import { membersOf } from '../../json/index.ts'
import type { AguiLoss } from './downgrade.ts'
import { guide, notes } from './threads.fixture.ts'
import { TURN, agent, eventsOfTurn, startedBy } from './turns.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

test('a client from before 1.0 gets warnings for losses, and a cancelled run is no success for it', async () => {
  const log = memoryLog()
  const finished = runFinished(agent, 'cancelled')
  const result = answers(agent, 'c-1')
  const content = [
    { type: 'text', text: 'two' },
    { type: 'text', text: 'parts' },
  ]
  await log.append('t', [
    startedBy('r-1'),
    ...calls(agent, 'c-1'),
    { ...result, data: { ...membersOf(result.data), content } },
    finished,
  ])
  const lost: AguiLoss[] = []
  const onLoss = (loss: AguiLoss): void => void lost.push(loss)
  const turn = TURN
  const events = await eventsOfTurn(log, { turn, onLoss, protocol: 'before-1.0' })
  expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'cancelled' })
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
    content: 'two\n\nparts',
  })
  expect(lost).toEqual([
    { code: 'content_parts', type: 'TOOL_CALL_RESULT' },
    { code: 'cancelled_outcome', type: 'RUN_FINISHED' },
  ])
  const newer = await eventsOfTurn(log, { turn })
  expect(newer.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
})

test('a run that leaves calls open ends without an outcome for a client from before 1.0', async () => {
  const { ask, log } = withAgents([guide()], { domain: notes })
  await ask('Where am I?').result
  const lost: AguiLoss[] = []
  const onLoss = (loss: AguiLoss): void => void lost.push(loss)
  const finished = (await eventsOfTurn(log, { onLoss, protocol: 'before-1.0' })).at(-1)
  expect(finished?.type).toBe('RUN_FINISHED')
  expect(finished).not.toHaveProperty('outcome')
  expect(lost).toEqual([{ code: 'pending_tool_calls', type: 'RUN_FINISHED' }])
})

test('clients from before 1.0 know all types that are sent', () => {
  const known: ReadonlySet<string> = new Set(Object.values(EventTypeBefore))
  expect(Object.values(EventType).filter((type) => !known.has(type))).toEqual([])
})
