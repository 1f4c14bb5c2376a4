import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { defineAgent } from '../../agents/index.ts'
import {
  eventsOf,
  expectWhole,
  glance,
  only,
  wireFaults,
  withAgents,
} from '../../agents/runs.fixture.ts'
import { claudeCode, scriptedClaude } from '../index.ts'
import type { ClaudeCodeParts, ScriptedClaudeParts } from '../index.ts'
import { playing } from '../scripted.fixture.ts'

function coder(scripted: ScriptedClaudeParts = {}, parts: ClaudeCodeParts = {}) {
  const program = claudeCode({ ...scriptedClaude(scripted), cwd: newFolder(), ...parts })
  onTestFinished(() => program.close())
  return withAgents([defineAgent({ name: 'coder', program })])
}

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

test.each([
  [true, 'done'],
  [false, 'A person did not agree to this call'],
])('leave for a tool is a question: approved %s', async (approved, result) => {
  const setting = coder()
  const tool = { name: 'Bash', input: { command: 'rm' }, result: 'done', asks: true }
  const asked = await setting.ask(playing({ tool }, { text: 'End' })).result
  expect(asked.waits).toMatchObject([{ reason: 'tool_approval', toolName: 'Bash' }])

  const turn = setting.resume(asked.run, { approved })
  const events = await eventsOf(turn)
  expect((await turn.result).text).toBe('End')
  expect(only(events, 'tool_result')).toMatchObject([{ result }])
  expect(await wireFaults(setting.log)).toEqual([])
})

test('a second turn goes on in the same session', async () => {
  const setting = coder()
  await setting.ask('One').result
  expect((await setting.ask('Two').result).text).toBe('You said: Two')
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

test('a cancel interrupts the program, and the next turn finds it idle', async () => {
  const setting = coder()
  const turn = setting.ask(playing({ text: 'I begin' }, { waitMs: 60_000 }))
  for await (const event of turn) if (event.type === 'chat_output') break
  await setting.runs.cancel('t')
  expect((await turn.result).reason).toBe('cancelled')
  expect((await setting.ask('And now?').result).text).toContain('And now?')
})

test('without the program a run fails with a code for it', async () => {
  const program = claudeCode({ bin: '/no/such/claude' })
  const { ask } = withAgents([defineAgent({ name: 'coder', program })])
  expect((await ask('Hi').result).error?.code).toBe('no_program')
})
