import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { calling, expectWhole, replies, withAgents } from '../agents/runs.fixture.ts'
import { Throughline, defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import { Tokens, serve } from '../server/index.ts'
import { id, memoryLog, sha256 } from '../../test/memory-log.fixture.ts'
import { paid, serveAgui } from '../server/agui-server.fixture.ts'
import { remoteAgent } from './index.ts'
import { call, loopback, result, text } from './loopback.fixture.ts'

test('the clerk of another Throughline asks for permission to pay: it is a question of ours, answered once', async () => {
  const { url } = await serveAgui()
  const { ask, log, runs } = withAgents([remoteAgent({ name: 'proxy', url: `${url}/agui/clerk` })])
  const before = paid.length
  const asked = await ask('please pay').result
  const [wait] = asked.waits
  expect(asked.reason).toBe('interrupt')
  expect(wait).toMatchObject({
    reason: 'tool_approval',
    toolName: 'pay',
    arguments: '{"pounds":5}',
    agent: 'proxy',
  })
  expect(paid.length).toBe(before)
  const done = await runs.resume('t', { run: asked.run, values: { approved: true } }).result
  expect(done).toMatchObject({ reason: 'success', text: 'I have it: Paid 5' })
  expect(paid.length).toBe(before + 1)
  await expectWhole(log)
  const again = await ask('please pay').result
  const no = await runs.resume('t', { run: again.run, values: { approved: false, reason: 'dear' } })
    .result
  expect(no.text).toContain('did not agree')
  expect(paid.length).toBe(before + 1)
  await expectWhole(log)
})

test('proxies of proxies: text, sub-agents and approvals pass through two servers', async () => {
  const inner = await serveAgui()
  const middle = await serveRemote(`${inner.url}/agui/clerk`)
  const { ask, log, runs, records } = withAgents([
    remoteAgent({ name: 'outer', url: `${middle}/agui/middle` }),
  ])
  expect((await ask('ask the archive').result).text).toBe('I have it: Found: case 7')
  const said = (await records()).find(({ data }) => JSON.stringify(data).includes('Found: case 7'))
  expect(said?.origin).toMatchObject({ depth: 1, path: ['outer', 'archive'], agent: 'archive' })
  const before = paid.length
  const asked = await ask('please pay').result
  const done = await runs.resume('t', { run: asked.run, values: { approved: true } }).result
  expect(done.text).toBe('I have it: Paid 5')
  expect(paid.length).toBe(before + 1)
  await expectWhole(log)
})

test('a sub-agent that is remote asks, waits below its caller, and goes on with the answer', async () => {
  const { url } = await serveAgui()
  const proxy = remoteAgent({ name: 'proxy', url: `${url}/agui/clerk` })
  const model = replies(calling(['call_proxy', { message: 'please pay' }]), ({ messages }) => ({
    text: `Told: ${messages.at(-1)?.text}`,
  }))
  const { ask, log, runs } = withAgents([defineAgent({ name: 'lead', agents: [proxy], model })])
  const asked = await ask('Go').result
  expect(asked.waits).toMatchObject([{ reason: 'tool_approval', agent: 'proxy', depth: 1 }])
  const done = await runs.resume('t', { run: asked.run, values: { approved: true } }).result
  expect(done).toMatchObject({ reason: 'success', text: 'Told: I have it: Paid 5' })
  await expectWhole(log)
})

test('a tool of ours that a remote agent calls waits for its approval', async () => {
  const ran: string[] = []
  const pay = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: () => {
      ran.push('paid')
      return 'Paid'
    },
  })
  const { url, requests } = await loopback(({ input }) =>
    input.messages.at(-1)?.role === 'tool' ? text('m', 'Done') : call('c', 'pay'),
  )
  const { ask, log, runs } = withAgents([remoteAgent({ name: 'clerk', url, tools: { pay } })])
  const asked = await ask('Pay').result
  expect([asked.reason, ran, requests.length]).toEqual(['interrupt', [], 1])
  const done = await runs.resume('t', { run: asked.run, values: { approved: true } }).result
  expect([done.text, ran, requests.length]).toEqual(['Done', ['paid'], 2])
  await expectWhole(log)
})

const interrupt = (...interrupts: readonly object[]) => ({
  type: 'RUN_FINISHED',
  outcome: { type: 'interrupt', interrupts },
})
const schema = { type: 'object', properties: { city: { title: 'Which city?' }, zip: {} } }

