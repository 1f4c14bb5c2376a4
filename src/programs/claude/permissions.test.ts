import { expect, test } from 'vitest'
import { membersOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { PROGRAM_OPEN_MAX, PROGRAM_REQUEST_CHARS_MAX, PROGRAM_SHOWN_CHARS_MAX } from '../limits.ts'
import { PermissionDecider } from '../permissions/permission-rules.ts'
import { permissionAnswer, permissionQuestion } from '../session/permission-text.ts'
import type { SessionEvent } from '../session/session-event.ts'
import { Permissions } from './permissions.ts'

const CALL = { call: null, toolName: 'Bash', input: {} }

function permissions() {
  const events: SessionEvent[] = []
  return { events, open: new Permissions((event) => void events.push(event)) }
}

test('[X26] a request with an id of any length is asked under a short name, and answered under its own', () => {
  for (const id of ['', 'r'.repeat(300), 'r'.repeat(1_000_000)]) {
    const { events, open } = permissions()
    expect(open.ask(id, CALL)).toEqual([])
    const [asked] = events
    const name = asked?.type === 'permission_asked' ? asked.request : undefined
    expect(name?.length).toBeLessThanOrEqual(PROGRAM_REQUEST_CHARS_MAX)
    const [line = ''] = open.answer(name ?? '', { behavior: 'deny', message: 'No' })
    expect(JSON.parse(line)).toMatchObject({ response: { request_id: id } })
    open.ask(id, CALL)
    open.withdraw(id)
    expect(events.at(-1)).toEqual({ type: 'permission_withdrawn', request: name })
  }
})

test('[X26] a question is agreed to with answers, or with a message, which answers it', () => {
  const input = { questions: [{ question: 'Which one?' }] }
  const answers = { 'Which one?': 'A' }
  for (const [answer, told] of [
    [{ input }, { behavior: 'deny' }],
    [
      { input, message: 'A' },
      { behavior: 'allow', updatedInput: { ...input, answers } },
    ],
    [{ input: { ...input, answers } }, { behavior: 'allow', updatedInput: { ...input, answers } }],
  ] as const) {
    const { open } = permissions()
    open.ask('request', { call: null, toolName: 'AskUserQuestion', input })
    const [line = ''] = open.answer('request', { behavior: 'allow', ...answer })
    expect(JSON.parse(line)).toMatchObject({ response: { response: told } })
  }
})

test('[X26] a call that a rule names is answered at once, and nobody is asked', () => {
  const rules = new PermissionDecider({ allow: ['Bash(ls)'], deny: ['Bash(rm *)'] })
  const events: SessionEvent[] = []
  const open = new Permissions((event) => void events.push(event), rules)
  const asked = (command: string) => ({ call: 'c', toolName: 'Bash', input: { command } })
  const [allowed = ''] = open.ask('1', asked('ls'))
  const [denied = ''] = open.ask('2', asked('rm x'))
  expect(open.ask('3', asked('date'))).toEqual([])
  expect(
    [allowed, denied].map((line) => membersOf(JSON.parse(line) as Json)['response']),
  ).toMatchObject([
    { request_id: '1', response: { behavior: 'allow', updatedInput: { command: 'ls' } } },
    {
      request_id: '2',
      response: { behavior: 'deny', message: 'The rule Bash(rm *) refuses this call' },
    },
  ])
  expect(events).toMatchObject([
    { type: 'permission_decided', call: 'c', behavior: 'allow', rule: 'Bash(ls)' },
    { type: 'permission_decided', call: 'c', behavior: 'deny', rule: 'Bash(rm *)' },
    { type: 'permission_asked', request: '3' },
  ])
})

test('[X26] no rule answers what a program asks a person', () => {
  const rules = new PermissionDecider({ allow: ['AskUserQuestion'] })
  const events: SessionEvent[] = []
  const open = new Permissions((event) => void events.push(event), rules)
  const input = { questions: [{ question: 'Which one?' }] }
  expect(open.ask('1', { call: null, toolName: 'AskUserQuestion', input })).toEqual([])
  expect(events).toMatchObject([{ type: 'permission_asked' }])
})

test('a request beyond the limit is refused at once', () => {
  const { open } = permissions()
  for (let index = 0; index < PROGRAM_OPEN_MAX; index++) open.ask(`request-${index}`, CALL)
  const [line = ''] = open.ask('one more', CALL)
  expect(JSON.parse(line)).toMatchObject({
    response: { request_id: 'one more', response: { behavior: 'deny' } },
  })
})

test('[X26] a question shows the whole input, names its size, or says that it can only be refused', () => {
  const shown = { command: 'ls\u202E; evil' }
  const question = (input: Json) => permissionQuestion({ toolName: 'Bash', input })
  expect(question(shown)).toBe('May Bash run with {"command":"ls‹U+202E›; evil"}?')
  expect(question({ command: 'a'.repeat(5_000) })).toContain('read it in the call')
  const long = { command: 'a'.repeat(PROGRAM_SHOWN_CHARS_MAX) }
  expect(question(long)).toContain('it can only be refused')
  const answer = (input: Json) => permissionAnswer({ approved: true }, { toolName: 'Bash', input })
  expect(answer(long)).toMatchObject({ behavior: 'deny' })
  expect(answer(shown)).toEqual({ behavior: 'allow', input: shown })
})
