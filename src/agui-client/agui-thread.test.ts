import { expect, test, vi } from 'vitest'
import { AguiThread, SNAPSHOT_REQUESTS_MAX } from './index.ts'
import type { Fault } from './index.ts'
import { finished, scriptedAgent, started, user } from './scripted-agent.fixture.ts'
import type { Answer } from './scripted-agent.fixture.ts'

const says = (messageId: string, delta: string) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
]

const plain: Answer = (asked) => [
  started(asked),
  ...says(`reply-${asked.input.runId}`, 'Hi'),
  finished(asked),
]

test('[E008] [E009] a run begins when it is asked for and ends by its own id', async () => {
  const { options, asked } = scriptedAgent(plain)
  const thread = new AguiThread({ ...options, tools: [{ name: 'show', description: 'Shows' }] })
  const statuses = new Set<string>()
  thread.subscribe(() => statuses.add(thread.getSnapshot().run.status))
  const ending = thread.run({ runId: 'run-1', messages: [user('hello')] })
  await expect(ending).resolves.toMatchObject({ status: 'finished', runId: 'run-1' })
  expect(asked[0]?.url).toBe('/agent')
  expect(asked[0]?.input).toMatchObject({
    protocolVersion: '1.0',
    threadId: 'thread-1',
    runId: 'run-1',
    messages: [{ content: 'hello' }],
    state: {},
    tools: [{ name: 'show' }],
    context: [],
  })
  expect(thread.getSnapshot()).toMatchObject({
    messages: [{ content: 'hello' }, { content: 'Hi' }],
    run: { status: 'finished' },
  })
  expect([...statuses].at(-1)).toBe('finished')
})

test('[E1] a stream that stops before its run ended is broken, never a success', async () => {
  const cut: Answer = (asked) => [started(asked), ...says('m', 'Hal')]
  const { options } = scriptedAgent(cut, () => [], plain)
  const thread = new AguiThread(options)
  for (let at = 0; at < 2; at++) {
    await expect(thread.run()).resolves.toMatchObject({
      status: 'broken',
      error: { name: 'WireError', code: 'truncated' },
    })
  }
  await expect(thread.run()).resolves.toMatchObject({ status: 'finished' })
})

test('[E1] a stream of another thread or another run is broken', async () => {
  const elsewhere: Answer = (asked) => [{ ...started(asked), threadId: 'elsewhere' }]
  const another: Answer = (asked) => [
    { ...started(asked), runId: 'x' },
    { ...finished(asked), runId: 'x' },
  ]
  const { options } = scriptedAgent(elsewhere, another)
  const thread = new AguiThread(options)
  for (let at = 0; at < 2; at++) {
    await expect(thread.run()).resolves.toMatchObject({
      status: 'broken',
      error: { code: 'other_run' },
    })
  }
})

test('[E010] a failed run shows its message and code, and a refused one its problem', async () => {
  const failed: Answer = (asked) => [
    started(asked),
    { type: 'RUN_ERROR', message: 'No credit', code: 'quota' },
  ]
  const { options } = scriptedAgent(failed, () => 403)
  const thread = new AguiThread(options)
  const first = await thread.run({ runId: 'run-1' })
  expect(first).toEqual({ status: 'failed', runId: 'run-1', message: 'No credit', code: 'quota' })
  await expect(thread.run()).resolves.toMatchObject({
    status: 'broken',
    error: { code: 'problem', problem: { status: 403 } },
  })
})

test('a cancelled run is neither a success nor a failure', async () => {
  const cancelled: Answer = (asked) => [started(asked), finished(asked, { type: 'cancelled' })]
  const thread = new AguiThread(scriptedAgent(cancelled).options)
  await expect(thread.run()).resolves.toMatchObject({ status: 'cancelled' })
})

test('a thread has one run at a time, and can be left', async () => {
  const waits: Answer = (asked) => ({ open: [started(asked), ...says('m', 'So')] })
  const { options } = scriptedAgent(waits, plain)
  const thread = new AguiThread(options)
  const ending = thread.run()
  await vi.waitFor(() => expect(thread.getSnapshot().messages).toHaveLength(1))
  await expect(thread.run()).rejects.toMatchObject({ name: 'AguiClientError', code: 'running' })
  thread.leave()
  await expect(ending).resolves.toMatchObject({ status: 'left' })
  await expect(thread.run()).resolves.toMatchObject({ status: 'finished' })
})

const asks =
  (expiresAt?: string): Answer =>
  (asked) => {
    const question = (id: string) => ({
      id,
      reason: 'input_required',
      ...(expiresAt && { expiresAt }),
    })
    return [
      started(asked),
      finished(asked, { type: 'interrupt', interrupts: [question('one'), question('two')] }),
    ]
  }

test('[E1] all open questions are answered together, and no others', async () => {
  const { options, asked } = scriptedAgent(asks(), plain)
  const thread = new AguiThread(options)
  await expect(thread.run()).resolves.toMatchObject({ status: 'interrupted' })
  const yes = (interruptId: string) => ({ interruptId, status: 'resolved', payload: 1 }) as const
  const refused = (code: string) => ({ name: 'AguiClientError', code })
  await expect(thread.run()).rejects.toMatchObject(refused('unanswered'))
  await expect(thread.run({ resume: [yes('one')] })).rejects.toMatchObject(refused('unanswered'))
  const more = [yes('one'), yes('two'), yes('three')]
  await expect(thread.run({ resume: more })).rejects.toMatchObject(refused('unknown_interrupt'))
  expect(asked).toHaveLength(1)
  await thread.run({ resume: [yes('one'), { interruptId: 'two', status: 'cancelled' }] })
  expect(asked[1]?.input['resume']).toHaveLength(2)
  expect(thread.getSnapshot().interrupts).toEqual([])
})

