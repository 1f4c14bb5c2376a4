import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { lamp } from '../../domain/lamp.fixture.ts'
import type { Lamp } from '../../domain/lamp.fixture.ts'
import { revocable } from '../../log/revocable-leases.fixture.ts'
import { scriptedModel } from '../../models/index.ts'
import type { ModelMessage } from '../../models/index.ts'
import { defineAgent } from '../define/agent.ts'
import { TOOL_CALL_MAX_MS, TOOL_PROPOSALS_MAX, tool } from '../define/tool.ts'
import type { ProposalResult, ToolContext } from '../define/tool.ts'
import { calling, eventsOf, expectWhole, only, withAgents } from '../runs.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

type Context = ToolContext<Lamp>
const inputSchema = z.object({})
const on = (watts: unknown) => ({ type: 'switch_on', data: { watts } })

/** An agent of the lamp whose model calls one tool and then answers. */
function lampWith(
  execute: (input: unknown, context: Context) => unknown,
  { emits = ['switch_on'], log = memoryLog() }: Settings = {},
) {
  const prompts: (readonly ModelMessage[])[] = []
  const model = scriptedModel(({ messages, index }) => {
    prompts.push(messages)
    return index === 0 ? calling(['use']) : 'Done'
  })
  const use = tool({ inputSchema, execute })
  const agent = defineAgent({ domain: lamp, name: 'A', model, emits, tools: { use } })
  return { ...withAgents([agent], { domain: lamp, log }), prompts }
}

interface Settings {
  readonly emits?: readonly 'switch_on'[]
  readonly log?: ReturnType<typeof memoryLog>
}

const domainEvents = (records: readonly { readonly type: string }[]) =>
  records.filter(({ type }) => /^[a-z]/.test(type)).map(({ type }) => type)

test('a tool reads the state, and the gate decides and records its proposals', async () => {
  const seen: unknown[] = []
  let done: ProposalResult<Lamp> | undefined
  const { ask, records, log } = lampWith(async (_input, { state, propose }) => {
    seen.push(state.watts)
    done = await propose([on(20), on(30)])
    seen.push(done.state.watts)
    return `${done.accepted.length} accepted`
  })
  const turn = ask('Light')
  const events = await eventsOf(turn)
  expect((await turn.result).state).toMatchObject({ lit: true, watts: 30 })
  expect(seen).toEqual([0, 30])
  expect(done?.refused).toEqual([])
  expect(only(events, 'event')).toMatchObject([
    { name: 'switch_on', data: { watts: 20, from: 0 }, agent: 'A' },
    { name: 'switch_on', data: { watts: 30, from: 20 }, agent: 'A' },
  ])
  const made = (await records()).filter(({ type }) => type === 'switch_on')
  expect(made).toMatchObject([{ origin: { source: 'model', agent: 'A', run: turn.run } }, {}])
  await expectWhole(log)
})

test('a refusal is a value for the tool, a record, and told to the model in its next call', async () => {
  let done: ProposalResult<Lamp> | undefined
  const { ask, records, prompts, log } = lampWith(async (_input, { propose }) => {
    done = await propose([on('much'), on(10), on(90)])
  })
  await ask('Light').result
  expect(done?.accepted.map(({ data }) => data)).toEqual([{ watts: 10, from: 0 }])
  expect(done?.refused.map(({ type, refused }) => [type, refused])).toEqual([
    ['switch_on', 'invalid_payload'],
    ['switch_on', 'not_authorised'],
  ])
  expect(domainEvents(await records())).toEqual(['event_refused', 'switch_on', 'event_refused'])
  const told = prompts[1]?.map(({ text }) => text).join('\n')
  for (const reason of ['invalid_payload', 'not_authorised']) {
    expect(told).toContain(`[Your event was refused: {"type":"switch_on","reason":"${reason}"`)
  }
  await expectWhole(log)
})

test('[M1] a tool proposes only what its agent emits', async () => {
  let done: ProposalResult<Lamp> | undefined
  const { ask, log } = lampWith(
    async (_input, { propose }) => void (done = await propose([on(10)])),
    { emits: [] },
  )
  expect((await ask('Light').result).state).toMatchObject({ lit: false })
  expect(done?.refused).toMatchObject([
    {
      refused: 'not_authorised',
      detail: 'the agent "A" may not propose "switch_on": it emits nothing',
    },
  ])
  await expectWhole(log)
})

test('a proposal that a tool does not wait for is recorded before its result', async () => {
  const { ask, records, log } = lampWith((_input, { propose }) => {
    void propose([on(10)])
    void propose(Array.from({ length: TOOL_PROPOSALS_MAX + 1 }, () => on(10)))
    void propose([on(1n)])
    return 'done'
  })
  expect((await ask('Light').result).state).toMatchObject({ watts: 10 })
  const types = (await records()).map(({ type }) => type)
  expect(types.indexOf('switch_on')).toBeLessThan(types.indexOf('TOOL_CALL_RESULT'))
  await expectWhole(log)
})

