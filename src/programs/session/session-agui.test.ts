import { expect, test } from 'vitest'
import { SessionAgui } from './session-agui.ts'
import type { SessionEvent } from './session-event.ts'

const TASK = { id: 'task', run: '', call: 'call', title: 'Scout' }
const STARTED: SessionEvent = { type: 'task_started', task: TASK }
const FAILED: SessionEvent = {
  type: 'provider_failed',
  status: null,
  text: 'API Error: 500',
  needsSignIn: false,
  parent: 'call',
}
const SAID: SessionEvent = {
  type: 'part',
  message: 'm',
  parent: 'call',
  block: { type: 'text', text: 'I look.' },
}

const ended = (status: string): SessionEvent => ({
  type: 'task_ended',
  task: TASK,
  status,
  summary: 'It is clear.',
})

const resulted = (isError: boolean): SessionEvent => ({
  type: 'result_part',
  call: 'call',
  toolName: 'Agent',
  input: {},
  content: 'The report',
  isError,
  parent: null,
})

/** How the sub-agent of these events ends. */
function endOf(events: readonly SessionEvent[], failed?: string) {
  const wire = new SessionAgui()
  const all = [...events.flatMap((event) => wire.take(event)), ...wire.close(failed)]
  const ends = all.filter(({ type }) => type === 'SUBAGENT_FINISHED' || type === 'SUBAGENT_ERROR')
  expect(ends).toHaveLength(1)
  return ends[0]
}

test.each<[string, readonly SessionEvent[], string?]>([
  ['is told as completed after its provider failed', [STARTED, FAILED, ended('completed')]],
  ['was stopped', [STARTED, ended('stopped')]],
  ['is at work when its process ends', [STARTED], 'program_exited'],
  ['has no task, and whose call fails', [SAID, resulted(true)]],
])('a sub-agent that %s has not finished its work', (_how, events, failed) => {
  expect(endOf(events, failed)).toMatchObject({ type: 'SUBAGENT_ERROR' })
})

test.each<[string, readonly SessionEvent[]]>([
  ['goes on after its provider failed', [STARTED, FAILED, SAID, ended('completed')]],
  ['completes', [STARTED, ended('completed')]],
  ['has no task, and whose call has its result', [SAID, resulted(false)]],
])('a sub-agent that %s has finished its work', (_how, events) => {
  expect(endOf(events)).toMatchObject({ type: 'SUBAGENT_FINISHED' })
})

test('the name of a sub-agent ends at the edge of a character', () => {
  const title = `${'a'.repeat(199)}\u{1F600} scout`
  const [started] = new SessionAgui().take({ type: 'task_started', task: { ...TASK, title } })
  expect(started).toMatchObject({ name: 'a'.repeat(199) })
})
