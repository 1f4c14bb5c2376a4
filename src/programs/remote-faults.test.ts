import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../agents/index.ts'
import { customValue } from '../activity/index.ts'
import { textOf } from '../json/index.ts'
import { expectWhole, withAgents } from '../agents/runs.fixture.ts'
import { REMOTE_FRAME_BYTES_MAX, remoteAgent } from './index.ts'
import type { RemoteAgentParts } from './index.ts'
import { begin, call, framed, loopback, result, text, within } from './loopback.fixture.ts'
import type { Answer } from './loopback.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const faults: string[] = []

async function asked(answer: Answer, more: Partial<RemoteAgentParts<unknown>> = {}) {
  faults.length = 0
  const server = await loopback(answer)
  const onFault = (fault: string) => void faults.push(fault)
  const clerk = remoteAgent({ name: 'clerk', url: server.url, onFault, ...more })
  const setting = withAgents([clerk])
  const turn = setting.ask('Go')
  const end = await turn.result
  await expectWhole(setting.log)
  return { ...setting, ...server, end, code: end.error?.code, records: await setting.records() }
}

test('TanStack AI’s early RUN_FINISHED is mended: the run ends with the last one, and all usage counts', async () => {
  const usage = (inputTokens: number) => [
    { provider: 'p', model: 'm', inputTokens, outputTokens: 1 },
  ]
  const { end } = await asked(() => [
    ...call('c1', 'search'),
    { type: 'RUN_FINISHED', usage: usage(3) },
    result('c1', 'found'),
    ...text('m1', 'Here.'),
    { type: 'RUN_FINISHED', usage: usage(4) },
  ])
  expect(end).toMatchObject({ reason: 'success', text: 'Here.' })
  expect(end.usage.total).toMatchObject({ inputTokens: 7, outputTokens: 2 })
  expect(faults).toEqual(['early_run_finished'])
})

test('RUN_ERROR fails the run with its code and message; a code of the engine’s own is never taken', async () => {
  const failing = (code?: string) => () => [
    ...text('m1', 'Hm'),
    { type: 'RUN_ERROR', message: 'No credit', ...(code === undefined ? {} : { code }) },
  ]
  expect((await asked(failing('quota'))).end.error).toEqual({ code: 'quota', message: 'No credit' })
  for (const [code, ours] of [
    ['cancelled', 'remote_cancelled'],
    ['internal', 'remote_error'],
    ['interrupted', 'remote_error'],
    ['limit_tokens', 'remote_error'],
    [undefined, 'remote_error'],
  ]) {
    const { end } = await asked(failing(code))
    expect(end).toMatchObject({ reason: 'error', error: { code: ours } })
  }
})