test.each(['constructor', '__proto__', 'toString'])(
  'a remote agent that asks for "%s", which no answer can have, fails, and nothing waits',
  async (name) => {
    const responseSchema = { type: 'object', required: [name] }
    const question = interrupt({ id: 'i1', reason: 'need', message: 'Who?', responseSchema })
    const { url } = await loopback(() => [question])
    const { ask, log } = withAgents([remoteAgent({ name: 'clerk', url })])
    const end = await ask('Go').result
    expect(end).toMatchObject({ reason: 'error', error: { code: 'malformed' }, waits: [] })
    expect(end.error?.message).toContain(`asks for "${name}"`)
    await expectWhole(log)
  },
)

test('questions about no call wait under calls of their own, and are answered under their ids', async () => {
  const { url, requests } = await loopback((_, index) =>
    index > 0
      ? text('m2', 'Thanks')
      : [
          ...text('m1', 'Where?'),
          interrupt(
            { id: 'i1', reason: 'need', message: 'The place', responseSchema: schema },
            { id: 'i2', reason: 'free', message: 'Say something' },
          ),
        ],
  )
  const { ask, log, runs } = withAgents([remoteAgent({ name: 'clerk', url })])
  const asked = await ask('Go').result
  expect(asked.waits.map(({ reason, requestKeys }) => [reason, requestKeys])).toEqual([
    ['input_required', { city: 'Which city?', zip: 'The place' }],
    ['input_required', { answer: 'Say something' }],
  ])
  const values = { city: 'Bath', zip: 'BA1', answer: 'Hm' }
  const done = await runs.resume('t', { run: asked.run, values }).result
  expect(done).toMatchObject({ reason: 'success', text: 'Thanks' })
  expect(requests[1]?.input.resume).toEqual([
    { interruptId: 'i1', status: 'resolved', payload: { city: 'Bath', zip: 'BA1' } },
    { interruptId: 'i2', status: 'resolved', payload: { answer: 'Hm' } },
  ])
  expect(JSON.stringify(requests[1]?.input.messages)).not.toContain('remote.question')
  await expectWhole(log)
})

test('TanStack AI’s interrupt for a call of our tool asks nobody: the tool runs, and a question beside it is asked', async () => {
  const reason = 'tanstack:client_tool_execution'
  const { url, requests } = await loopback((_, index) =>
    index > 0
      ? text('m2', 'Thanks')
      : [
          ...call('c1', 'weigh'),
          interrupt({ id: 'i1', reason, toolCallId: 'c1' }, { id: 'i2', reason: 'free' }),
        ],
  )
  const faults: string[] = []
  const weigh = tool({ inputSchema: z.object({}), execute: () => '2 kg' })
  const onFault = (fault: string): void => void faults.push(fault)
  const { ask, runs, log } = withAgents([
    remoteAgent({ name: 'clerk', url, tools: { weigh }, onFault }),
  ])
  const asked = await ask('Go').result
  expect(asked.waits).toMatchObject([{ reason: 'input_required' }])
  const done = await runs.resume('t', { run: asked.run, values: { answer: 'Hm' } }).result
  expect(done.text).toBe('Thanks')
  expect(requests[1]?.input.resume).toMatchObject([{ interruptId: 'i2' }])
  expect(requests[1]?.input.messages.at(-1)).toMatchObject({ toolCallId: 'c1', content: '2 kg' })
  expect(faults).toEqual(['client_tool_interrupt'])
  await expectWhole(log)
})

test('a question that a person declines is answered as cancelled', async () => {
  const { url, requests } = await loopback((_, index) =>
    index > 0 ? text('m2', 'As you wish') : [interrupt({ id: 'i1', reason: 'need' })],
  )
  const { ask, runs, log } = withAgents([remoteAgent({ name: 'clerk', url })])
  const asked = await ask('Go').result
  const [wait] = asked.waits
  const answers = [{ interruptId: wait?.id ?? '', status: 'cancelled' as const }]
  const done = await runs.answer('t', { agent: 'clerk', answers }).result
  expect(done.text).toBe('As you wish')
  expect(requests[1]?.input.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }])
  await expectWhole(log)
})

