import fc from 'fast-check'
import { EventType } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { REDACTED } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { ActivityRedaction } from './index.ts'

const redaction = new ActivityRedaction(new Set(['clerk', 'pay']))
const SECRET = 'Xanthippe Quackenbush'

/** The members that name a thing by an id, or count: written down by hand, from AG-UI and our records. */
const IDS = (
  'threadId runId parentRunId protocolVersion timestamp until run turn messageId ' +
  'toolCallId parentMessageId entityId interruptId id messages subagentRunId ' +
  'parentSubagentRunId parentToolCallId pendingToolCallIds interruptIds clientWaits ' +
  'questionId toolCalls provider model replace cut settles continued attempt final ' +
  'records isAnsweredByResult together cost elapsedMs unreached'
).split(' ')
const TEXTS = [
  ...(
    'delta content result message name role toolCallName stepName code input outcome ' +
    'metadata throughline value event snapshot patch usage description reason arguments ' +
    'requestKeys resume payload wire history interrupts responseSchema rawEvent text ' +
    'prompt handoffTo error type encryptedValue subtype activityType status tools context ' +
    'state'
  ).split(' '),
  SECRET,
]
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant<Json>(SECRET),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...TEXTS, ...IDS), tie('value'), { maxKeys: 8 }),
  ),
})).value
const OURS = (
  'note answer model_output wait_for_input history_compacted effect_failed ' +
  'program_question program_answer remote_state remote_event cancel_requested'
).split(' ')
const custom = fc.record({
  name: fc.constantFrom(...OURS.map((name) => `throughline.${name}`), SECRET),
  value,
})

/** The members under which a text still stands in a value; a name that is one counts as such. */
function placesOf(shown: Json, member = ''): readonly string[] {
  if (typeof shown === 'string') return shown.includes(SECRET) ? [member] : []
  if (Array.isArray(shown)) return shown.flatMap((item: Json) => placesOf(item, member))
  if (typeof shown !== 'object' || shown === null) return []
  return Object.entries(shown).flatMap(([name, each]) =>
    name.includes(SECRET) ? [name] : placesOf(each as Json, name),
  )
}

test.each(Object.values(EventType))('of a %s only ids, counts and known names stay', (type) => {
  const data = type === EventType.CUSTOM ? fc.oneof(custom, value) : value
  fc.assert(
    fc.property(data, (given) => {
      const places = placesOf(redaction.data({ type, data: given }))
      expect(places.filter((name) => !IDS.includes(name))).toEqual([])
    }),
  )
})

test('known names, codes, usage and our own numbers stay; texts become the marker', () => {
  const { CUSTOM, RUN_FINISHED, TOOL_CALL_START, SUBAGENT_STARTED } = EventType
  const see = (type: string, data: Json) => redaction.data({ type, data })
  const call = { toolCallId: 'c', toolCallName: 'pay', parentMessageId: 'm' }
  expect(see(TOOL_CALL_START, call)).toEqual(call)
  expect(see(TOOL_CALL_START, { ...call, toolCallName: SECRET })).toEqual({
    ...call,
    toolCallName: REDACTED,
  })
  expect(see(SUBAGENT_STARTED, { name: 'clerk', description: SECRET })).toEqual({
    name: 'clerk',
    description: REDACTED,
  })
  const usage = [{ provider: 'p', model: 'm', inputTokens: 7, note: SECRET }]
  const throughline = { code: 'limit_steps', message: SECRET, until: 9, handoffTo: 'clerk' }
  const ended = { threadId: 't', outcome: { type: 'cancelled' }, usage, metadata: { throughline } }
  expect(see(RUN_FINISHED, { ...ended, result: { of: SECRET } })).toEqual({
    ...ended,
    usage: [{ provider: 'p', model: 'm', inputTokens: 7 }],
    metadata: { throughline: { ...throughline, message: REDACTED } },
    result: {},
  })
  const output = { text: SECRET, usage: { inputTokens: 7 }, cost: 0.1, finishReason: 'stop' }
  expect(see(CUSTOM, { name: 'throughline.model_output', value: output })).toEqual({
    name: 'throughline.model_output',
    value: { ...output, text: REDACTED },
  })
  expect(see(CUSTOM, { name: 'throughline.note', value: SECRET })).toEqual({
    name: 'throughline.note',
    value: REDACTED,
  })
  expect(see('nobody_knows', { of: SECRET })).toEqual({})
})

test('an origin keeps the names of known agents', () => {
  const origin = { source: 'remote', depth: 1, actor: 'u-1', run: 'r' } as const
  expect(redaction.origin({ ...origin, agent: SECRET, path: ['clerk', SECRET] })).toEqual({
    ...origin,
    agent: REDACTED,
    path: ['clerk', REDACTED],
  })
})
