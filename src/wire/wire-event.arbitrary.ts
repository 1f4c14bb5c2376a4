import fc from 'fast-check'

/** An event as a producer might send it: few ids, so that events meet each other. */
type Sent = Readonly<Record<string, unknown>> & { readonly type: string }

const id = fc.constantFrom('a', 'b')
const agent = fc.option(fc.constantFrom('s1', 's2'), { nil: undefined, freq: 2 })
const text = fc.constantFrom('', 'x', 'é')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

/** A record of arbitraries, whose undefined members are left out. */
function event(type: string, members: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  return fc.record({ ...members }).map((given): Sent => ({
    type,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }))
}

const owned = { subagentRunId: agent }
const message = { messageId: id, ...owned }
const call = { toolCallId: id, ...owned }
const metadata = maybe(fc.constant({ note: 1 }))
const rawEvent = maybe(fc.constant({ provider: 'p' }))
const outcome = fc.constantFrom(
  undefined,
  { type: 'success', pendingToolCallIds: ['a'] },
  { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call' }] },
  { type: 'cancelled' },
  { type: 'paused' },
)
const messages = fc.array(
  fc
    .oneof(
      event('', { id, role: fc.constant('user'), content: text }),
      event('', {
        id,
        role: fc.constant('assistant'),
        content: maybe(text),
        subagentRunId: agent,
        toolCalls: maybe(
          fc.constant([{ id: 'a', type: 'function', function: { name: 'n', arguments: '{}' } }]),
        ),
      }),
      event('', { id, role: fc.constant('reasoning'), content: text, subagentRunId: agent }),
      event('', {
        id,
        role: fc.constant('activity'),
        activityType: fc.constant('t'),
        content: fc.constant({}),
      }),
    )
    .map(({ type: _, ...rest }) => rest),
  { maxLength: 2 },
)
const run = { threadId: fc.constant('t'), runId: fc.constant('r') }
const role = maybe(fc.constantFrom('assistant', 'user'))

/** One event of any type, well formed mostly. */
export const anyWireEvent: fc.Arbitrary<Sent> = fc.oneof(
  event('RUN_STARTED', {
    ...run,
    input: maybe(messages.map((each) => ({ ...IDS, messages: each }))),
  }),
  event('RUN_FINISHED', { ...run, outcome }),
  event('RUN_FINISHED', { ...run, outcome }),
  event('RUN_ERROR', { message: text }),
  event('STEP_STARTED', { stepName: id, ...owned }),
  event('STEP_FINISHED', { stepName: id, ...owned }),
  event('TEXT_MESSAGE_START', { ...message, role }),
  event('TEXT_MESSAGE_CONTENT', { ...message, delta: text, rawEvent }),
  event('TEXT_MESSAGE_END', { ...message, metadata }),
  event('TEXT_MESSAGE_CHUNK', {
    messageId: maybe(id),
    role,
    name: maybe(id),
    delta: maybe(text),
    metadata,
    rawEvent,
    ...owned,
  }),
  event('TOOL_CALL_START', { ...call, toolCallName: id, parentMessageId: maybe(id) }),
  event('TOOL_CALL_ARGS', { ...call, delta: text }),
  event('TOOL_CALL_END', call),
  event('TOOL_CALL_CHUNK', {
    toolCallId: maybe(id),
    toolCallName: maybe(id),
    parentMessageId: maybe(id),
    delta: maybe(text),
    metadata,
    ...owned,
  }),
  event('TOOL_CALL_RESULT', { ...message, toolCallId: id, content: text }),
  event('REASONING_START', message),
  event('REASONING_END', message),
  event('REASONING_MESSAGE_START', { ...message, role: fc.constant('reasoning') }),
  event('REASONING_MESSAGE_CONTENT', { ...message, delta: text }),
  event('REASONING_MESSAGE_END', message),
  event('REASONING_MESSAGE_CHUNK', {
    messageId: maybe(id),
    delta: maybe(text),
    metadata,
    ...owned,
  }),
  event('REASONING_ENCRYPTED_VALUE', {
    subtype: fc.constantFrom('message', 'tool-call'),
    entityId: id,
    encryptedValue: text,
    ...owned,
  }),
  event('STATE_SNAPSHOT', { snapshot: fc.jsonValue(), ...owned }),
  event('STATE_DELTA', { delta: fc.constant([{ op: 'remove', path: '/a', value: 1 }]), ...owned }),
  event('MESSAGES_SNAPSHOT', { messages }),
  event('ACTIVITY_SNAPSHOT', {
    ...message,
    activityType: fc.constant('t'),
    content: fc.constant({}),
    replace: maybe(fc.boolean()),
  }),
  event('ACTIVITY_DELTA', { ...message, activityType: fc.constant('t'), patch: fc.constant([]) }),
  event('SUBAGENT_STARTED', {
    subagentRunId: fc.constantFrom('s1', 's2'),
    name: id,
    parentSubagentRunId: agent,
  }),
  event('SUBAGENT_FINISHED', { subagentRunId: fc.constantFrom('s1', 's2') }),
  event('SUBAGENT_ERROR', { subagentRunId: fc.constantFrom('s1', 's2'), message: text }),
  event('CUSTOM', { name: id, value: fc.jsonValue() }),
  event('RAW', { event: fc.jsonValue() }),
  event('THINKING_START', {}),
)

const IDS = { threadId: 't', runId: 'r' }

/** Changes one member of an event: another value, or a member that the protocol does not know. */
export const anySpoiltEvent: fc.Arbitrary<Sent> = fc
  .tuple(anyWireEvent, fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 0, [], {})))
  .map(([sent, at, value]) => {
    // Ours also compares the ids of a run's start and end, which the stock client does not.
    const own = Object.keys(sent).filter((key) => !['type', 'threadId', 'runId'].includes(key))
    const keys = [...own, 'unknown', 'toString']
    const key = keys[at % keys.length] ?? 'unknown'
    return { ...sent, [key]: value }
  })
