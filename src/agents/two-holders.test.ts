import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { agentEvent } from '../activity/index.ts'
import type { Leases } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { LEASE_WAIT_MAX_MS } from './turn/turn-queue.ts'
import { scriptedModel } from '../models/index.ts'
import { answer, desk, openDesk, settled } from '../due-work/due-work.fixture.ts'
import { Runs } from './index.ts'
import { calling, expectWhole, replies, withAgents } from './runs.fixture.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

const TURNS = 12

/** Two holders over one log; their tool says when two turns are at work at once. */
function holders() {
  const log = memoryLog()
  const seen = { atWork: 0, most: 0, calls: 0 }
  const work = tool({
    inputSchema: z.object({}),
    execute: async () => {
      seen.calls++
      seen.most = Math.max(seen.most, ++seen.atWork)
      await settled()
      seen.atWork--
      return 'done'
    },
  })
  const holder = () => {
    const script = [calling(['work']), 'End']
    const model = scriptedModel(
      ({ messages }) => script[Number(messages.at(-1)?.role === 'tool')] ?? '',
    )
    return withAgents([defineAgent({ name: 'A', model, tools: { work } })], { log })
  }
  return { log, seen, both: [holder(), holder()] as const }
}

test('[S2] turns of two holders over one log run one after the other', async () => {
  const { log, seen, both } = holders()
  const turns = Array.from({ length: TURNS }, (_, n) => both[n % 2 === 0 ? 0 : 1].ask(`${n}`))
  for (const { result } of turns) expect(await result).toMatchObject({ reason: 'success' })
  expect(seen).toMatchObject({ most: 1, calls: TURNS })
  const runs = (await recordsOf(log, 't')).flatMap(({ origin }) => origin.run ?? [])
  const changes = runs.filter((run, at) => run !== runs[at - 1])
  expect(changes).toHaveLength(TURNS)
  await expectWhole(log)
})

test('[S2] two holders that are asked under one key start one turn, and both give its answer', async () => {
  const { log, seen, both } = holders()
  const request = { agent: 'A', input: 'Go', key: 'k' }
  const turns = Array.from({ length: TURNS }, (_, n) =>
    both[n % 2 === 0 ? 0 : 1].runs.start('t', request),
  )
  const results = await Promise.all(turns.map(({ result }) => result))
  expect(new Set(results.map(({ run, reason, text }) => `${run} ${reason} ${text}`)).size).toBe(1)
  expect(seen.calls).toBe(1)
  const started = (await recordsOf(log, 't')).filter(({ type }) => type === 'RUN_STARTED')
  expect(started).toHaveLength(1)
  const other = both[1].runs.start('t', { ...request, input: 'Something else' })
  await expect(other.result).rejects.toMatchObject({ code: 'key_reused' })
  await expectWhole(log)
})

test('[S2] [D16] two holders whose turns make one effect due run it once', async () => {
  const { log, gate, clock, click, trace } = openDesk()
  const calls: string[] = []
  const page = {
    run: async ({ key }: { key: string }) => {
      calls.push(key)
      await settled()
      return { type: 'done', data: { effect: 'page', key } }
    },
  }
  const holder = () =>
    new Runs({
      gate,
      log,
      agents: [defineAgent({ name: 'A', surface: 'desk', model: replies('Yes') })],
      effects: { page, mail: answer('mail') },
      clock,
      id: () => crypto.randomUUID(),
      sha256: (text) => text,
      retryDelayMs: 0,
    })
  const both = [holder(), holder()]
  expect(gate.domain).toBe(desk)
  const events = [{ type: 'want', data: { effect: 'page', key: 'k' } }]
  const turns = both.map((runs) => runs.start('t', { agent: 'A', input: 'Go', key: 'k', events }))
  await click('want', { effect: 'page', key: 'other' })
  for (const runs of both) runs.wake('t')
  for (const { result } of turns) expect(await result).toMatchObject({ reason: 'success' })
  await settled()
  expect(calls.toSorted()).toEqual(['k', 'other'])
  expect((await trace()).filter((line) => line.startsWith('done')).toSorted()).toEqual([
    'done k',
    'done other',
  ])
})

test('[S2] a holder whose turn gave up on the lease ends the runs of the process that held it, once that dies', async () => {
  const log = memoryLog()
  const leases: Leases = {
    isShared: true,
    acquire: (...asked) => log.leases.acquire(...asked),
    freed: (...asked) => log.leases.freed(...asked),
  }
  const agent = defineAgent({ name: 'A', model: replies('Yes') })
  const { ask, runs } = withAgents([agent], { log: logWith(log, { leases }) })
  const other = await log.leases.acquire('t')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const turn = ask('Go')
  const origin = { source: 'model', agent: 'A', depth: 0, run: 'r', turn: 'r' } as const
  await log.append('t', [agentEvent('RUN_STARTED', { threadId: 't', runId: 'r' }, origin)])
  // Its own turn waits: it has a place in the queue.
  await runs.catchUp('t')
  await vi.advanceTimersByTimeAsync(LEASE_WAIT_MAX_MS)
  await expect(turn.result).rejects.toMatchObject({ code: 'busy' })
  vi.useRealTimers()
  await other?.release()
  for await (const records of log.subscribe('t')) {
    if (records.some(({ type }) => type === 'RUN_ERROR')) break
  }
  await expectWhole(log)
})
