import { ProtocolError } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import { scriptedModel } from '../models/index.ts'
import { paid, serveAgui } from './agui-server.fixture.ts'
import { bearer, guarded, serveCallers } from './callers.fixture.ts'
import { routes, serve } from './index.ts'
import type { Authenticate } from './index.ts'
import { callOf, mcpClient } from './mcp-client.fixture.ts'
import { open, quiet } from './mounted-routes.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

/** A person of a tenant enters the threads that begin with its name alone. */
const tenants: Authenticate = ({ headers }, thread) => {
  const [role = '', actor = '', tenant = ''] = (headers.get('authorization') ?? '').split(' ')
  if (thread !== undefined && !thread.startsWith(`${tenant}-`)) return { forbidden: 'not yours' }
  return { role, actor }
}

const ann = { headers: { authorization: 'responder ann a' } }
const bob = { headers: { authorization: 'responder bob b' } }

async function served(authenticate: Authenticate = tenants) {
  const throughline = await open()
  const server = await serve(throughline, { port: 0, authenticate, mcp: true, ...quiet })
  onTestFinished(() => server.close())
  return { url: server.url, throughline }
}

test('each call enters its thread anew: another tenant’s thread is refused, whatever part of a call names it', async () => {
  const { url, throughline } = await served()
  const client = await mcpClient(url, ann)
  const asked = await callOf(client, 'ask_payer', { message: 'Pay', thread: 'a-1' })
  expect(asked.status).toBe('waiting')
  const foreign = await mcpClient(url, bob)
  const answers = [{ id: asked.questions[0]?.id, approved: true }]
  for (const [name, given] of [
    ['ask_payer', { message: 'Pay', thread: 'a-1' }],
    ['answer_payer', { thread: 'a-1', answers }],
  ] as const) {
    const refused = await callOf(foreign, name, given)
    expect(refused).toMatchObject({ isError: true, said: 'forbidden: not yours', thread: '' })
  }
  for (const of of ['', '/state', '/audit'])
    await expect(foreign.readResource({ uri: `throughline://threads/a-1${of}` })).rejects.toThrow(
      ProtocolError,
    )
  expect((await foreign.listResources()).resources).toEqual([])
  const answer = await round(url, bob.headers, { thread: 'b-1', state: 'a-1', answers })
  expect(answer).toMatchObject({ isError: true, content: [{ text: 'forbidden: not yours' }] })
  const { openRuns, pauses } = await throughline.app('incidents').gate.snapshot('a-1')
  expect([openRuns.length, pauses.waiting.length]).toEqual([0, 1])
  const unasked = await round(url, ann.headers, {
    thread: 'a-1',
    state: 'a-1',
    answers: [{ id: 'x' }],
  })
  expect(unasked).toMatchObject({ content: [{ text: 'not_found: There is no such turn' }] })
  const own = await round(url, ann.headers, { thread: 'a-1', state: 'a-1', answers })
  expect(own).toMatchObject({ structuredContent: { status: 'success', text: 'Paid.' } })
})

test.each([
  { who: 'people whom the program does not name get threads of their own', named: {}, threads: 2 },
  { who: 'one whom it names gets one thread', named: { actor: 'ann' }, threads: 1 },
])('for the same id, $who', async ({ named, threads }) => {
  const { url } = await served(() => ({ role: 'responder', ...named }))
  const given = { message: 'Pay', id: '1' }
  const [one, other] = await Promise.all([mcpClient(url), mcpClient(url)])
  const first = await callOf(one, 'ask_payer', given)
  const second = await callOf(other, 'ask_payer', given)
  expect(new Set([first.thread, second.thread]).size).toBe(threads)
})

test('a role sees the tools of agents that it may ask, and is refused the others', async () => {
  const { url } = await served()
  const auditor = await mcpClient(url, { headers: { authorization: 'auditor eve a' } })
  expect((await auditor.listTools()).tools).toEqual([])
  const refused = await callOf(auditor, 'ask_payer', { message: 'Pay', thread: 'a-1' })
  expect(refused).toMatchObject({ isError: true })
  const client = await mcpClient(url, ann)
  const surface = await callOf(client, 'ask_guard', { message: 'Pay', thread: 'a-2' })
  expect(surface.said).toContain('it talks with "gate" alone')
})

