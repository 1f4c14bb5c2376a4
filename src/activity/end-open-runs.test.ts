import { expect, test } from 'vitest'
import { z } from 'zod'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import { textOf } from '../json/index.ts'
import type { ScriptedAnswer } from '../models/scripted-model.ts'
import { tool } from '../public/index.ts'
import {
  NO_PAUSES,
  agentEvent,
  customEvent,
  endOpenRuns,
  foldOpenRuns,
  foldPauses,
  ourMetadata,
} from './index.ts'
import { agent, asked, replies } from './run-tree.fixture.ts'
import { stored } from './stored-records.fixture.ts'
import {
  asks,
  belowOrigin,
  calls,
  runFinished,
  runStarted,
  says,
  subagentStarted,
  subagentSuspended,
  topOrigin,
} from './turn-records.fixture.ts'
import { brokenRules } from './wire-rules.fixture.ts'
import { schemaFaults, wireEvents } from './wire-schema.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const WHY = { message: 'The server was stopped', code: 'interrupted' }
const top = topOrigin({ agent: 'boss', surface: 'wall' }, 'r')
const model: Origin = { ...top, source: 'model' }
const below = belowOrigin(top, 's', 'call-1')

const folded = (records: readonly LogRecord[]) => ({
  openRuns: foldOpenRuns([], records),
  pauses: foldPauses(NO_PAUSES, records),
})

/** The events that recovery appends after these; afterwards no run is open. */
function recovered(...events: readonly NewEvent[]): readonly NewEvent[] {
  const ends = endOpenRuns(folded(stored(events)), WHY)
  const after = folded(stored([...events, ...ends]))
  expect(after.openRuns).toEqual([])
  expect(after.pauses.asked).toEqual([])
  expect(after.pauses.left).toEqual([])
  return ends
}

const step = (type: 'STEP_STARTED' | 'STEP_FINISHED', settles = false): NewEvent => {
  const ours = settles ? { metadata: { throughline: { settles } } } : {}
  return agentEvent(type, { stepName: 'model:1', ...ours }, model)
}
const cancelRequested = (run: string): NewEvent =>
  customEvent('cancel_requested', { run, by: 'p-1' }, { source: 'ui', depth: 0 })
const output = (usage: Readonly<Record<string, number | string>>, origin: Origin = model) =>
  customEvent('model_output', { usage, finishReason: 'stop' }, origin)

test('[M7] a run whose last model call counted ends well, with the usage of its turn', () => {
  const used = { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 2 }
  const settled = [
    runStarted(top),
    step('STEP_STARTED'),
    ...says(model, 'm', 'Hello'),
    output(used),
    output({ provider: 'p', model: 'm', inputTokens: 4 }, { ...model, depth: 1, run: 's' }),
    output({ provider: 'p', model: 'n' }),
    step('STEP_FINISHED', true),
  ]
  const [end, ...rest] = recovered(...settled)
  expect(rest).toEqual([])
  expect(end).toMatchObject({
    type: 'RUN_FINISHED',
    data: {
      threadId: 't',
      runId: 'r',
      outcome: { type: 'success' },
      usage: [
        { provider: 'p', model: 'm', inputTokens: 7, outputTokens: 2 },
        { provider: 'p', model: 'n' },
      ],
    },
    origin: { source: 'system', surface: 'wall', run: 'r' },
  })
  expect(recovered(...settled, cancelRequested('r'))).toEqual([end])
  expect(recovered(...settled, step('STEP_STARTED')).at(-1)).toMatchObject({ type: 'RUN_ERROR' })
  expect(recovered(runStarted(top), step('STEP_FINISHED')).at(-1)).toMatchObject({
    type: 'RUN_ERROR',
    data: WHY,
  })
})

test('[M7] a call in flight gets a failed result; a call that never counted is discarded', () => {
  const ends = recovered(
    runStarted(top),
    ...calls(model, 'call-1'),
    subagentStarted(below),
    ...calls({ ...below, source: 'model' }, 'call-2'),
    agentEvent('TOOL_CALL_START', { toolCallId: 'call-3', toolCallName: 'work' }, below),
  )
  const told = ends.map(({ type, data }) => {
    const error = ourMetadata(data)['error']
    return [type, textOf(data, 'toolCallId') || textOf(data, 'code'), error].filter(Boolean)
  })
  expect(told).toEqual([
    ['TOOL_CALL_RESULT', 'call-2', 'interrupted'],
    ['TOOL_CALL_END', 'call-3'],
    ['TOOL_CALL_RESULT', 'call-3', 'discarded'],
    ['SUBAGENT_ERROR', 'interrupted'],
    ['TOOL_CALL_RESULT', 'call-1', 'interrupted'],
    ['RUN_ERROR', 'interrupted'],
  ])
  expect(textOf(ends[0]?.data ?? null, 'content')).toBe(
    'The run was stopped before this call was answered',
  )
})

