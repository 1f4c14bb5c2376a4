import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { Gate } from '../gate/index.ts'
import type { EventLog } from '../log/index.ts'
import { answer, desk, openDesk, settled, sha256 } from '../due-work/due-work.fixture.ts'
import type { Desk, DeskRunner } from '../due-work/due-work.fixture.ts'
import type { EffectOutcome } from '../due-work/index.ts'
import { Runs } from './index.ts'
import { fastClock } from '../../test/models/fast-clock.fixture.ts'
import { revocable } from '../log/revocable-leases.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import {
  calling,
  eventsOf,
  expectWhole,
  replies,
  streamingModel,
  withAgents,
} from './runs.fixture.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

const inputSchema = z.object({})
/** A turn that goes on without its lease never ends. */
const ENDS_WITHIN_MS = 10_000
const APPENDS_MAX = 60
const asked = { agent: 'top', input: 'Go', key: 'k' }

/** A holder whose tool waits at work, and another one over the same log. */
function twoHolders() {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<string>()
  const work = tool({
    inputSchema,
    execute: () => {
      began.resolve()
      return release.promise
    },
  })
  const model = () => replies(calling(['work']), 'End')
  const top = () => defineAgent({ name: 'top', model: model(), tools: { work } })
  const shared = memoryLog()
  const { log, revoke } = revocable(shared)
  const old = withAgents([top()], { log })
  const next = withAgents([top()], { log: shared })
  return { began: began.promise, release: release.resolve, revoke, old, next, log: shared }
}

test('[D11] a run whose lease is lost appends nothing more, and its successor ends it', async () => {
  const { began, release, revoke, old, next, log } = twoHolders()
  const turn = old.runs.start('t', asked)
  const events = eventsOf(turn)
  await began
  const before = await log.head('t')
  await revoke('t')
  release('late')
  await settled()
  expect(await log.head('t')).toBe(before)
  await next.runs.recover('t')
  expect((await recordsOf(log, 't')).at(-1)).toMatchObject({ data: { code: 'interrupted' } })
  expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'interrupted' } })
  expect((await events).at(-1)).toMatchObject({ type: 'turn_end', error: { code: 'interrupted' } })
  const again = await next.runs.start('t', asked).result
  expect(again).toMatchObject({ reason: 'error', error: { code: 'interrupted' } })
  expect(await old.runs.start('t', asked).result).toMatchObject({ reason: 'error' })
  expect(await old.ask('And now?').result).toMatchObject({ reason: 'success' })
  await expectWhole(log)
})

test(
  '[D11] a run whose tool never ends is aborted when its lease is lost',
  async () => {
    const { began, revoke, old, next, log } = twoHolders()
    const turn = old.runs.start('t', asked)
    await began
    await revoke('t')
    await next.runs.recover('t')
    expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'interrupted' } })
    await expectWhole(log)
  },
  ENDS_WITHIN_MS,
)

test(
  '[D11] a model call is aborted when its lease is lost, also in a sub-agent',
  async () => {
    const slow = defineAgent({ name: 'slow', model: streamingModel(['Half'], 'never ends') })
    const model = replies(calling(['call_slow', { message: 'x' }]))
    const top = defineAgent({ name: 'top', model, agents: [slow] })
    const shared = memoryLog()
    const { log, revoke } = revocable(shared)
    const old = withAgents([top], { log })
    const next = withAgents([defineAgent({ name: 'top', model: scriptedModel(() => 'Mine') })], {
      log: shared,
    })
    const turn = old.runs.start('t', asked)
    for await (const { type, agent } of turn) if (type === 'chat_output' && agent === 'slow') break
    await revoke('t')
    expect(await next.ask('Next').result).toMatchObject({ reason: 'success', text: 'Mine' })
    expect(await turn.result).toMatchObject({ reason: 'error', error: { code: 'interrupted' } })
    await expectWhole(shared)
  },
  ENDS_WITHIN_MS,
)