test('of two questions one may be answered first: the program gets both answers together', async () => {
  const { url, requests } = await loopback((_, index) =>
    index > 0
      ? [result('c1', 'done'), text('m2', 'Thanks')].flat()
      : [
          ...call('c1', 'own'),
          interrupt(
            { id: 'i1', reason: 'need', toolCallId: 'c1', responseSchema: schema },
            { id: 'i2', reason: 'free' },
          ),
        ],
  )
  const { ask, runs, log } = withAgents([remoteAgent({ name: 'clerk', url })])
  const asked = await ask('Go').result
  const [first, second] = asked.waits
  const half = await runs.answer('t', {
    agent: 'clerk',
    answers: [
      { interruptId: first?.id ?? '', status: 'resolved', payload: { city: 'x', zip: 'y' } },
    ],
  }).result
  expect([half.reason, requests.length]).toEqual(['interrupt', 1])
  const done = await runs.answer('t', {
    agent: 'clerk',
    answers: [{ interruptId: second?.id ?? '', status: 'resolved', payload: { answer: 'z' } }],
  }).result
  expect(done.text).toBe('Thanks')
  expect(requests[1]?.input.resume).toMatchObject([
    { interruptId: 'i2', payload: { answer: 'z' } },
    { interruptId: 'i1', payload: { city: 'x', zip: 'y' } },
  ])
  await expectWhole(log)
})

/** A Throughline whose only agent is another server's. */
async function serveRemote(url: string): Promise<string> {
  const domain = defineDomain<object>().domain({ name: 'middle', initial: {}, events: {} })
  const app = defineApp({
    name: 'middle',
    domain,
    agents: [remoteAgent<object>({ name: 'middle', url })],
  })
  const throughline = await Throughline.start({
    log: memoryLog(),
    apps: [app],
    now: Date.now,
    id,
    sha256,
  })
  const server = await serve(throughline, { port: 0, tokens: new Tokens(['a secret']) })
  onTestFinished(() => server.close())
  return server.url
}

/** Asks for a colour with each request that brings no answer, once it has been asked to. */
async function colourAgent(asksAgain: boolean) {
  const pay = tool({
    inputSchema: z.object({}),
    needsApproval: { by: 'handler' },
    execute: () => 'Paid',
  })
  const { url, requests } = await loopback(({ input }) => {
    const last = input.messages.at(-1)
    const said = String(last?.content)
    if (input.resume) return text('m-answered', 'Red it is')
    if (said === 'Pay') return call('c', 'pay')
    if (said !== 'Ask' && !(asksAgain && said.includes('gave: Paid'))) return text('m', 'Fine')
    const interrupt = { id: `i-${input.messages.length}`, reason: 'input_required' }
    const outcome = { type: 'interrupt', interrupts: [{ ...interrupt, message: 'Which colour?' }] }
    return [{ type: 'RUN_FINISHED', threadId: input.threadId, runId: input.runId, outcome }]
  })
  const agent = withAgents([remoteAgent({ name: 'clerk', url, tools: { pay } })])
  const { run } = await agent.ask('Pay').result
  const question = await agent.ask('Ask').result
  const decided = await agent.runs.resume('t', { run, values: { approved: true } }).result
  const [wait] = question.waits
  const values = Object.fromEntries(Object.keys(wait?.requestKeys ?? {}).map((key) => [key, 'red']))
  const answered = await agent.runs.resume('t', { run: question.run, values }).result
  return { ...agent, requests, decided, answered }
}

test('the result of a call that another role decided comes to a remote agent as words, not twice as a result', async () => {
  const { requests, decided, log } = await colourAgent(false)
  expect(decided).toMatchObject({ reason: 'success', text: 'Fine' })
  const told = requests.map(({ input }) => input.messages.at(-1)?.content)
  expect(told).toContainEqual('[The call of pay that waited for a decision gave: Paid]')
  for (const { input } of requests) {
    const results = input.messages.flatMap((each) => (each.role === 'tool' ? each.toolCallId : []))
    expect(new Set(results).size).toBe(results.length)
  }
  await expectWhole(log)
})

test.each([false, true])(
  'a decision beside an open question of a remote agent leaves that question to its page, asked again: %s',
  async (asksAgain) => {
    const { decided, answered, records, log } = await colourAgent(asksAgain)
    const codes = asksAgain ? { code: 'cannot_ask' } : undefined
    expect(decided.error).toEqual(codes && expect.objectContaining(codes))
    expect(answered).toMatchObject({ reason: 'success', text: 'Red it is' })
    const results = (await records()).filter(({ type }) => type === 'TOOL_CALL_RESULT')
    expect(results.filter(({ data }) => JSON.stringify(data).includes('unreported'))).toEqual([])
    await expectWhole(log)
  },
)
