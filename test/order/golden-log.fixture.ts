import { randomUUID } from 'node:crypto'
import { isSpoken } from '../../src/activity/index.ts'
import { defineDomain, replay } from 'throughline'
import { Gate } from '../../src/gate/index.ts'
import type { LogRecord } from 'throughline/log'
import { brokerDomain } from '../../apps/broker/case/index.ts'
import { brokerDisclosures, disclosureRegistry } from '../../apps/broker/disclosures/index.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import { memoryLog, recordsOf, sha256 } from '../memory-log.fixture.ts'

export const GOLDEN = 'test/order/golden'

/** The outcome of a recorded log when it was recorded. */
export interface Outcome {
  readonly records: number
  /** Of the last record: it vouches for all before. */
  readonly head: string
  /** Of what the log folds into, as JSON. */
  readonly state: string
}

const disclosures = disclosureRegistry(brokerDisclosures(builtInPanel.lenders), sha256)

export const broker = brokerDomain({ disclosures })
const noDomain = defineDomain<object>().domain({ name: 'agents', initial: {}, events: {} })

/** Appends recorded events anew; sealing them now has to give the same records. */
export async function appendedAnew(records: readonly LogRecord[]): Promise<readonly LogRecord[]> {
  const { log, thread } = await logOf(records)
  return recordsOf(log, thread)
}

/** Folds a recorded log with today's code: a case into its state, a talk into its messages. */
export async function outcomeOf(records: readonly LogRecord[]): Promise<Outcome> {
  const isCase = ['case_created', 'case_hydrated'].includes(records[0]?.type ?? '')
  const state = isCase ? replay(broker, records) : await saidIn(records)
  return {
    records: records.length,
    head: records.at(-1)?.hash ?? '',
    state: sha256(JSON.stringify(state)),
  }
}

async function saidIn(records: readonly LogRecord[]) {
  const { log, thread } = await logOf(records)
  const parts = { now: Date.now, id: randomUUID as () => string, sha256 }
  const { conversation, openRuns } = await new Gate({ log, domain: noDomain, ...parts }).snapshot(
    thread,
  )
  const said = conversation.messages.filter(isSpoken)
  return { said: said.map(({ role, text }) => [role, text]), open: openRuns.length }
}

async function logOf(records: readonly LogRecord[]) {
  const log = memoryLog()
  const thread = records[0]?.thread ?? ''
  await log.append(
    thread,
    records.map(({ id, ts, type, data, origin, v }) => ({ id, ts, type, data, origin, v })),
  )
  return { log, thread }
}