test(
  '[D11] [D16] a turn that waits for its effect leaves both to its successor when its lease is lost',
  async () => {
    const began = Promise.withResolvers<void>()
    const shared = openDesk()
    const { log, revoke } = revocable(shared.log)
    const holder = (page: DeskRunner, on: EventLog) =>
      new Runs<Desk>({
        gate: new Gate({ log: on, domain: desk, now: shared.clock.now, id: randomUUID, sha256 }),
        log: on,
        agents: [defineAgent<Desk>({ name: 'top', surface: 'desk', model: replies('End') })],
        effects: { page, mail: answer('mail') },
        clock: shared.clock,
        id: randomUUID,
        sha256,
      })
    const late = Promise.withResolvers<EffectOutcome>()
    const slow: DeskRunner = {
      run: () => {
        began.resolve()
        return late.promise
      },
    }
    const old = holder(slow, log)
    const next = holder(answer('page'), shared.log)
    const events = [{ type: 'want', data: { effect: 'page', key: 'k' } }]
    const turn = old.start('t', { ...asked, events })
    await began.promise
    await revoke('t')
    late.resolve({ type: 'done', data: { effect: 'page', key: 'k' } })
    await settled()
    expect((await shared.gate.snapshot('t')).openRuns).toHaveLength(1)
    await next.recover('t')
    expect(await turn.result).toMatchObject({ reason: 'success', text: 'End' })
    const again = await next.start('t', { ...asked, events }).result
    expect(again).toMatchObject({ reason: 'success', text: 'End' })
    await expect.poll(async () => (await shared.state()).done).toEqual(['page k'])
    await expectWhole(shared.log)
  },
  ENDS_WITHIN_MS,
)

test('[D11] a turn whose lease is lost, and which no process ends, fails after a while', async () => {
  fastClock()
  const { began, revoke, old, log } = twoHolders()
  const turn = old.runs.start('t', asked)
  await began
  const before = await log.head('t')
  await revoke('t')
  await expect(turn.result).rejects.toMatchObject({ code: 'fenced' })
  await expect(eventsOf(turn)).rejects.toMatchObject({ code: 'fenced' })
  expect(await log.head('t')).toBe(before)
})

test('[D11] a turn whose lease is lost fails when its log is closed', async () => {
  const { began, revoke, old, log } = twoHolders()
  const turn = old.runs.start('t', asked)
  await began
  await revoke('t')
  await settled()
  await log.close()
  await expect(turn.result).rejects.toMatchObject({ code: 'fenced' })
})

test('[D11] a lease that is lost before any append of a turn: 0 records enter after it', async ({
  annotate,
}) => {
  let lost = 0
  let entered = 0
  for (let appends = 0; appends < APPENDS_MAX; appends++) {
    const shared = memoryLog()
    const { log: own, revoke } = revocable(shared)
    let left = appends
    let headThen = Number.POSITIVE_INFINITY
    const isLost = Promise.withResolvers<void>()
    const log: EventLog = {
      ...own,
      append: async (thread, events, options) => {
        if (left-- === 0) {
          await revoke(thread)
          headThen = await shared.head(thread)
          isLost.resolve()
        }
        return own.append(thread, events, options)
      },
    }
    const [old, next] = [withAgents([family()], { log }), withAgents([family()], { log: shared })]
    const turn = old.runs.start('t', asked)
    const ends = Promise.allSettled([turn.result, eventsOf(turn)])
    await Promise.race([ends, isLost.promise])
    await settled()
    const headAfter = await shared.head('t')
    await next.runs.recover('t')
    const [result, events] = await ends
    if (headThen === Number.POSITIVE_INFINITY) break
    lost++
    expect(events.status).toBe(result.status)
    // A turn that was never opened has nothing on record to follow.
    if (result.status === 'rejected') expect(headThen).toBe(-1)
    entered += headAfter - headThen
    const answers = [
      await next.runs.start('t', asked).result,
      await old.runs.start('t', asked).result,
    ]
    expect(answers[1]).toEqual(answers[0])
    expect(await next.ask('And now?').result).toMatchObject({ reason: 'success' })
    await expectWhole(shared)
  }
  expect(lost).toBeGreaterThan(5)
  expect(lost).toBeLessThan(APPENDS_MAX)
  expect(entered).toBe(0)
  await annotate(
    `${entered} records of ${lost} turns entered after their lease was lost`,
    'promise',
  )
})

function family() {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const child = defineAgent({
    name: 'child',
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Seen' : calling(['look']),
    ),
    tools: { look },
  })
  const calls = calling(['look'], ['call_child', { message: 'x' }])
  const model = scriptedModel(({ messages, index }) =>
    index === 0 && messages.at(-1)?.role !== 'tool' ? { text: 'One moment', ...calls } : 'End',
  )
  return defineAgent({ name: 'top', model, tools: { look }, agents: [child] })
}
