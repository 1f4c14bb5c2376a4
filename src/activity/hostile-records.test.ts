import { EventType } from '@ag-ui/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { stored } from './stored-records.fixture.ts'
import {
  CallerView,
  EMPTY_CONVERSATION,
  NO_PAUSES,
  NO_USAGE_REPORT,
  endOpenRuns,
  foldConversation,
  foldOpenRuns,
  foldPauses,
  foldUsage,
  interruptOf,
  mayRunAgain,
} from './index.ts'

const MEMBERS = [
  'messageId',
  'toolCallId',
  'toolCallName',
  'delta',
  'role',
  'content',
  'outcome',
  'type',
  'interrupts',
  'interruptIds',
  'pendingToolCallIds',
  'metadata',
  'throughline',
  'error',
  'code',
  'handoffTo',
  'continued',
  'json',
  'subagent',
  'parentToolCallId',
  'name',
  'value',
  'usage',
  'inputTokens',
  'reserved',
  'tokens',
  'cost',
  'toolCalls',
  'requestKeys',
  'id',
  'input',
  'resume',
  'subagentRunId',
  'runId',
  'activityType',
  'kind',
  'output',
  'through',
  'summary',
  'stepName',
  'settles',
  'interruptId',
  'run',
  'by',
  'description',
] as const

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      '',
      'call-1',
      'run-1',
      'user',
      'suspended',
      'cancelled',
      'interrupt',
      'limit_x',
      'discarded',
      'throughline.tool_output',
      'throughline.note',
      'throughline.model_output',
      'throughline.wait_for_input',
      'throughline.history_reset',
      'throughline.history_compacted',
      'throughline.cancel_requested',
      '{"message":"hi"}',
      '{',
      null,
      true,
      7,
    ),
    fc.array(tie('json'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie('json'), { maxKeys: 8 }),
  ),
}))

const name = fc.constantFrom('run-1', 'run-2', 'call-1')
const origin: fc.Arbitrary<Origin> = fc.record(
  {
    source: fc.constantFrom('ui' as const, 'model' as const, 'system' as const, 'rule' as const),
    depth: fc.nat(2),
    agent: name,
    run: name,
    surface: name,
    parentRun: name,
    turn: name,
    call: name,
    attempt: fc.nat(3),
    path: fc.array(name),
  },
  { requiredKeys: ['source', 'depth'] },
)
const type = fc.constantFrom(...Object.values(EventType).map(String), 'event_refused', 'lit')

test('[S10] records of any shape are read, in any order, and nothing in them is guessed at', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ type, data: json, origin }), { maxLength: 30 }).map(stored),
      (records) => {
        const view = new CallerView()
        const events = records.flatMap((record) => view.take(record))
        expect(
          events.every(({ type: of, run }) => typeof of === 'string' && run !== undefined),
        ).toBe(true)
        expect(foldConversation(EMPTY_CONVERSATION, records).messages).toBeDefined()
        expect(foldUsage(NO_USAGE_REPORT, records).total.calls).toBeGreaterThanOrEqual(0)
        const open = foldOpenRuns([], records)
        const pauses = foldPauses(NO_PAUSES, records)
        const ends = endOpenRuns({ openRuns: open, pauses }, { message: 'm', code: 'c' })
        expect(ends.length).toBeGreaterThanOrEqual(open.length)
        const waits = [
          ...pauses.asked.map(({ wait }) => wait),
          ...pauses.waiting.flatMap((each) => each.waits),
        ]
        for (const wait of waits) expect(interruptOf(wait).id).toBe(wait.id)
        expect(mayRunAgain(records)).toBeTypeOf('boolean')
      },
    ),
    { numRuns: 2_000 },
  )
})

test('folds give the same for all records at once and for one after the other', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ type, data: json, origin }), { maxLength: 20 }).map(stored),
      (records) => {
        let [conversation, open, pauses, usage] = [
          EMPTY_CONVERSATION,
          foldOpenRuns([], []),
          NO_PAUSES,
          NO_USAGE_REPORT,
        ]
        for (const record of records) {
          conversation = foldConversation(conversation, [record])
          open = foldOpenRuns(open, [record])
          pauses = foldPauses(pauses, [record])
          usage = foldUsage(usage, [record])
        }
        expect(conversation).toEqual(foldConversation(EMPTY_CONVERSATION, records))
        expect(open).toEqual(foldOpenRuns([], records))
        expect(pauses).toEqual(foldPauses(NO_PAUSES, records))
        expect(usage).toEqual(foldUsage(NO_USAGE_REPORT, records))
      },
    ),
  )
})
