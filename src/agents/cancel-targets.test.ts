import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { scriptedModel } from '../models/index.ts'
import { calling, expectWhole, only, replies, streamingModel, withAgents } from './runs.fixture.ts'
import { agentEvent } from '../activity/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import { refusingLog } from '../log/refusing-log.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

/** An agent whose first sub-agent ends and whose second one never does. */
function tree() {
  const quick = defineAgent({ name: 'quick', model: scriptedModel(() => 'done') })
  const slow = defineAgent({ name: 'slow', model: streamingModel(['Half'], 'never ends') })
  const model = replies(
    calling(['call_quick', { message: '1' }]),
    calling(['call_slow', { message: '2' }]),
    'End',
  )
  return [defineAgent({ name: 'top', model, agents: [quick, slow] })]
}

test('a cancel of a run that has ended, of another thread or of none changes nothing', async () => {
  const { ask, runs, log } = withAgents(tree())
  const turn = ask('Go')
  const seen: CallerEvent[] = []
  for await (const event of turn) {
    seen.push(event)
    if (event.type !== 'chat_output' || event.agent !== 'slow') continue
    const [ended] = only(seen, 'turn_end')
    expect(ended).toMatchObject({ agent: 'quick' })
    const before = await log.head('t')
    expect(await runs.cancel('t', { run: ended?.run ?? '' })).toBe(false)
    expect(await runs.cancel('t', { run: 'unknown' })).toBe(false)
    expect(await runs.cancel('another', { run: turn.run })).toBe(false)
    expect([await log.head('t'), await log.head('another')]).toEqual([before, -1])
    expect(await runs.cancel('t', { run: event.run, by: 'customer' })).toBe(true)
  }
  const { reason, run } = await turn.result
  expect(reason).toBe('success')
  const after = await log.head('t')
  expect(await runs.cancel('t', { run })).toBe(false)
  expect(await runs.cancel('t')).toBe(false)
  expect(await log.head('t')).toBe(after)
  await expectWhole(log)
})

test('a queued turn that was cancelled twice ends once, and the turns around it go on', async () => {
  const open = Promise.withResolvers<string>()
  const model = scriptedModel(async ({ messages }) =>
    messages.at(-1)?.text === '1' ? open.promise : 'Next',
  )
  const { ask, runs, log } = withAgents([defineAgent({ name: 'A', model })])
  const [first, second, third] = [ask('1'), ask('2'), ask('3')]
  await first.started
  const answers = await Promise.all([1, 2].map(() => runs.cancel('t', { run: second.run })))
  expect(answers).toContain(true)
  open.resolve('First')
  const reasons = await Promise.all([first, second, third].map(async (turn) => turn.result))
  expect(reasons.map(({ reason }) => reason)).toEqual(['success', 'cancelled', 'success'])
  expect(await runs.cancel('t', { run: second.run })).toBe(false)
  await expectWhole(log)
})

test('a cancel by another holder is answered at once, and the holder ends the run when it looks', async () => {
  const log = memoryLog()
  const [holder, other] = [withAgents(tree(), { log }), withAgents(tree(), { log })]
  const turn = holder.ask('Go')
  for await (const { type, agent } of turn) if (type === 'chat_output' && agent === 'slow') break
  expect(await other.runs.cancel('t', { by: 'operator' })).toBe(true)
  expect((await holder.gate.snapshot('t')).openRuns).toMatchObject([
    { cancelledBy: 'operator' },
    { origin: { agent: 'slow' } },
  ])
  await holder.runs.catchUp('t')
  expect(await turn.result).toMatchObject({ reason: 'cancelled' })
  expect(await other.runs.cancel('t')).toBe(false)
  await expectWhole(log)
})

test('a cancel of a sub-agent that has stopped already leaves the turn above it alone', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<boolean>()
  const slow = tool({
    inputSchema: z.object({}),
    needsApproval: () => {
      asked.resolve()
      return answered.promise
    },
    execute: () => 'never',
  })
  const stopped = Promise.withResolvers<string>()
  let refusals = 0
  const log = refusingLog(memoryLog(), (events) => {
    const end = events.find(({ type }) => /^SUBAGENT_(FINISHED|ERROR)$/.test(type))
    if (!end || ++refusals > 2) return false
    if (refusals === 2) setImmediate(() => stopped.resolve(end.origin?.run ?? ''))
    return true
  })
  const child = defineAgent({
    name: 'child',
    model: scriptedModel(async () => {
      await asked.promise
      return 'Done'
    }),
  })
  const calls = calling(['call_child', { message: '1' }], ['slow'])
  const top = defineAgent({ name: 'top', model: replies(calls), agents: [child], tools: { slow } })
  const { ask, runs, records } = withAgents([top], { log })
  const turn = ask('Go')
  expect(await runs.cancel('t', { run: await stopped.promise })).toBe(true)
  answered.resolve(false)
  await expect(turn.result).rejects.toMatchObject({ code: 'io' })
  const ends = (await records()).filter(({ type }) => /^(RUN|SUBAGENT)_ERROR$/.test(type))
  expect(ends).toMatchObject([{ data: { code: 'cancelled' } }, { data: { code: 'internal' } }])
  await expectWhole(log)
})

test('a cancel of a run that a crash left open counts while the process stops', async () => {
  const log = memoryLog()
  const place = { agent: 'top', path: ['top'], depth: 0, run: 'r', turn: 'r' }
  const origin = { source: 'system', ...place } as const
  await log.append('t', [agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin)])
  const stopping = withAgents(tree(), { log })
  await stopping.runs.drain(0)
  expect(await stopping.runs.cancel('t', { run: 'r', by: 'customer' })).toBe(true)
  const { runs, records } = withAgents(tree(), { log })
  await runs.recover('t')
  expect((await records()).at(-1)).toMatchObject({ data: { metadata: { stoppedBy: 'customer' } } })
  await expectWhole(log)
})