test('a cancelled turn ends cancelled, with who cancelled it; its sub-agents end first', () => {
  const open = [runStarted(top), ...calls(model, 'call-1'), subagentStarted(below)]
  const ends = recovered(...open, cancelRequested('r'), cancelRequested('r'))
  expect(ends).toMatchObject([
    { type: 'SUBAGENT_ERROR', data: { subagentRunId: 's', code: 'cancelled' } },
    { type: 'TOOL_CALL_RESULT', data: { metadata: { throughline: { error: 'cancelled' } } } },
    {
      type: 'RUN_FINISHED',
      data: { outcome: { type: 'cancelled' }, metadata: { stoppedBy: 'p-1' } },
    },
  ])
})

test('a cancelled sub-agent ends cancelled with those below it; its caller fails for its own reason', () => {
  const deeper = belowOrigin(below, 'd', 'call-2')
  const ends = recovered(
    runStarted(top),
    subagentStarted(below),
    cancelRequested('s'),
    subagentStarted(deeper),
  )
  expect(ends.map(({ data }) => textOf(data, 'code'))).toEqual([
    'cancelled',
    'cancelled',
    'interrupted',
  ])
})

test('[M7] a resumed turn answers the calls that its earlier run left', () => {
  const next = topOrigin({ agent: 'boss', surface: 'wall' }, 'next')
  const waiting = [
    runStarted(top),
    ...calls(model, 'call-1'),
    subagentStarted(below),
    ...calls({ ...below, source: 'model' }, 'call-2'),
    asks(below, 'w', 'call-2'),
    subagentSuspended(below),
    runFinished(top, ['w']),
  ]
  expect(recovered(...waiting)).toEqual([])
  const resumed = [...waiting, runStarted(next, ['w'])]
  expect(recovered(...resumed)).toMatchObject([
    { type: 'TOOL_CALL_RESULT', data: { toolCallId: 'call-1' }, origin: { run: 'next' } },
    { type: 'RUN_ERROR' },
  ])
  const continued = subagentStarted(belowOrigin(next, 's', 'call-1'))
  expect(recovered(...resumed, continued)).toMatchObject([
    { type: 'TOOL_CALL_RESULT', data: { toolCallId: 'call-2', subagentRunId: 's' } },
    { type: 'SUBAGENT_ERROR' },
    { type: 'TOOL_CALL_RESULT', data: { toolCallId: 'call-1' } },
    { type: 'RUN_ERROR' },
  ])
})

/** Records of four agents: two questions at two depths, an answer, a hand-off, a failed attempt. */
async function busyThread(): Promise<readonly LogRecord[]> {
  const inputSchema = z.object({})
  const pay = tool({ inputSchema, needsApproval: true, execute: () => 'Paid' })
  const look = tool({
    inputSchema,
    execute: (_input, { progress }) => (progress('looking'), 'Found'),
  })
  const call = (name: string, input = {}) => ({ name, input, id: `${name}-1` })
  const both: ScriptedAnswer = {
    reasoning: 'Hm.',
    text: 'A moment',
    toolCalls: [call('call_payer', { message: 'Pay' }), call('pay'), call('look')],
  }
  const clerk = agent('clerk', { model: replies({ text: 'I', fail: new Error('busy') }, 'Done') })
  const payer = agent('payer', {
    tools: { pay },
    model: replies({ text: 'May I?', toolCalls: [call('pay')] }, 'It is paid'),
  })
  const boss = agent('boss', {
    agents: [payer],
    handoffs: [clerk],
    tools: { pay, look },
    model: replies(both, { toolCalls: [call('handoff_to_clerk')] }),
  })
  const { app, ask } = await asked(boss)
  const { run, waits } = await ask()
  const values = Object.fromEntries(waits.map(({ id }) => [id, { approved: true }]))
  await app.resume('t', { run, values }).result
  const records = await recordsOf(app.log)
  return records
}

test('[M7] a thread that is cut off after any record is AG-UI’s after recovery, and nothing is open', async () => {
  const records = await busyThread()
  expect(records.length).toBeGreaterThan(40)
  for (let length = 0; length <= records.length; length++) {
    const cut = records.slice(0, length)
    const ends = recovered(...cut)
    const wire = wireEvents(stored([...cut, ...ends]))
    expect([length, ...wire.flatMap(schemaFaults), ...brokenRules(wire)]).toEqual([length])
  }
})
