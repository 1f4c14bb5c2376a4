import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import type { CallerEvent } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import { defineAgent } from '../../agents/index.ts'
import {
  eventsOf,
  expectWhole,
  glance,
  only,
  wireFaults,
  withAgents,
} from '../../agents/runs.fixture.ts'
import { claudeCode } from '../index.ts'
import type { ClaudeCodeParts, ScriptedClaudeParts } from '../index.ts'
import { processProgramContract } from '../process-program-contract.fixture.ts'
import { builtClaude, playing } from '../scripted.fixture.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

function coder(scripted: ScriptedClaudeParts = {}, parts: ClaudeCodeParts = {}) {
  const program = claudeCode({ ...builtClaude(scripted), cwd: newFolder(), ...parts })
  onTestFinished(() => program.close())
  return withAgents([defineAgent({ name: 'coder', program })])
}

processProgramContract({
  open: () => claudeCode({ ...builtClaude(), cwd: newFolder() }),
  absent: () => claudeCode({ bin: '/no/such/claude' }),
  denied: 'A person did not agree to this call',
})

test.each(['2.1.330', '2.1.197'])(
  '%s: a program answers for an agent, with tools of its own',
  async (version) => {
    const setting = coder({ version })
    const bash = { name: 'Bash', input: { command: 'ls' }, result: 'a.txt' }
    const turn = setting.ask(playing({ text: 'I look.' }, { tool: bash }, { text: 'One file.' }))
    const events = await eventsOf(turn)
    const { reason, text, usage } = await turn.result

    expect({ reason, text }).toEqual({ reason: 'success', text: 'One file.' })
    expect(usage.total).toMatchObject({ inputTokens: 13, outputTokens: 5 })
    expect(only(events, 'tool_result')).toMatchObject([{ name: 'Bash', result: 'a.txt' }])
    expect(await wireFaults(setting.log)).toEqual([])
    await expectWhole(setting.log)
  },
)

test('[X26] a call that a rule names runs without a question, and the rule is on record', async () => {
  const setting = coder({}, { permissions: { allow: ['Bash(ls)'], deny: ['Bash(rm *)'] } })
  const call = (command: string) => ({
    tool: { name: 'Bash', input: { command }, result: 'a.txt', asks: true },
  })
  const turn = setting.ask(playing(call('ls'), call('rm a.txt'), { text: 'One file.' }))
  const events = await eventsOf(turn)

  expect((await turn.result).reason).toBe('success')
  expect(only(events, 'tool_result')).toMatchObject([{ result: 'a.txt' }, { name: 'Bash' }])
  const records = await recordsOf(setting.log, 't')
  const decided = records.flatMap(({ data }) =>
    textOf(data, 'name').startsWith('program.') ? [data] : [],
  )
  expect(decided).toMatchObject([
    {
      name: 'program.permission',
      value: { toolName: 'Bash', behavior: 'allow', rule: 'Bash(ls)' },
    },
    {
      name: 'program.permission',
      value: { toolName: 'Bash', behavior: 'deny', rule: 'Bash(rm *)' },
    },
  ])
  expect(await wireFaults(setting.log)).toEqual([])
  await expectWhole(setting.log)
})

test('options of Claude Code that there are not, or that contradict each other, are refused at once', () => {
  const wrong = (parts: object) => () => claudeCode(parts)
  expect(wrong({ permission: {} })).toThrow(
    'Cannot call claudeCode: it has an unknown "permission": did you mean "permissions"?',
  )
  expect(wrong({ permissions: { alow: [] } })).toThrow('did you mean "allow"?')
  expect(wrong({ permissions: {}, permissionMode: 'acceptEdits' })).toThrow(
    'permissionMode "acceptEdits" lets calls run that no rule has seen: leave it out, and name them in "allow"',
  )
})

test('a run stays open until sub-agents in the background and the turns after them have ended', async () => {
  const setting = coder()
  const agent = {
    title: 'Scout',
    steps: [{ waitMs: 50 }, { text: 'I scout.' }],
    report: 'Clear',
    background: true,
    afterwards: [{ text: 'The scout says: clear.' }],
  }
  const turn = setting.ask(playing({ agent }, { text: 'It runs.' }))
  const events = await eventsOf(turn)

  expect((await turn.result).text).toBe('The scout says: clear.')
  expect(glance(events)).toContain('Scout/1 chat_output')
  expect(only(events, 'turn_end').map(({ agent: name }) => name)).toEqual(['Scout', 'coder'])
  expect(await wireFaults(setting.log)).toEqual([])
})

test.each(['2.1.330', '2.1.197'])(
  '%s: a process that dies in a turn is started again, and the run goes on',
  async (version) => {
    const cwd = newFolder()
    const script = new URL('./dies-once.script.fixture.ts', import.meta.url).pathname
    const setting = coder({ script, version }, { cwd })
    const { reason, text } = await setting.ask('Die once').result
    expect({ reason, text }).toEqual({ reason: 'success', text: 'Alive' })
    expect(await wireFaults(setting.log)).toEqual([])
  },
)

test('a sub-agent whose process ends while it works in the background is no success', async () => {
  const setting = coder()
  const agent = {
    title: 'Scout',
    steps: [{ waitMs: 60_000 }],
    report: 'Clear',
    background: true,
  }
  const turn = setting.ask(playing({ agent }, { text: 'It runs.' }, { exit: 0 }))
  const ends = only(await eventsOf(turn), 'turn_end').filter(({ depth }) => depth === 1)
  expect(ends.map(({ reason }) => reason)).not.toContain('success')
  expect(ends.length).toBeGreaterThan(0)
  expect(await wireFaults(setting.log)).toEqual([])
})