test('a run that the other server cancelled fails here', async () => {
  const { code } = await asked(() => [
    ...text('m1', 'Hm'),
    { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
  ])
  expect(code).toBe('remote_cancelled')
})

test.each([
  ['a message that is never begun', [{ type: 'TEXT_MESSAGE_END', messageId: 'x' }], 'out_of_order'],
  ['a member of another kind', [{ type: 'TEXT_MESSAGE_START', messageId: 7 }], 'malformed'],
  ['a frame that is no event', [{ kind: 'x' }], 'malformed'],
  ['a call that begins twice', [...call('c', 'x'), ...call('c', 'x')], 'out_of_order'],
  ['an id that is too long', text('x'.repeat(513), 'y'), 'too_large'],
  ['an open message at the end', [{ type: 'TEXT_MESSAGE_START', messageId: 'x' }], 'out_of_order'],
])('[E037] what breaks the protocol fails the run: %s', async (_, events, code) => {
  const after = text('after', 'Never shown')
  const broken = await asked(() => [...text('m1', 'Before'), ...events, ...after])
  const said = broken.records.map(({ data }) => textOf(data, 'delta'))
  expect(said).toContain('Before')
  // An item that stays open breaks only the end of the run.
  if (events[0]?.['type'] !== 'TEXT_MESSAGE_START' || code !== 'out_of_order') {
    expect(said).not.toContain('Never shown')
  }
  expect(broken.code).toBe(code)
  expect(broken.requests).toHaveLength(1)
})

test('[M1] a result for a tool of ours is forged, and fails the run', async () => {
  const ran: string[] = []
  const pay = tool({ inputSchema: z.object({}), execute: () => void ran.push('paid') })
  const { code, records } = await asked(
    () => [...call('c1', 'pay'), result('c1', 'Paid'), ...text('m', 'Paid!')],
    { tools: { pay } },
  )
  expect(code).toBe('forged_result')
  expect(ran).toEqual([])
  expect(records.some(({ data }) => textOf(data, 'content') === 'Paid')).toBe(false)
})

test('a stream of another run or thread is refused', async () => {
  const other = await asked(({ input }) =>
    within({ ...input, runId: 'other' }, text('m', 'x')).slice(),
  )
  expect(other.code).toBe('out_of_order')
  const of =
    (ids: { threadId?: string; runId?: string }): Answer =>
    ({ input }) => ({
      write: (response) => {
        begin(response)
        response.end(framed(within({ ...input, ...ids }, text('m', 'Other'))))
      },
    })
  const run = await asked(of({ runId: 'other' }))
  expect(run.code).toBe('other_run')
  expect(run.records.some(({ data }) => textOf(data, 'delta') === 'Other')).toBe(false)
  expect((await asked(of({ threadId: 'other' }))).code).toBe('other_run')
})

test('[S15] a stream that is cut at any byte is truncated, never a success, and never asked for again', async () => {
  for (const part of [0, 0.2, 0.5, 0.8, 0.99]) {
    const { code, requests, records } = await asked(({ input }) => ({
      write: (response) => {
        const whole = Buffer.from(framed(within(input, text('m1', 'Ünï – words'))))
        begin(response)
        response.write(whole.subarray(0, Math.floor(whole.length * part)))
        setTimeout(() => response.destroy(), 20)
      },
    }))
    expect(code).toBe('truncated')
    expect(requests).toHaveLength(1)
    expect(records.at(-1)).toMatchObject({ type: 'RUN_ERROR' })
  }
})

test('text in pieces of any size is joined and whole', async () => {
  const words = 'Ünï – 🎈 '.repeat(700)
  const { end, records } = await asked(({ input }) => ({
    write: async (response) => {
      begin(response)
      const events = Array.from(words, (delta) => ({
        type: 'TEXT_MESSAGE_CHUNK',
        messageId: 'm',
        delta,
      }))
      const whole = Buffer.from(framed(within(input, events)))
      for (let at = 0; at < whole.length; at += 4_093) {
        response.write(whole.subarray(at, at + 4_093))
        await delay(0)
      }
      response.end()
    },
  }))
  expect(end.text).toBe(words)
  expect(records.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').length).toBeLessThan(40)
})

test('a frame above the limit, silence, and an answer that is no stream fail the run', async () => {
  const huge = await asked(() => ({
    write: (response) => {
      begin(response)
      response.end(`data: ${'x'.repeat(REMOTE_FRAME_BYTES_MAX + 200_000)}\n\n`)
    },
  }))
  expect(huge.code).toBe('too_large')
  const silent = await asked(
    ({ input }) => ({
      write: (response) => {
        begin(response)
        response.write(framed(within(input, text('m', 'x')).slice(0, 2)))
      },
    }),
    { silenceMaxMs: 100 },
  )
  expect(silent.code).toBe('timeout')
  await expect.poll(() => silent.closed).toEqual([0])
  const page = await asked(() => ({ write: (response) => void response.end('<html>') }))
  expect(page.code).toBe('malformed')
})

test('[M7] a refused request is tried again, one that may have begun is not', async () => {
  const busy = await asked((_, index) =>
    index === 0 ? { write: (response) => void response.writeHead(503).end() } : text('m', 'Now'),
  )
  expect(busy.end).toMatchObject({ reason: 'success', text: 'Now' })
  const gateway = await asked(() => ({
    write: (response) => void response.writeHead(502).end('bad'),
  }))
  expect([gateway.code, gateway.requests.length]).toEqual(['rejected', 1])
  const lost = await asked(() => ({ write: (response) => void response.destroy() }))
  expect([lost.code, lost.requests.length]).toEqual(['unreachable', 1])
})

test('a turn whose program had begun is never asked again under its key; one that was not reached is', async () => {
  const key = randomUUID()
  const { url, requests, close } = await loopback(() => [
    { type: 'RUN_ERROR', message: 'x', code: 'bad' },
  ])
  const clerk = remoteAgent({ name: 'clerk', url })
  const { runs, records } = withAgents([clerk])
  const ask = () => runs.start('t', { agent: 'clerk', input: 'Go', key }).result
  expect((await ask()).error?.code).toBe('bad')
  expect((await ask()).error?.code).toBe('bad')
  expect(requests).toHaveLength(1)
  await close()
  const again = { agent: 'clerk', input: 'Go', key: randomUUID() }
  expect((await runs.start('t', again).result).error?.code).toBe('unreachable')
  const started = async () => (await records()).filter(({ type }) => type === 'RUN_STARTED').length
  const before = await started()
  await runs.start('t', again).result
  expect(await started()).toBe(before + 1)
})

test('a process that dies in the middle: the run is ended as interrupted and never asked again', async () => {
  const { url, requests } = await loopback(({ input }) => ({
    write: (response) => {
      begin(response)
      response.write(
        framed(within(input, [...text('m', 'Half'), ...call('c', 'search')]).slice(0, -1)),
      )
    },
  }))
  const clerk = remoteAgent({ name: 'clerk', url })
  const dying = withAgents([clerk])
  const key = randomUUID()
  dying.runs.start('t', { agent: 'clerk', input: 'Go', key }).result.catch(() => undefined)
  await expect.poll(async () => JSON.stringify(await dying.records())).toContain('Half')
  // Another process that holds the same log.
  const copy = memoryLog()
  for (const { id, ts, type, data, origin, v } of await dying.records()) {
    await copy.append('t', [{ id, ts, type, data, origin, v }])
  }
  const next = withAgents([clerk], { log: copy })
  await next.runs.recover('t')
  const end = await next.runs.start('t', { agent: 'clerk', input: 'Go', key }).result
  expect(end.error?.code).toBe('interrupted')
  expect(requests).toHaveLength(1)
  await expectWhole(copy)
  void dying.runs.cancel('t', { run: end.run, by: 'test' })
})

test('a cancel aborts the request and sends nothing else', async () => {
  const { url, requests, closed } = await loopback(({ input }) => ({
    write: (response) => {
      begin(response)
      response.write(framed(within(input, text('m', 'Half')).slice(0, 3)))
    },
  }))
  const { ask, records, log, runs } = withAgents([remoteAgent({ name: 'clerk', url })])
  const turn = ask('Go')
  await expect.poll(async () => JSON.stringify(await records())).toContain('Half')
  await runs.cancel('t', { run: turn.run, by: 'somebody' })
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  await expect.poll(() => closed).toEqual([0])
  expect(requests).toHaveLength(1)
  await expectWhole(log)
})

test('a remote that calls for ever is stopped by the limit of steps', async () => {
  const { end, requests } = await asked(() => call('c1', 'look'), {
    limits: { steps: 3 },
    tools: { look: tool({ inputSchema: z.object({}), execute: () => 'seen' }) },
  })
  expect(end.error?.code).toBe('limit_steps')
  expect(requests).toHaveLength(3)
})

test('a state and values that are too large are left out, and a result is cut', async () => {
  const long = 'x'.repeat(150_000)
  const { records, end } = await asked(() => [
    { type: 'STATE_SNAPSHOT', snapshot: { long } },
    { type: 'RAW', event: { long } },
    { type: 'CUSTOM', name: 'v.x', value: long },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: { n: 1 } },
    {
      type: 'ACTIVITY_DELTA',
      messageId: 'a',
      activityType: 'x',
      patch: [{ op: 'replace', path: '/n', value: 2 }],
    },
    ...call('c', 'own'),
    result('c', long),
    ...text('m', long),
  ])
  expect(end.error).toBe(undefined)
  expect(end).toMatchObject({ reason: 'success', text: long })
  expect(records.flatMap((each) => customValue(each, 'remote_state') ?? [])).toEqual([
    { chars: 150_011 },
  ])
  expect(records.some(({ type }) => type === 'RAW')).toBe(false)
  const shown = records.filter(({ type }) => type === 'ACTIVITY_SNAPSHOT')
  expect(shown.map(({ data }) => data)).toMatchObject([
    { content: { n: 1 } },
    { content: { n: 2 } },
  ])
  expect(Math.max(...records.map(({ data }) => JSON.stringify(data).length))).toBeLessThan(100_500)
  expect(faults).toContain('value_too_large')
})

test('a value that no log can hold is left out with a warning, and the run goes on', async () => {
  const [key, deep] = ['{"__proto__":1}', `${'['.repeat(129)}${']'.repeat(129)}`]
  const values = [key, deep].map((json): unknown => JSON.parse(json))
  const { end, records } = await asked(() => [
    ...values.map((event) => ({ type: 'RAW', event })),
    ...values.map((value) => ({ type: 'CUSTOM', name: 'note', value })),
    ...text('m', 'Fine'),
  ])
  expect(end).toMatchObject({ reason: 'success', text: 'Fine' })
  expect(records.filter(({ type }) => type === 'RAW')).toEqual([])
  expect(records.flatMap(({ data }) => textOf(data, 'name'))).not.toContain('note')
  expect(faults).toContain('value_too_large')
})

test('[E026] a result for an unknown call is left out, with a warning', async () => {
  const { end, records } = await asked(() => [result('nobody', 'x'), ...text('m', 'Fine')])
  expect(end).toMatchObject({ reason: 'success', text: 'Fine' })
  expect(records.some(({ type }) => type === 'TOOL_CALL_RESULT')).toBe(false)
  expect(faults).toEqual(['stray_result'])
})