test('a proposal after the end of a call is rejected and not recorded', async () => {
  let late: (() => Promise<unknown>) | undefined
  const { ask, log } = lampWith((_input, { propose }) => {
    late = () => propose([on(10)])
    return 'done'
  })
  await ask('Light').result
  const head = await log.head('t')
  await expect(late?.()).rejects.toThrow('Cannot propose: the call of "use" has ended')
  expect(await log.head('t')).toBe(head)
})

test('a proposal after a timeout is not recorded, and the run goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const began = Promise.withResolvers<void>()
    const { ask, records, log } = lampWith(async (_input, { propose, signal }) => {
      signal.addEventListener('abort', () => void propose([on(10)]))
      began.resolve()
      await new Promise(() => undefined)
    })
    const turn = ask('Light')
    const events = eventsOf(turn)
    await began.promise
    vi.advanceTimersByTime(TOOL_CALL_MAX_MS)
    expect(only(await events, 'tool_error')).toMatchObject([{ code: 'timeout' }])
    expect(await turn.result).toMatchObject({ reason: 'success', state: { lit: false } })
    expect(domainEvents(await records())).toEqual([])
    await expectWhole(log)
  } finally {
    vi.useRealTimers()
  }
})

test('a proposal of a tool after a cancel is not recorded', async () => {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const outcome = Promise.withResolvers<unknown>()
  const { ask, runs, records, log } = lampWith(async (_input, { propose }) => {
    began.resolve()
    await release.promise
    outcome.resolve(await propose([on(10)]).catch((error: unknown) => error))
  })
  const turn = ask('Light')
  await began.promise
  await runs.cancel('t')
  release.resolve()
  expect(await outcome.promise).toBeInstanceOf(Error)
  expect(await turn.result).toMatchObject({ reason: 'cancelled', state: { lit: false } })
  expect(domainEvents(await records())).toEqual([])
  await expectWhole(log)
})

test('[D11] a proposal of a tool after a cancel in another process is not recorded, and ends its run', async () => {
  const shared = memoryLog()
  const other = withAgents<Lamp>([], { domain: lamp, log: shared })
  const { ask, records } = lampWith(
    async (_input, { propose, run }) => {
      await other.runs.cancel('t', { run })
      // A tool that hides what went wrong does not keep its run alive.
      await propose([on(10)]).catch(() => undefined)
    },
    { log: shared },
  )
  expect(await ask('Light').result).toMatchObject({ reason: 'cancelled', state: { lit: false } })
  expect(domainEvents(await records())).toEqual([])
  await expectWhole(shared)
})

test('[D11] a proposal of a tool after its lease is lost is not recorded', async () => {
  const shared = memoryLog()
  const { log, revoke } = revocable(shared)
  const refused = Promise.withResolvers<void>()
  const { ask, records } = lampWith(
    async (_input, { propose }) => {
      await revoke('t')
      await propose([on(10)]).finally(refused.resolve)
    },
    { log: log as typeof shared },
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let failure: unknown
  ask('Light').result.catch((error: unknown) => (failure = error))
  await refused.promise
  // The result waits for another process to end the turn, and none does.
  for (let second = 0; failure === undefined && second < 300; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(failure).toMatchObject({ code: 'fenced' })
  expect(domainEvents(await records())).toEqual([])
})

test('one event in place of a list is refused, and counts as none of those that a call may propose', async () => {
  const why: unknown[] = []
  const { ask, records } = lampWith(async (_input, { propose }) => {
    // A program that runs without a type check can propose so.
    await propose(on(10) as never).catch((error: unknown) => why.push(error))
    await propose([on(20)])
    await propose(Array.from({ length: TOOL_PROPOSALS_MAX }, () => on(10)))
  })
  await eventsOf(ask('Light'))
  expect(why).toMatchObject([
    {
      code: 'invalid_request',
      message: 'Cannot propose: the events must be a list of { type, data }, not an object',
    },
  ])
  expect(domainEvents(await records())).toEqual(['switch_on'])
})

test('one call of a tool proposes so many events at most', async () => {
  const { ask, records } = lampWith((_input, { propose }) =>
    propose(Array.from({ length: TOOL_PROPOSALS_MAX + 1 }, () => on(10))),
  )
  const events = await eventsOf(ask('Light'))
  expect(only(events, 'tool_error')).toMatchObject([{ code: 'tool_failed' }])
  expect(only(events, 'tool_error')[0]?.error).toContain(`may propose ${TOOL_PROPOSALS_MAX} events`)
  expect(domainEvents(await records())).toEqual([])
})

test('data that has no JSON is refused, and the turn goes on', async () => {
  const { ask, log } = lampWith((_input, { propose }) => propose([on(1n)]))
  const turn = ask('Light')
  expect(only(await eventsOf(turn), 'event_refused')).toMatchObject([{ reason: 'invalid_payload' }])
  expect(await turn.result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})
