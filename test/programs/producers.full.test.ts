import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { AguiThread } from '../../src/agui-client/index.ts'
import { defineAgent, tool } from '../../src/agents/index.ts'
import { expectWhole } from '../../src/agents/runs.fixture.ts'
import { open } from '../../src/public/index.ts'
import { membersOf, textOf } from '../../src/json/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import { remoteAgent } from '../../src/programs/index.ts'
import { Tokens, serve } from '../../src/server/index.ts'
import { memoryLog, recordsOf } from '../memory-log.fixture.ts'

/** They have a lock file of their own: `npm ci --prefix test/producers` installs them. */
const notInstalled = !existsSync('test/producers/node_modules')

let url = ''
let end = (): Promise<unknown> => Promise.resolve()

beforeAll(async () => {
  if (notInstalled) return
  const command = ['test/producers/serve.mjs']
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  url = String(line).trim()
  end = () => {
    child.stdin.end()
    return ended
  }
})

afterAll(() => end())

const weigh = tool({
  inputSchema: z.object({ item: z.string() }),
  execute: ({ item }) => `The ${item} has 2 kg`,
})

/** Asks a served agent whose sub-agent is one of another maker. */
async function asked(path: string, content: string) {
  const faults: string[] = []
  const clerk = remoteAgent({
    name: 'clerk',
    url: `${url}/${path}`,
    tools: { weigh },
    onFault: (fault) => void faults.push(fault),
  })
  const model = scriptedModel(({ messages }) => {
    const { role, text: message = '' } = messages.at(-1) ?? {}
    if (role === 'tool') return message
    return { toolCalls: [{ name: 'call_clerk', input: { message } }] }
  })
  const log = memoryLog()
  const lead = defineAgent({ name: 'lead', agents: [clerk], model })
  const throughline = await open({ store: log, agents: [lead] })
  const server = await serve(throughline, { port: 0, tokens: new Tokens(['a secret']) })
  onTestFinished(async () => {
    await server.close()
    await throughline.close()
  })
  const thread = new AguiThread({ url: `${server.url}/agui/lead`, threadId: 't' })
  const run = await thread.run({ messages: [{ id: 'm', role: 'user', content }] })
  await expectWhole(log)
  const records = (await recordsOf(log, 't')).filter(({ origin }) => origin.agent === 'clerk')
  const { messages, subagents } = thread.getSnapshot()
  return { run, said: messages.at(-1)?.content, subagents, records, faults }
}

const makers = [
  { maker: 'Mastra', path: 'mastra', early: [], interrupt: [] },
  {
    maker: 'TanStack AI',
    path: 'tanstack',
    early: ['early_run_finished'],
    interrupt: ['client_tool_interrupt'],
  },
]

describe.skipIf(notInstalled).each(makers)('$maker behind remoteAgent', (each) => {
  test('answers with text, and its usage counts', async () => {
    const { run, said, subagents, records, faults } = await asked(each.path, 'Hello')
    expect(run.status).toBe('finished')
    expect(said).toBe('Which order is it about?')
    expect(subagents).toMatchObject([{ name: 'clerk', state: { status: 'finished' } }])
    const usage = records.map(({ data }) => membersOf(membersOf(data)['value'] ?? null)['usage'])
    expect(usage).toContainEqual(expect.objectContaining({ inputTokens: 5, outputTokens: 2 }))
    expect(faults).toEqual([])
  })

  test('runs a tool of its own', async () => {
    const { said, records, faults } = await asked(each.path, 'What is order 4711?')
    expect(said).toBe('Order 4711 is a reading lamp.')
    const results = records.filter(({ type }) => type === 'TOOL_CALL_RESULT')
    expect(results.map(({ data }) => textOf(data, 'content'))).toEqual(['{"item":"reading lamp"}'])
    expect(faults).toEqual(each.early)
  })

  test('calls a tool of ours, which runs here, and gets the result with the next request', async () => {
    const { said, records, faults } = await asked(each.path, 'How heavy is the lamp?')
    expect(said).toBe('It weighs 2 kg.')
    const results = records.filter(({ type }) => type === 'TOOL_CALL_RESULT')
    expect(results.map(({ data }) => textOf(data, 'content'))).toEqual(['The lamp has 2 kg'])
    expect(faults).toEqual(each.interrupt)
  })

  test.each([
    { why: 'its model fails', path: each.path, content: 'FAIL', code: 'remote_error' },
    { why: 'its stream is cut', path: `${each.path}/cut`, content: 'Hello', code: 'truncated' },
  ])('fails when $why', async ({ path, content, code }) => {
    const { run, subagents, records } = await asked(path, content)
    expect(run.status).toBe('finished')
    expect(subagents).toMatchObject([{ name: 'clerk', state: { status: 'failed' } }])
    expect(records.at(-1)).toMatchObject({ type: 'SUBAGENT_ERROR', data: { code } })
  })
})
