import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { programArguments } from '../../../test/program.fixture.ts'
import { bareEnvironment } from '../../../test/server-process.fixture.ts'
import { callOf, mcpClientOf } from '../../server/mcp-client.fixture.ts'
import type { McpSetting } from '../../server/mcp-client.fixture.ts'
import { SECRET, throughline } from '../throughline.fixture.ts'

const MODULE = `
import { defineAgent, scriptedModel, tool } from ${JSON.stringify(resolve('src/public/index.ts'))}
import { z } from ${JSON.stringify(resolve('node_modules/zod/index.js'))}
console.log('not a message of the protocol')
const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' })
const rest = tool({ inputSchema: z.object({}), execute: () => new Promise(() => setTimeout(() => {}, 1e6)) })
const model = scriptedModel(({ messages }) => {
  const { role, text = '' } = messages.at(-1) ?? {}
  console.log('nor this')
  if (text === 'wait') return { text: 'Hm.', toolCalls: [{ name: 'rest', input: {} }] }
  if (role === 'tool') return 'Done: ' + text
  return text === 'pay' ? { toolCalls: [{ name: 'pay', input: {} }] } : 'Heard: ' + text
})
export const clerk = defineAgent({ name: 'clerk', model, tools: { pay, rest } })
`
const env = { ...bareEnvironment(), SECRET, NODE_OPTIONS: '--conditions=throughline-source' }

function moduleIn(folder: string): string {
  const module = join(folder, 'app.ts')
  writeFileSync(module, MODULE)
  return module
}

async function started(args: readonly string[], setting: McpSetting) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...programArguments('throughline'), 'mcp', ...args],
    env,
    stderr: 'pipe',
  })
  const client = mcpClientOf(setting)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return Object.assign(client, { pid: transport.pid ?? 0 })
}

for (const protocol of ['auto', 'legacy'] as const) {
  test(`throughline mcp serves a module over stdio, keeps its threads and asks the person (${protocol})`, async () => {
    const folder = newFolder()
    const module = moduleIn(folder)
    const args = ['--store', `sqlite:${join(folder, 'mcp.db')}`, '--actor', 'ann', module]
    const person = () => ({ action: 'accept' as const, content: { approved: true } })
    const client = await started(args, { protocol, person })
    const asked = await callOf(client, 'ask_clerk', { message: 'hello', thread: 't' })
    expect(asked).toMatchObject({ status: 'success', text: 'Heard: hello' })
    const approved = await callOf(client, 'ask_clerk', { message: 'pay', thread: 't' })
    expect(approved).toMatchObject({ status: 'success', text: 'Done: paid' })
    await client.close()
    const second = await started(args, { protocol })
    const { contents } = await second.readResource({ uri: 'throughline://threads/t/audit' })
    const text = (contents[0] as { readonly text: string }).text
    expect(text).toContain('Heard: hello')
    expect(text).toContain('"actor":"ann"')
  })
}

test('throughline mcp says on the standard error why it cannot serve, and ends with 2', async () => {
  const folder = newFolder()
  const store = `sqlite:${join(folder, 'mcp.db')}`
  const module = moduleIn(folder)
  writeFileSync(join(folder, 'none.ts'), 'export const x = 1')
  const none = await throughline(['mcp', '--store', store, join(folder, 'none.ts')], env)
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('it exports no application')
  expect(existsSync(join(folder, 'mcp.db'))).toBe(false)
  const role = await throughline(['mcp', '--store', store, '--role', 'nobody', module], env)
  expect(role).toMatchObject({ code: 2, stdout: '' })
  expect(role.stderr).toContain('"nobody"')
  const holder = await started(['--store', store, module], {})
  // A client asks a process of its own which protocol is spoken: only an answer says that this one has the store.
  await holder.listTools()
  const locked = await throughline(['mcp', '--store', store, module], env)
  expect(locked).toMatchObject({ code: 2, stdout: '' })
  expect(locked.stderr).toContain('/mcp')
})

test('a process that is killed in mid-turn has asked once, and the same id tells how the turn ended', async () => {
  const folder = newFolder()
  const args = ['--store', `sqlite:${join(folder, 'mcp.db')}`, moduleIn(folder)]
  const request = { message: 'wait', id: 'one' }
  const client = await started(args, {})
  const words: string[] = []
  const call = { name: 'ask_clerk', arguments: request }
  const onprogress = ({ message = '' }: { readonly message?: string | undefined }) =>
    void words.push(message)
  const cut = expect(client.callTool(call, { onprogress })).rejects.toThrow()
  while (!words.includes('Hm.')) await pause(10)
  process.kill(client.pid, 'SIGKILL')
  await cut
  const second = await started(args, {})
  const again = await callOf(second, 'ask_clerk', request)
  expect(again).toMatchObject({ status: 'error', text: 'Hm.' })
  expect(again.said).toContain('interrupted')
  const next = await callOf(second, 'ask_clerk', { message: 'hello', thread: again.thread })
  expect(next).toMatchObject({ status: 'success', text: 'Heard: hello' })
})
