import { expect, test } from 'vitest'
import type { SessionEvent } from '../session/session-event.ts'
import { ClaudeDialect } from './dialect.ts'
import { ClaudeMemory } from './memory.ts'

const PROMPT = '11111111-1111-4111-8111-111111111112'

/** One process of the CLI that works on a prompt, and its lines. */
function working(memory?: ClaudeMemory, session_id = 'session-1') {
  const dialect = new ClaudeDialect(memory)
  dialect.prompt({ id: PROMPT, text: 'Go' })
  const take = (line: object) => dialect.take({ text: JSON.stringify(line) })
  take({ type: 'system', subtype: 'init', session_id, model: 'm', user_message_uuids: [PROMPT] })
  return {
    take,
    says: (text: string, more: object = {}, id = text) => {
      const message = { id, model: 'm', content: [{ type: 'text', text }] }
      return take({ type: 'assistant', message, ...more })
    },
    ends: (more: object = {}) =>
      take({
        type: 'result',
        subtype: 'success',
        is_error: false,
        user_message_uuids: [PROMPT],
        ...more,
      }),
  }
}

const only = <Type extends SessionEvent['type']>(events: readonly SessionEvent[], type: Type) =>
  events.filter((event): event is SessionEvent & { type: Type } => event.type === type)

test('a line that is printed twice is told once; blocks of one message are all told', () => {
  const { says } = working()
  expect(says('Hello.', { uuid: 'a' })).toHaveLength(1)
  expect(says('Hello.', { uuid: 'a' })).toEqual([])
  expect(says('Again.', { uuid: 'b' }, 'Hello.')).toMatchObject([{ message: 'Hello.' }])
})

test('what a resumed process prints again of an earlier one is not told: by the line, or by its message', () => {
  const memory = new ClaudeMemory()
  working(memory).says('Hello.', { uuid: 'a' })
  const { says } = working(memory)
  expect([says('Hello.', { uuid: 'a' }), says('Hello.', { uuid: 'b' })]).toEqual([[], []])
  expect(says('More.', { uuid: 'c' })).toHaveLength(1)
})

test('the newest id of a conversation is remembered', () => {
  const memory = new ClaudeMemory()
  for (const session of ['session-1', 'session-2']) {
    working(memory, session)
    expect(memory.session).toBe(session)
  }
})

test('a result with an error as its subtype is an error, whatever is_error says', () => {
  const { ends } = working()
  const [end] = only(ends({ subtype: 'error_max_turns' }), 'turn_ended')
  expect(end).toMatchObject({ outcome: 'error', code: 'error_max_turns' })
})

test('words that stand in the result alone are said; words that were said are not said again', () => {
  const [alone, both] = [working(), working()]
  expect(only(alone.ends({ result: 'Total cost: $0.12', uuid: 'r' }), 'message')).toMatchObject([
    { blocks: [{ type: 'text', text: 'Total cost: $0.12' }], parent: null },
  ])
  both.says('Done.')
  expect(only(both.ends({ result: 'Done.' }), 'message')).toHaveLength(1)
})