test('[E1] a question whose time is over can only be given up', async () => {
  const { options } = scriptedAgent(asks('2026-01-01T00:00:00Z'), plain)
  const thread = new AguiThread({ ...options, now: () => Date.parse('2026-01-02T00:00:00Z') })
  await thread.run()
  const answered = (status: 'resolved' | 'cancelled') =>
    ['one', 'two'].map((interruptId) => ({ interruptId, status }))
  await expect(thread.run({ resume: answered('resolved') })).rejects.toMatchObject({
    code: 'expired',
  })
  await expect(thread.run({ resume: answered('cancelled') })).resolves.toMatchObject({
    status: 'finished',
  })
})

test('the client sends encrypted values back, and no activities', async () => {
  const { options, asked } = scriptedAgent(
    (request) => [
      started(request),
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'plan', activityType: 'plan', content: {} },
      { type: 'REASONING_MESSAGE_START', messageId: 'thought', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_END', messageId: 'thought' },
      {
        type: 'REASONING_ENCRYPTED_VALUE',
        subtype: 'message',
        entityId: 'thought',
        encryptedValue: 'sealed',
      },
      finished(request),
    ],
    plain,
  )
  const thread = new AguiThread(options)
  await thread.run()
  await thread.run()
  expect(asked[1]?.input['messages']).toEqual([
    { id: 'thought', role: 'reasoning', content: '', encryptedValue: 'sealed' },
  ])
})

const misfit = { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/missing', value: 1 }] }

const joined: Answer = (asked) => [
  started(asked),
  { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'Hal' }] },
  { type: 'STATE_SNAPSHOT', snapshot: { count: 7 } },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'lo' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  finished(asked),
]

test('[E1] [E031] [E043] a patch that does not fit makes the client join and take the state that there is', async () => {
  const faults: Fault[] = []
  const { options, asked } = scriptedAgent(
    (request) => [
      started(request),
      { type: 'STATE_SNAPSHOT', snapshot: { count: 1 } },
      ...says('m', 'Hallo').slice(0, 1),
      misfit,
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hallo' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      finished(request, { type: 'cancelled' }),
    ],
    joined,
  )
  const thread = new AguiThread({ ...options, onFault: (fault) => faults.push(fault) })
  // The run's own stream reports its outcome.
  await expect(thread.run({ runId: 'run-1' })).resolves.toMatchObject({
    status: 'cancelled',
    runId: 'run-1',
  })
  expect(asked.map(({ url }) => url)).toEqual(['/agent', '/agent/connect'])
  expect(thread.getSnapshot()).toMatchObject({
    state: { count: 7 },
    isStateCurrent: true,
    messages: [{ id: 'm', content: 'Hallo' }],
  })
  expect(faults).toMatchObject([{ code: 'misfit' }])
})

test('[E1] a run that has ended keeps its end when the client joins for a snapshot', async () => {
  const { options } = scriptedAgent(
    (asked) => ({ atOnce: [started(asked), misfit, finished(asked, { type: 'cancelled' })] }),
    joined,
  )
  const thread = new AguiThread(options)
  await expect(thread.run({ runId: 'run-1' })).resolves.toMatchObject({
    status: 'cancelled',
    runId: 'run-1',
  })
  expect(thread.getSnapshot()).toMatchObject({ state: { count: 7 }, run: { status: 'cancelled' } })
})

test('an agent that cannot be joined goes on with the last state that fitted', async () => {
  const faults: Fault[] = []
  const { options, asked } = scriptedAgent((request) => [
    started(request),
    { type: 'STATE_SNAPSHOT', snapshot: { count: 1 } },
    ...Array.from({ length: SNAPSHOT_REQUESTS_MAX + 2 }, () => misfit),
    ...says('m', 'Hi'),
    finished(request),
  ])
  const thread = new AguiThread({ ...options, onFault: (fault) => faults.push(fault) })
  await expect(thread.run()).resolves.toMatchObject({ status: 'finished' })
  expect(thread.getSnapshot()).toMatchObject({
    state: { count: 1 },
    isStateCurrent: false,
    messages: [{ content: 'Hi' }],
  })
  expect(asked).toHaveLength(1 + SNAPSHOT_REQUESTS_MAX)
  expect(faults.filter(({ code }) => code === 'no_snapshot')).toHaveLength(SNAPSHOT_REQUESTS_MAX)
})

test('[E019] listeners are called once for many events', async () => {
  const { options } = scriptedAgent((asked) => [
    started(asked),
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    ...Array.from({ length: 5_000 }, () => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta: 'x',
    })),
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    finished(asked),
  ])
  const thread = new AguiThread(options)
  const listener = vi.fn()
  const stop = thread.subscribe(listener)
  await thread.run()
  expect(thread.getSnapshot().messages[0]?.content).toHaveLength(5_000)
  expect(listener.mock.calls.length).toBeLessThan(1_000)
  const calls = listener.mock.calls.length
  stop()
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(listener).toHaveBeenCalledTimes(calls)
})