const QUESTION = {
  name: 'AskUserQuestion',
  input: { questions: [{ question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] },
  result: 'nothing',
  asks: true,
}

test('[X26] the questions of the program are asked as questions, and the answers go back', async () => {
  const setting = coder()
  const asked = await setting.ask(playing({ tool: QUESTION }, { text: 'Thanks.' })).result
  const words = 'Which one? (one of: A, B)'
  expect(asked.waits).toMatchObject([
    { reason: 'input_required', toolName: 'AskUserQuestion', requestKeys: { 'Which one?': words } },
  ])
  const turn = setting.resume(asked.run, { 'Which one?': 'B' })
  expect(only(await eventsOf(turn), 'tool_result')).toMatchObject([
    { result: 'Answered: {"Which one?":"B"}' },
  ])
  expect((await turn.result).text).toBe('Thanks.')
})

test('[X26] a yes without an answer, or an empty one, is no answer to a question', async () => {
  const setting = coder()
  const asked = await setting.ask(playing({ tool: QUESTION }, { text: 'Hm.' })).result
  const turn = setting.resume(asked.run, { 'Which one?': ' ' })
  expect(only(await eventsOf(turn), 'tool_result')).toMatchObject([
    { result: 'A person did not answer' },
  ])
})

/** Two calls of one message, both of which ask before one has an answer. */
function twoAsked() {
  const calls = ['one', 'two'].map((command) => ({
    id: `call-${command}`,
    input: { command },
  }))
  const uses = calls.map(({ id, input }) => ({ type: 'tool_use', id, name: 'Bash', input }))
  const message = { id: 'both', model: 'm', content: uses }
  const lines = [
    { type: 'assistant', message },
    ...calls.map(({ id, input }) => ({
      type: 'control_request',
      request_id: `ask-${id}`,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: id, input },
    })),
  ]
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
  const steps = lines.map((line) => ({ line: JSON.stringify(line) }))
  return {
    steps,
    results: [{ line: JSON.stringify({ type: 'user', message: { content: results } }) }],
  }
}

test('two permissions that are asked at once are each asked with their tool and command', async () => {
  const setting = coder()
  const { steps, results } = twoAsked()
  const last = { name: 'Bash', input: { command: 'three' }, result: 'done', asks: true }
  let end = await setting.ask(playing(...steps, { tool: last }, ...results, { text: 'End' })).result
  const asked: unknown[] = []
  const events: CallerEvent[] = []
  while (end.reason === 'interrupt') {
    asked.push(...end.waits.map(({ reason, arguments: input }) => `${reason} ${input}`))
    const turn = setting.resume(end.run, { approved: true })
    events.push(...(await eventsOf(turn)))
    end = await turn.result
  }
  expect(asked).toEqual(
    ['one', 'two', 'three'].map((command) => `tool_approval {"command":"${command}"}`),
  )
  expect(only(events, 'tool_result').map(({ result }) => result)).toEqual(['done', 'done', 'done'])
  expect(end.text).toBe('End')
  expect(await wireFaults(setting.log)).toEqual([])
  await expectWhole(setting.log)
})

test('two permissions that are asked at once leave nothing behind after a cancel', async () => {
  const setting = coder()
  const { steps } = twoAsked()
  const asked = await setting.ask(playing(...steps, { waitMs: 60_000 })).result
  expect(asked.reason).toBe('interrupt')
  await setting.runs.cancel('t')
  const turn = setting.ask('And now?')
  const ends = only(await eventsOf(turn), 'tool_error').map(({ code }) => code)
  expect(ends).toEqual(['unreported', 'unreported'])
  expect((await turn.result).text).toContain('And now?')
  expect(await wireFaults(setting.log)).toEqual([])
  await expectWhole(setting.log)
})

test.each([true, false])(
  'an answer (%s) to a process that has ended holds for the same call of the next one, and for no other',
  async (approved) => {
    const cwd = newFolder()
    const script = new URL('./dies-asking.script.fixture.ts', import.meta.url).pathname
    const setting = coder({ script }, { cwd })
    const asked = await setting.ask('Go').result
    expect(asked.waits).toMatchObject([{ arguments: '{"command":"one"}' }])
    await vi.waitFor(() => expect(existsSync(join(cwd, 'gone'))).toBe(true), 10_000)
    // Its exit is noticed a little later, which has no sign outside.
    await setTimeout(1_000)

    const next = await setting.resume(asked.run, { approved }).result
    const again = `{"command":"${approved ? 'two' : 'one'}"}`
    expect(next.waits).toMatchObject([{ reason: 'tool_approval', arguments: again }])
  },
)

test('a message with a yes is passed on', async () => {
  const setting = coder()
  const tool = { name: 'Bash', input: { command: 'rm' }, result: 'done', asks: true }
  const asked = await setting.ask(playing({ tool }, { text: 'End' })).result
  const turn = setting.resume(asked.run, { approved: true, reason: 'But only once' })
  const said = only(await eventsOf(turn), 'chat_output').map(({ delta }) => delta)
  expect(said.join('\n')).toContain('I agreed to what you asked permission for, and add: But only')
})

test('a process that ends again and again fails the run', async () => {
  const setting = coder()
  const { error } = await setting.ask(playing({ text: 'Hi' }, { exit: 7 })).result
  expect(error?.code).toBe('program_exited')
})

test('a provider that refuses the key fails the run as auth_failed', async () => {
  const setting = coder()
  const { error } = await setting.ask(playing({ apiError: { status: 401, message: 'no' } })).result
  expect(error?.code).toBe('auth_failed')
})
