import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { programArguments } from '../../../test/program.fixture.ts'
import { defineAgent } from '../../agents/index.ts'
import { textOf } from '../../json/index.ts'
import { eventsOf, expectWhole, only, wireFaults, withAgents } from '../../agents/runs.fixture.ts'
import { acpAgent, childEnvironment } from '../index.ts'
import { processProgramContract } from '../process-program-contract.fixture.ts'
import type { AcpStep } from './scripted-agent.fixture.ts'

/** An agent behind the protocol's own SDK, in a process of its own. */
function scripted(...options: readonly string[]) {
  const args = [...programArguments('acp-agent'), ...options]
  const env = childEnvironment(process.env, ['NODE_COMPILE_CACHE'])
  return acpAgent({ bin: process.execPath, args, cwd: newFolder(), env })
}

processProgramContract({
  open: () => scripted(),
  absent: () => acpAgent({ bin: '/no/such/agent' }),
  denied: 'refused',
})

function coder(...options: readonly string[]) {
  const program = scripted(...options)
  onTestFinished(() => program.close())
  const instructions = 'Be brief'
  return withAgents([defineAgent({ name: 'coder', program, instructions })])
}

const playing = (...play: readonly AcpStep[]) => JSON.stringify({ play })
const BASH = { name: 'bash', input: { command: 'ls' }, result: 'a.txt' }

test('an agent behind ACP answers: thoughts, pieces of text, a tool of its own, usage', async () => {
  const setting = coder()
  const turn = setting.ask(
    playing({ thought: 'Hm.' }, { text: 'I look at it.' }, { tool: BASH }, { text: 'One file.' }),
  )
  const events = await eventsOf(turn)
  const { reason, text, usage } = await turn.result

  expect({ reason, text }).toEqual({ reason: 'success', text: 'One file.' })
  expect(usage.total).toMatchObject({ inputTokens: 7, outputTokens: 3 })
  expect(only(events, 'tool_call')).toMatchObject([{ name: 'bash', arguments: '{"command":"ls"}' }])
  expect(only(events, 'tool_result')).toMatchObject([{ name: 'bash', result: 'a.txt' }])
  const said = only(events, 'chat_output').map(({ messageId }) => messageId)
  expect(new Set(said).size).toBe(2)
  expect(await wireFaults(setting.log)).toEqual([])
  await expectWhole(setting.log)
})

test('what an agent tells of a call after its end, within the turn, is ignored', async () => {
  const setting = coder()
  const turn = setting.ask(playing({ tool: { ...BASH, isToldAgain: true } }, { text: 'One file.' }))
  const events = await eventsOf(turn)

  expect(await turn.result).toMatchObject({ reason: 'success', text: 'One file.' })
  expect(only(events, 'tool_call')).toHaveLength(1)
  expect(only(events, 'tool_result')).toMatchObject([{ name: 'bash', result: 'a.txt' }])
  expect(await wireFaults(setting.log)).toEqual([])
  await expectWhole(setting.log)
})

test('instructions go with the first prompt of a conversation, and a second turn goes on in it', async () => {
  const setting = coder()
  expect((await setting.ask('One').result).text).toBe('You said: Be brief|One')
  expect((await setting.ask('Two').result).text).toBe('You said: Two')
})

test('a process that dies in a turn is started again, loads the conversation and is told to go on', async () => {
  const setting = coder()
  await setting.ask('Hello').result
  const play = playing({ text: 'I begin.' }, { dies: true }, { text: 'Alive' })
  const turn = setting.ask(play)
  const events = await eventsOf(turn)
  expect(await turn.result).toMatchObject({ reason: 'success', text: 'Alive' })
  // What the agent repeats of a loaded conversation is not said again.
  expect(JSON.stringify(events)).not.toContain('before')
  expect(await wireFaults(setting.log)).toEqual([])
})

test.each(['--loads-nothing', '--fails-to-load'])(
  '[M7] %s: an agent that dies in a turn is not asked again, and the next message begins a new conversation',
  async (option) => {
    const setting = coder(option)
    const { error } = await setting.ask(playing({ dies: true }, { text: 'x' })).result
    expect(error).toMatchObject({ code: 'program_exited' })

    const next = setting.ask('Hello?')
    const { reason, text } = await next.result
    expect(reason).toBe('success')
    expect(text).toContain('You begin a new conversation in the place of one that was lost')
    expect(text).toContain('Hello?')
    const told = (await setting.records()).filter(({ type }) => type === 'CUSTOM')
    expect(told.map(({ data }) => textOf(data, 'name'))).toContain('program.new_conversation')
    expect((await setting.ask('And now?').result).text).toBe('You said: And now?')
    expect(await wireFaults(setting.log)).toEqual([])
  },
)

test('an agent that dies at the answer to its question fails that run, not the next one', async () => {
  const setting = coder('--loads-nothing')
  const asked = await setting.ask(playing({ tool: { ...BASH, asks: true, dies: true } })).result
  expect(asked.reason).toBe('interrupt')
  const { error } = await setting.resume(asked.run, { approved: true }).result
  expect(error?.code).toBe('program_exited')
  expect((await setting.ask('Hello?').result).reason).toBe('success')
})

test('an agent that says nothing has failed, and the next message is answered', async () => {
  const setting = coder()
  expect((await setting.ask(playing()).result).error?.code).toBe('empty')
  expect((await setting.ask('And now?').result).text).toContain('And now?')
})

test('words that come behind the answer to the prompt are said', async () => {
  const setting = coder()
  const { text } = await setting.ask(playing({ text: 'Half ' }, { behind: 'of it.' })).result
  expect(text).toBe('Half of it.')
})

test('an agent that stops at a limit, refuses, fails or wants a login fails the run, not the next one', async () => {
  const setting = coder()
  const ends: readonly [AcpStep, string][] = [
    [{ stops: 'max_tokens' }, 'max_tokens'],
    [{ stops: 'refusal' }, 'refusal'],
    [{ error: { code: -32_603, message: 'broken' } }, 'error'],
    [{ error: { code: -32_000, message: 'log in' } }, 'auth_failed'],
  ]
  for (const [end, code] of ends) {
    expect((await setting.ask(playing({ text: 'Half' }, end)).result).error?.code).toBe(code)
    expect((await setting.ask('And now?').result).text).toContain('And now?')
  }
})

test.each([
  ['another version of the protocol', '--version-2', 'rejected'],
  ['a login', '--is-locked', 'auth_failed'],
])('an agent that wants %s fails the run before it begins', async (_what, option, code) => {
  expect((await coder(option).ask('Hi').result).error?.code).toBe(code)
})

test('lines that are no message of the protocol are skipped, and unknown requests are refused', async () => {
  const setting = coder()
  const bad = ['no JSON', '[]', '{"id":9,"method":"fs/read_text_file","params":{}}', '{"id":"x"}']
  const steps = bad.map((raw): AcpStep => ({ raw }))
  const { reason, text } = await setting.ask(playing(...steps, { text: 'Still here' })).result
  expect({ reason, text }).toEqual({ reason: 'success', text: 'Still here' })
})
