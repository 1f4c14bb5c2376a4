import { expect, test } from 'vitest'
import { SessionAgui } from '../session/session-agui.ts'
import type { SessionEvent } from '../session/session-event.ts'
import { AcpDialect } from './dialect.ts'
import type { AcpConversation } from './dialect.ts'

const SESSION = 'session-1'

type Memory = 'new' | 'resumed'

/** A dialect whose agent has told what it can do, and the lines of that agent. */
function opened(memory: Memory = 'new') {
  const conversation: AcpConversation = { session: SESSION, underWay: undefined }
  const dialect = new AcpDialect({ cwd: '/', conversation, memory, instructions: '' })
  const take = (message: object) =>
    dialect.take({ text: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const agentCapabilities = { loadSession: true }
  take({ id: 'initialize', result: { protocolVersion: 1, agentCapabilities } })
  const says = (update: object) =>
    take({ method: 'session/update', params: { sessionId: SESSION, update } })
  return {
    dialect,
    take,
    opens: () => take({ id: 'session', result: { sessionId: SESSION } }),
    says: (text: string, messageId?: string) =>
      says({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId }),
    uses: (toolCallId: string) => says({ sessionUpdate: 'tool_call', toolCallId, title: 'Plan' }),
    ends: (prompt: string, stopReason = 'end_turn') =>
      take({ id: `prompt:${prompt}`, result: { stopReason } }),
    asks: (toolCallId: string, options: readonly object[]) =>
      take({
        id: 7,
        method: 'session/request_permission',
        params: { sessionId: SESSION, toolCall: { toolCallId }, options },
      }),
  }
}

const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type)

test('words behind the answer to a prompt are of its turn, which ends once nothing comes', () => {
  const { dialect, opens, says, ends } = opened()
  opens()
  dialect.prompt({ id: 'one', text: 'Go' })
  says('Half ')
  expect(typesOf(ends('one'))).toEqual([])
  expect([dialect.isIdle, dialect.awaitsQuiet]).toEqual([false, true])
  expect(typesOf(says('of it.'))).toEqual(['delta'])
  const [message, ...end] = dialect.quiet()
  expect(message).toMatchObject({ type: 'message', blocks: [{ text: 'Half of it.' }] })
  expect(typesOf(end)).toEqual(['turn_ended', 'idle'])
  expect([dialect.isIdle, dialect.awaitsQuiet]).toEqual([true, false])
})

test('a turn that was cancelled or has failed ends at once', () => {
  const { dialect, opens, ends } = opened()
  opens()
  for (const stop of ['cancelled', 'refusal']) {
    dialect.prompt({ id: stop, text: 'Go' })
    expect(typesOf(ends(stop, stop))).toEqual(['prompt_taken', 'turn_ended', 'idle'])
  }
})

test('the words of a turn that nobody prompted come before those of the next turn, as their own message', () => {
  const { dialect, opens, says, ends } = opened()
  opens()
  dialect.prompt({ id: 'one', text: 'Go' })
  ends('one')
  dialect.quiet()
  const [unprompted] = says('The build is green.')
  dialect.prompt({ id: 'two', text: 'And?' })
  const [whole, taken, next] = says('Yes.')
  expect(unprompted).toMatchObject({ type: 'delta', text: 'The build is green.' })
  expect(whole).toMatchObject({ type: 'message', blocks: [{ text: 'The build is green.' }] })
  expect(taken).toEqual({ type: 'prompt_taken', prompt: 'two' })
  expect(next).not.toMatchObject({ message: whole?.type === 'message' ? whole.message : '' })
})

test('messages whose pieces alternate are each whole', () => {
  const { dialect, opens, says, ends } = opened()
  opens()
  dialect.prompt({ id: 'one', text: 'Go' })
  const wire = new SessionAgui()
  const pieces = [says('A1 ', 'a'), says('B1 ', 'b'), says('A2', 'a')].flat()
  ends('one')
  const end = dialect.quiet()
  expect(end.filter(({ type }) => type === 'message')).toMatchObject([
    { message: 'a', blocks: [{ text: 'A1 A2' }] },
    { message: 'b', blocks: [{ text: 'B1 ' }] },
  ])
  const written = [...pieces, ...end].flatMap((event) => wire.take(event))
  const contents = written.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(contents.map(({ messageId, delta }) => [messageId, delta])).toEqual([
    ['a', 'A1 '],
    ['b', 'B1 '],
    ['a', 'A2'],
  ])
  expect(written.filter(({ type }) => type === 'TEXT_MESSAGE_END')).toHaveLength(2)
})

test('a conversation that is repeated behind the answer to session/load is not said again', () => {
  const { dialect, opens, says } = opened('resumed')
  expect([opens(), says('An old answer.'), dialect.awaitsQuiet]).toEqual([[], [], true])
  expect(typesOf(dialect.quiet())).toEqual(['ready', 'session'])
  dialect.prompt({ id: 'two', text: 'Go' })
  expect(says('A new answer.')).toMatchObject([{}, { type: 'delta', text: 'A new answer.' }])
})

const FOR_LONG = { optionId: 'x', kind: 'allow_session', name: 'For long' }
const NAMELESS = { optionId: 'x', name: 'Auto' }
const NEVER = { optionId: 'n', kind: 'reject_x' }

test.each([
  { options: [FOR_LONG, NEVER], yes: 'x', no: 'n', grants: 'For long' },
  { options: [NEVER, NAMELESS], yes: 'x', no: 'n', grants: 'Auto' },
  { options: [NAMELESS], yes: 'x', no: null, grants: 'Auto' },
  { options: [NEVER], yes: null, no: 'n', grants: undefined },
])(
  'a yes selects an option of a kind of its own, which the question names: $grants',
  ({ options, yes, no, grants }) => {
    const { dialect, opens, uses, asks } = opened()
    opens()
    dialect.prompt({ id: 'one', text: 'Go' })
    uses('call')
    const answers = [
      [{ behavior: 'allow', input: {} }, yes],
      [{ behavior: 'deny', message: 'No' }, no],
    ] as const
    for (const [answer, optionId] of answers) {
      const asked = asks('call', options).find((event) => event.type === 'permission_asked')
      expect(asked?.grants).toBe(grants)
      const [line = ''] = dialect.answer(asked?.request ?? '', answer)
      const outcome =
        optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
      expect(JSON.parse(line)).toMatchObject({ id: 7, result: { outcome } })
    }
  },
)
