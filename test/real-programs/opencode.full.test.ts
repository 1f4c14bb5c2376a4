import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acpAgent } from 'throughline/programs'
import { expect, onTestFinished, test } from 'vitest'
import { defineAgent } from '../../src/agents/index.ts'
import {
  eventsOf,
  expectWhole,
  only,
  wireFaults,
  withAgents,
} from '../../src/agents/runs.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { chatServer } from './chat-server.fixture.ts'
import type { Reply } from './chat-server.fixture.ts'
import { installed } from './installed.fixture.ts'

const bin = installed('opencode-1.18.33')

/** The real OpenCode as an agent, beside a model on loopback. */
async function coder(reply: (asked: string) => Reply) {
  const model = await chatServer(reply)
  const cwd = newFolder()
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: newFolder(),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(model.url)),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }
  const program = acpAgent({ bin: bin ?? '', args: ['acp'], cwd, env })
  onTestFinished(async () => {
    await program.close()
    model.close()
  })
  const lead = defineAgent({ name: 'coder', program })
  return { ...withAgents([lead]), cwd }
}

function configuration(baseURL: string) {
  const models = {
    test: { name: 'Test', tool_call: true, limit: { context: 100_000, output: 4_000 } },
  }
  const options = { baseURL, apiKey: 'not-a-key' }
  return {
    model: 'local/test',
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'ask' },
    provider: { local: { npm: '@ai-sdk/openai-compatible', name: 'Local', options, models } },
  }
}

/** What the model does about a message. */
const INPUT = { command: 'echo hi > made.txt', description: 'Writes hi' }
function replyTo(asked: string): Reply {
  if (asked.includes('Make it')) return { call: 'bash', input: INPUT }
  if (asked.includes('Take your time')) return { hang: 'Slow ' }
  return { say: asked.includes('Again') ? 'Twice.' : 'Once.' }
}

// One conversation for all of it: a start of OpenCode takes four seconds of processor time.
test.skipIf(bin === undefined)(
  'OpenCode answers a run, goes on in the same conversation, runs a command only when a person allows it, and stops',
  async () => {
    const setting = await coder(replyTo)
    const first = await setting.ask('Hello').result
    expect(first).toMatchObject({ reason: 'success', text: 'Once.' })
    expect(first.usage.total.inputTokens).toBeGreaterThan(0)
    expect((await setting.ask('Again').result).text).toBe('Twice.')
    await expectWhole(setting.log)

    const made = join(setting.cwd, 'made.txt')
    const asked = await setting.ask('Make it').result
    expect(asked.waits).toMatchObject([{ reason: 'tool_approval' }])
    expect(existsSync(made)).toBe(false)
    const allowed = setting.resume(asked.run, { approved: true })
    const events = await eventsOf(allowed)
    expect(await allowed.result).toMatchObject({ reason: 'success' })
    expect(existsSync(made)).toBe(true)
    expect(only(events, 'tool_result')).toHaveLength(1)
    expect(await wireFaults(setting.log)).toEqual([])

    const cancelled = setting.ask('Take your time')
    for await (const event of cancelled) if (event.type === 'chat_output') break
    await setting.runs.cancel('t')
    expect((await cancelled.result).reason).toBe('cancelled')
    expect((await setting.ask('Next').result).text).toBe('Once.')
  },
)
