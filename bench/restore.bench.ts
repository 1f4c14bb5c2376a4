import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentEvent, customEvent } from '../src/activity/index.ts'
import { Gate } from '../src/gate/index.ts'
import type { EventLog, NewEvent, Origin } from 'throughline/log'
import type { Snapshots, Store } from '../src/log/index.ts'
import { sha256, uuidv7 } from 'throughline/log'
import { openStore } from '../src/storage/index.ts'
import { account, paymentOf } from './account.fixture.ts'
import type { Account } from './account.fixture.ts'
import type { Benchmark, Candidate } from './benchmark.ts'
import { costAtMost, yieldsAll } from './goals.ts'

const RECORDS = 100_000
/** Appended since the thread was kept last: as many as there can be. */
const TAIL = 999
const APPENDED_AT_ONCE = 1_000
const TURN_RECORDS = 12
const THREAD = 'case-1'
const RESTORE_MAX_NS = 50e6

type EventAt = (seq: number) => NewEvent

export const restores: readonly Benchmark[] = [
  {
    ...restoring('Y4', 'payments', payment),
    goals: [costAtMost(RESTORE_MAX_NS), yieldsAll(RECORDS + TAIL)],
  },
  {
    ...restoring('Y4 agents', 'agents’ words, a payment in each turn', worded),
    goals: [costAtMost(RESTORE_MAX_NS), yieldsAll(Math.floor((RECORDS + TAIL + 1) / TURN_RECORDS))],
  },
]

/** Both read the same file; ours goes on from the snapshots that were kept while it was written. */
function restoring(id: string, what: string, eventAt: EventAt): Omit<Benchmark, 'goals'> {
  let written: ReturnType<typeof write> | undefined
  const restore = (from: 'snapshots' | 'records'): Candidate['prepare'] => {
    return async () => {
      const { log, snapshots } = await (written ??= write(eventAt))
      const store = from === 'snapshots' ? snapshots : undefined
      return async () => (await gateOver(log, store).snapshot(THREAD)).state.payments
    }
  }
  return {
    id,
    what: `a thread of 100,000 ${what}, restored with ${TAIL} more than are in its snapshot`,
    unit: 'thread',
    units: 1,
    yields: 'payments',
    run: restore('snapshots'),
    peers: [{ name: 'full replay', prepare: restore('records') }],
  }
}

async function write(eventAt: EventAt): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const url = `sqlite:${join(folder, 'log.db')}`
  const { log, snapshots } = await openStore(url)
  const gate = gateOver(log, snapshots)
  for (let seq = 0; seq < RECORDS + TAIL; seq += APPENDED_AT_ONCE) {
    const length = Math.min(APPENDED_AT_ONCE, RECORDS + TAIL - seq)
    await log.append(
      THREAD,
      Array.from({ length }, (_, at) => eventAt(seq + at)),
    )
    await gate.snapshot(THREAD)
  }
  return { log, snapshots }
}

function gateOver(log: EventLog, store: Snapshots | undefined): Gate<Account> {
  const parts = { log, domain: account, sha256, now: Date.now, id: uuidv7 }
  return new Gate<Account>({ ...parts, ...(store && { snapshots: { store, version: '1' } }) })
}

function payment(seq: number): NewEvent {
  const origin = { source: 'ui', surface: 'customer', depth: 0 } as const
  return { type: 'pay', data: paymentOf(seq), origin }
}

/** Turns of an agent, one after the other, each of as many records as there are cases. */
function worded(seq: number): NewEvent {
  const turn = Math.floor(seq / TURN_RECORDS)
  const [runId, threadId, stepName] = [`run-${turn}`, THREAD, 'model:1']
  const system: Origin = { source: 'system', agent: 'lead', depth: 0, run: runId, turn: runId }
  const model: Origin = { ...system, source: 'model' }
  const person: Origin = { ...system, source: 'ui' }
  const [asked, said] = [`asked-${turn}`, `said-${turn}`]
  const events: readonly NewEvent[] = [
    agentEvent('RUN_STARTED', { threadId, runId }, system),
    agentEvent('TEXT_MESSAGE_START', { messageId: asked, role: 'user' }, person),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId: asked, delta: 'May I pay now?' }, person),
    agentEvent('TEXT_MESSAGE_END', { messageId: asked }, person),
    agentEvent('STEP_STARTED', { stepName }, model),
    agentEvent('TEXT_MESSAGE_START', { messageId: said, role: 'assistant' }, model),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId: said, delta: 'You may: 40 pounds.' }, model),
    agentEvent('TEXT_MESSAGE_END', { messageId: said }, model),
    customEvent('model_output', { usage: { inputTokens: 90, outputTokens: 9 } }, model),
    agentEvent('STEP_FINISHED', { stepName }, model),
    payment(seq),
    agentEvent('RUN_FINISHED', { threadId, runId, outcome: { type: 'success' } }, system),
  ]
  return events[seq % TURN_RECORDS] ?? payment(seq)
}
