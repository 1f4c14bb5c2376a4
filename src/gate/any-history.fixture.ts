import type { RunFinishedOutcome } from '@ag-ui/core'
import fc from 'fast-check'
import { agentEvent, customEvent } from '../activity/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'

const run = fc.constantFrom('run-1', 'run-2')
const below = fc.constantFrom('sub-1', 'sub-2', '7')
const call = fc.constantFrom('call-1', 'call-2', '')
const text = fc.oneof(fc.constantFrom('', '[note]', '<agent-event type="x" />'), fc.string())

const top = (of: string): Origin => ({ source: 'model', agent: 'a', depth: 0, run: of, turn: of })
const sub = (of: string, above: string): Origin => ({
  ...top(above),
  agent: '__proto__',
  path: ['a', '__proto__'],
  depth: 1,
  run: of,
  parentRun: above,
  call: 'call-1',
})

const origin = fc.oneof(
  run.map(top),
  fc.tuple(below, run).map(([of, above]) => sub(of, above)),
  run.map((of): Origin => ({ ...top(of), source: 'ui' })),
)

const outcome = fc.constantFrom<RunFinishedOutcome>(
  { type: 'success' },
  { type: 'cancelled' },
  { type: 'success', pendingToolCallIds: ['call-1'] },
)

/** Any of the events that a thread's fold looks at, in any order, sound or not. */
const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof<fc.Arbitrary<NewEvent>[]>(
  fc.tuple(run, fc.boolean()).map(([runId, resumed]) => {
    const resume = [{ interruptId: 'wait-1', status: 'resolved' as const }]
    const taken = { messages: [], tools: [], context: [], threadId: 't', runId, resume }
    const input = resumed ? { input: taken } : {}
    return agentEvent('RUN_STARTED', { threadId: 't', runId, ...input }, top(runId))
  }),
  fc
    .tuple(run, outcome)
    .map(([runId, how]) =>
      agentEvent('RUN_FINISHED', { threadId: 't', runId, outcome: how }, top(runId)),
    ),
  fc
    .tuple(below, run, text)
    .map(([subagentRunId, above, description]) =>
      agentEvent(
        'SUBAGENT_STARTED',
        { subagentRunId, name: 'b', description },
        sub(subagentRunId, above),
      ),
    ),
  fc.tuple(below, run, fc.boolean()).map(([subagentRunId, above, waits]) => {
    const how = waits
      ? { type: 'suspended' as const, interruptIds: ['wait-1'] }
      : { type: 'success' as const }
    const metadata = { throughline: { parentToolCallId: 'call-1' } }
    const data = { subagentRunId, outcome: how, metadata }
    return agentEvent('SUBAGENT_FINISHED', data, sub(subagentRunId, above))
  }),
  fc
    .tuple(origin, text)
    .map(([from, messageId]) =>
      agentEvent('TEXT_MESSAGE_START', { messageId, role: 'assistant' }, from),
    ),
  fc
    .tuple(origin, text, text)
    .map(([from, messageId, delta]) =>
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, from),
    ),
  fc
    .tuple(origin, call)
    .map(([from, toolCallId]) =>
      agentEvent('TOOL_CALL_START', { toolCallId, toolCallName: 'look' }, from),
    ),
  fc
    .tuple(origin, call, text)
    .map(([from, toolCallId, content]) =>
      agentEvent('TOOL_CALL_RESULT', { messageId: 'r', toolCallId, content, role: 'tool' }, from),
    ),
  fc.tuple(origin, text).map(([from, stepName]) => agentEvent('STEP_STARTED', { stepName }, from)),
  fc.tuple(origin, text).map(([from, note]) => customEvent('note', note, from)),
  fc.tuple(origin, call).map(([from, toolCallId]) =>
    customEvent(
      'wait_for_input',
      {
        id: 'wait-1',
        reason: 'tool_approval',
        requestKeys: { approved: 'May I?' },
        toolCallId,
        toolName: 'look',
        arguments: '{}',
        digest: '',
      },
      from,
    ),
  ),
  fc
    .tuple(origin, fc.nat(1_000), fc.double({ min: 0, max: 9, noNaN: true }))
    .map(([from, inputTokens, cost]) =>
      customEvent(
        'model_output',
        { usage: { provider: 'p', model: '__proto__', inputTokens }, cost },
        from,
      ),
    ),
  origin.map((from) => customEvent('history_reset', {}, from)),
  fc
    .tuple(origin, fc.oneof(run, below), text)
    .map(([from, cancelled, by]) => customEvent('cancel_requested', { run: cancelled, by }, from)),
  fc.tuple(origin, text).map(([from, key]) => ({
    type: 'effect_requested',
    data: { effect: 'page', key },
    origin: from,
  })),
  fc
    .tuple(origin, text, fc.integer({ min: 1, max: 3 }))
    .map(([from, key, attempt]) =>
      customEvent('effect_failed', { effect: 'page', key, attempt, final: attempt === 3 }, from),
    ),
  fc
    .tuple(origin, fc.nat(20))
    .map(([from, through]) =>
      customEvent('history_compacted', { through, summary: 'so far' }, from),
    ),
  fc.integer({ min: 1, max: 100 }).map((watts) => ({
    type: 'switch_on',
    data: { watts, from: 0 },
    v: 2,
    origin: { source: 'ui', depth: 0 },
  })),
  fc.tuple(origin, fc.integer({ min: 1, max: 100 })).map(([from, watts]) => ({
    type: 'switch_on',
    data: { watts, from: 0 },
    v: 2,
    origin: { ...from, attempt: 1 },
  })),
  fc.constant({ type: 'report', data: {}, origin: { source: 'rule', depth: 0, rule: 'R1' } }),
)

export const anyHistory: fc.Arbitrary<readonly NewEvent[]> = fc.array(anyEvent, {
  minLength: 1,
  maxLength: 25,
})
