import type { TurnNode } from 'throughline/client'
import { EMPTY_RUN_TREE, foldRunTree } from 'throughline/client'
import { expect, test } from 'vitest'
import { TRACE_ROWS_MAX, traceRows, workingAgent } from './trace-rows.ts'

type CallerEvents = Parameters<typeof foldRunTree>[1]

const at = (run: string, depth: number, ts: number) => ({
  run,
  turn: 'turn',
  agent: run,
  path: [run],
  depth,
  seq: ts,
  ts,
})

/** `desk` asks `orders`, which looks an order up and still works; then the desk's refund waits. */
function turnOf(events: readonly object[]): TurnNode {
  // Only the members that the fold reads.
  const { turns } = foldRunTree(EMPTY_RUN_TREE, events as unknown as CallerEvents)
  const [turn] = turns
  if (!turn) throw new Error('no turn')
  return turn
}

const begun = [
  { ...at('desk', 0, 1_000), type: 'prompt_started', content: 'It is broken' },
  {
    ...at('desk', 0, 1_100),
    type: 'tool_call',
    toolCallId: 'c1',
    name: 'call_orders',
    arguments: '{"message":"Which order?"}',
  },
  {
    ...at('orders', 1, 1_200),
    call: 'c1',
    parentRun: 'desk',
    type: 'prompt_started',
    content: 'Which order?',
  },
  {
    ...at('orders', 1, 1_300),
    type: 'tool_call',
    toolCallId: 'c2',
    name: 'look_up',
    arguments: '{"order":"4711","pounds":89}',
  },
]

test('a trace has a row for each agent and each tool that is no agent, with when each worked', () => {
  const turn = turnOf([
    ...begun,
    {
      ...at('orders', 1, 1_500),
      type: 'tool_result',
      toolCallId: 'c2',
      name: 'look_up',
      result: 'a lamp',
    },
  ])
  expect(traceRows(turn)).toMatchObject([
    {
      key: 'desk',
      kind: 'agent',
      depth: 0,
      name: 'desk',
      what: '',
      status: 'working',
      from: 0,
      to: 1,
      ms: 500,
    },
    {
      key: 'orders',
      kind: 'agent',
      depth: 1,
      name: 'orders',
      what: 'Which order?',
      status: 'working',
      from: 0.4,
      to: 1,
      ms: 300,
    },
    {
      key: 'c2',
      kind: 'tool',
      depth: 2,
      name: 'look_up',
      what: '4711, 89',
      status: 'done',
      from: 0.6,
      to: 1,
      ms: 200,
    },
  ])
  expect(workingAgent(turn)).toBe('orders')
})

test('a trace of a long turn ends at its limit, and arguments that are no JSON yet are shown as they are', () => {
  const calls = Array.from({ length: TRACE_ROWS_MAX + 5 }, (_, n) => ({
    ...at('desk', 0, 2_000 + n),
    type: 'tool_call',
    toolCallId: `t${n}`,
    name: 'note',
    arguments: '{"text":"half',
  }))
  const rows = traceRows(turnOf([begun[0] ?? {}, ...calls]))
  expect(rows).toHaveLength(TRACE_ROWS_MAX)
  expect(rows[1]).toMatchObject({ what: '{"text":"half', status: 'working' })
  for (const { from, to } of rows) expect(from >= 0 && from < to + 0.03 && to <= 1).toBe(true)
})
