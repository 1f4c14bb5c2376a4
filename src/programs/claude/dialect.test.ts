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
    dialect,
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

const synthetic = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: text, model: '<synthetic>', content: [{ type: 'text', text }] },
  ...more,
})

test('[D058] the CLI’s own words say that a person has to sign in, and the model’s words do not', () => {
  const said = [
    synthetic('Invalid API key · Fix external API key', { api_error_status: 403 }),
    synthetic('Not logged in · Please run /login', { error: 'authentication_failed' }),
    synthetic('Failed to authenticate. API Error: 401 OAuth token has expired.'),
    synthetic('Your organisation is not allowed here', { error: 'oauth_org_not_allowed' }),
    synthetic('API Error: 529 Overloaded'),
  ]
  const failures = said.map((line) => only(working().take(line), 'provider_failed')[0])
  expect(failures).toMatchObject([
    { needsSignIn: true, status: 403 },
    { needsSignIn: true, status: null },
    { needsSignIn: true, status: 401 },
    { needsSignIn: true },
    { needsSignIn: false, status: 529 },
  ])
  expect(only(working().says('Please run /login'), 'provider_failed')).toEqual([])
  const [waited] = working().take({ type: 'auth_status', isAuthenticating: false, error: 'Denied' })
  expect(waited).toMatchObject({ type: 'provider_failed', text: 'Denied', needsSignIn: true })
})

const retry = (attempt: number, error_status = 401) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt,
  error_status,
  error: error_status === 401 ? 'authentication_failed' : 'overloaded',
})

test('[S19] [D058] a turn whose calls the provider refuses twice is given up, and ends as an error', () => {
  const { take, ends, dialect } = working()
  expect([take(retry(1)), take(retry(4, 529))]).toEqual([[], []])
  expect(dialect.replies()).toEqual([])
  expect(take(retry(2))).toMatchObject([{ status: 401, needsSignIn: true }])
  expect(dialect.replies()).toMatchObject([expect.stringContaining('"interrupt"')])
  expect([take(retry(3)), dialect.replies()]).toEqual([[], []])
  const aborted = { subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }
  expect(only(ends({ ...aborted, is_error: true }), 'turn_ended')).toMatchObject([
    { outcome: 'error', text: expect.stringContaining('refuses') },
  ])
})

test('what a call did to a file is told where the CLI gives it as data', () => {
  const results = [{ type: 'create' }, { type: 'text', file: {} }, 'Error: no', undefined]
  const told = results.map((tool_use_result) => {
    const { take } = working()
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Write', input: {} }
    take({ type: 'assistant', message: { id: 'msg_1', model: 'm', content: [call] } })
    const content = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }]
    const [result] = only(
      take({ type: 'user', message: { content }, tool_use_result }),
      'result_part',
    )
    return result?.fileChange
  })
  expect(told).toEqual(['create', undefined, undefined, undefined])
})