test('an answer names its person, and that it came over MCP', async () => {
  const { url, throughline } = await served()
  const asking = await mcpClient(url, ann)
  const { questions } = await callOf(asking, 'ask_payer', { message: 'Pay', thread: 'a-1' })
  const answers = [{ id: questions[0]?.id, approved: true }]
  const done = await callOf(asking, 'answer_payer', { thread: 'a-1', answers })
  expect(done).toMatchObject({ status: 'success' })
  const { log } = throughline
  const started = (await recordsOf(log, 'a-1')).filter(({ type }) => type === 'RUN_STARTED')
  expect(started.at(-1)?.origin).toMatchObject({ source: 'ui', actor: 'ann' })
  expect(JSON.stringify(started.at(-1)?.data)).toContain('mcp-answer:')
})

test('a role that may not answer is shown no form, and its answer is refused', async () => {
  const roles = { asker: { read: 'all', run: 'all', begin: true } } as const
  const throughline = await open(defineApp({ name: 'shop', agents: [payer()], roles }))
  const authenticate = () => ({ role: 'asker' })
  const server = await serve(throughline, { port: 0, authenticate, mcp: true, ...quiet })
  onTestFinished(() => server.close())
  const forms: string[] = []
  const person = (message: string) => {
    forms.push(message)
    return { action: 'accept' as const, content: { approved: true } }
  }
  const client = await mcpClient(server.url, { person })
  const asked = await callOf(client, 'ask_payer', { message: 'Pay', thread: 't' })
  expect(asked).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval' }] })
  expect(asked.said).not.toContain('answer_payer')
  const answers = [{ id: asked.questions[0]?.id, approved: true }]
  const refused = await callOf(client, 'answer_payer', { thread: 't', answers })
  expect(refused.said).toContain('forbidden')
  expect(forms).toEqual([])
})

test('a role that reads no records learns how its turn ended, and nothing of what was said or asked', async () => {
  const roles = {
    asker: { read: { state: () => ({}) }, run: 'all', begin: true, answer: true },
  } as const
  const throughline = await open(defineApp({ name: 'shop', agents: [payer()], roles }))
  const authenticate = () => ({ role: 'asker' })
  const server = await serve(throughline, { port: 0, authenticate, mcp: true, ...quiet })
  onTestFinished(() => server.close())
  const client = await mcpClient(server.url)
  const asked = await callOf(client, 'ask_payer', { message: 'Pay', thread: 't' })
  expect(asked).toMatchObject({ status: 'waiting', text: '', questions: [{ kind: 'hidden' }] })
  expect([asked.progress.join(''), asked.said.includes('pay(')]).toEqual(['', false])
  const { contents } = await client.readResource({ uri: 'throughline://threads/t' })
  expect(JSON.parse((contents[0] as { readonly text: string }).text)).toMatchObject({
    messages: [],
  })
})

test('a caller’s token shows and opens its own agents and threads; without one a client is not let in', async () => {
  const { url, issue } = await serveCallers({ ...guarded, mcp: true })
  await expect(mcpClient(url)).rejects.toThrow()
  const first = await issue({ subject: 'ann', agents: ['clerk'] })
  const second = await issue({ subject: 'bob', agents: ['clerk', 'payer'] })
  const client = await mcpClient(url, { headers: bearer(first.token) })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['ask_clerk', 'answer_clerk'])
  const asked = await callOf(client, 'ask_clerk', { message: 'hello', id: '1' })
  expect(asked).toMatchObject({ status: 'success' })
  expect(await callOf(client, 'ask_payer', { message: 'hello' })).toMatchObject({ isError: true })
  const other = await mcpClient(url, { headers: bearer(second.token) })
  const { thread } = asked
  const refused = await callOf(other, 'ask_clerk', { message: 'hello', thread })
  expect(refused.said).toBe('not_found: There is no such thread')
  const same = await callOf(other, 'ask_clerk', { message: 'hello', id: '1' })
  expect(same.thread).not.toBe(thread)
})

test('calls take the quotas of their sender', async () => {
  const { url, issue } = await serveCallers({ ...guarded, mcp: true, turnsPerMinute: 1 })
  const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
  const client = await mcpClient(url, { headers: bearer(token) })
  const request = { message: 'hello', id: '1' }
  expect(await callOf(client, 'ask_clerk', request)).toMatchObject({ status: 'success' })
  expect(await callOf(client, 'ask_clerk', request)).toMatchObject({ status: 'success' })
  const second = await callOf(client, 'ask_clerk', { message: 'hello', id: '2' })
  expect(second.said).toContain('too_many_turns')
})

test('bodies and texts beyond the limits are refused', async () => {
  const { url } = await serveAgui({ mcp: true })
  const post = async (body: string) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const response = await fetch(`${url}/mcp`, { method: 'POST', body, headers })
    return { status: response.status, text: await response.text() }
  }
  expect((await post(`"${'x'.repeat(50_000_000)}"`)).status).toBe(413)
  expect((await post('['.repeat(100_000))).status).toBe(400)
  expect((await post(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)).status).toBe(400)
  expect((await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).status).toBe(400)
  const client = await mcpClient(url)
  const long = await callOf(client, 'ask_clerk', { message: 'x'.repeat(100_001) })
  expect(long).toMatchObject({ isError: true })
  const broken = await callOf(client, 'ask_clerk', { message: 'a\u0000b', thread: 'no\nname' })
  expect(broken.said).toContain('invalid_body')
  const fine = await callOf(client, 'ask_clerk', { message: '</tool> \u202e {{x}} <!-- -->' })
  expect(fine.text).toBe('Heard: </tool> \u202e {{x}} <!-- -->')
})

test('two agents whose tools would have one name are refused at the start', async () => {
  const named = (name: string) => defineAgent({ name, model: scriptedModel(() => 'x') })
  const long = 'x'.repeat(60)
  const agents = [named(`${long}1`), named(`${long}2`)]
  const throughline = await open(defineApp({ name: 'long', agents }))
  expect(() => routes(throughline, { mcp: true })).toThrow(
    expect.objectContaining({ code: 'ambiguous_tool' }),
  )
  const one = await open(defineApp({ name: 'long', agents: agents.slice(0, 1) }))
  const server = await serve(one, { port: 0, mcp: true })
  onTestFinished(() => server.close())
  const client = await mcpClient(server.url)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names.map((name) => name.length)).toEqual([61, 64])
})

test('answers in a form that another person’s answer has overtaken pay nothing twice', async () => {
  const { url } = await serveAgui({ mcp: true })
  paid.length = 0
  const other = await mcpClient(url)
  const client = await mcpClient(url, {
    async person() {
      const { questions } = await callOf(other, 'ask_clerk', { message: 'x', thread: 'both' })
      const answers = [{ id: questions[0]?.id, approved: true }]
      await callOf(other, 'answer_clerk', { thread: 'both', answers })
      return { action: 'accept', content: { approved: false } }
    },
  })
  const done = await callOf(client, 'ask_clerk', { message: 'please pay', thread: 'both' })
  expect(done).toMatchObject({ status: 'success', text: 'I have it: Paid 5' })
  expect(paid).toEqual([5])
})

/** Asks for an approval each time. */
function payer() {
  return defineAgent({
    name: 'payer',
    model: scriptedModel(() => ({ text: 'Hm.', toolCalls: [{ name: 'pay', input: {} }] })),
    tools: { pay: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => 'paid' }) },
  })
}

interface Round {
  readonly thread: string
  /** The thread that the state of the call names. */
  readonly state: string
  readonly answers: readonly { readonly id?: string | undefined }[]
}

/** The second round of a call, as a client sends it that has written the state itself. */
async function round(
  url: string,
  headers: Readonly<Record<string, string>>,
  { thread, state, answers }: Round,
): Promise<unknown> {
  const of = 'io.modelcontextprotocol'
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask_payer',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'ask_payer',
        arguments: { message: 'Pay', thread },
        requestState: JSON.stringify({
          thread: state,
          turn: 'x',
          jsonFields: [],
          message: 'taken',
        }),
        inputResponses: Object.fromEntries(
          answers.map(({ id }) => [id, { action: 'accept', content: { approved: true } }]),
        ),
        _meta: {
          [`${of}/protocolVersion`]: '2026-07-28',
          [`${of}/clientInfo`]: { name: 'raw', version: '1' },
          [`${of}/clientCapabilities`]: { elicitation: { form: {} } },
        },
      },
    }),
  })
  const { result } = (await response.json()) as { readonly result?: unknown }
  return result
}
