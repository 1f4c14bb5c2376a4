import type { EventLog, LogRecord } from 'throughline/log'
import { given } from '../../apps/broker/case/given-case.fixture.ts'
import { upTo } from '../../apps/broker/case/journey.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

/** Puts a case on a log that lacks nothing but the last click. */
export async function seedCase(log: EventLog): Promise<void> {
  const { records } = given(...upTo('grant'))
  await log.append(
    'case',
    records.map(({ id: _id, ...event }) => event),
  )
}

/** Returns the faults after a crash and a restart: in the runs and in the effects on the world. */
export async function faultsAfter(
  log: EventLog,
  world: readonly string[],
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const thread of ['case', 'desk']) {
    faults.push(...runFaults(await recordsOf(log, thread)))
    if (!(await log.verify(thread)).ok) faults.push(`${thread} does not verify`)
  }
  const inCase = await recordsOf(log, 'case')
  for (const [name, isOne] of Object.entries(ONCE)) {
    const count = inCase.filter(isOne).length
    if (count !== 1) faults.push(`${count} × ${name}`)
  }
  const lenders = new Set(world.filter((line) => line.startsWith('lender')))
  if (lenders.size !== 1) faults.push(`${lenders.size} applications`)
  // A payment without an idempotency key must not be repeated.
  if (world.filter((line) => line.startsWith('till')).length > 1) faults.push('paid twice')
  return faults
}

/** Records that must exist exactly once, despite repeated requests and recovery. */
const ONCE: Readonly<Record<string, (record: LogRecord) => boolean>> = {
  'what the customer said': ({ type, origin }) =>
    type === 'TEXT_MESSAGE_START' && origin.source === 'ui',
  'what the customer clicked': ({ type, origin, data }) =>
    type === 'acknowledge_disclosure' &&
    origin.source === 'ui' &&
    JSON.stringify(data).includes('pre_contract_summary'),
  submission: ({ type }) => type === 'submit_application',
  'request for the lenders': ({ type }) => type === 'effect_requested',
  'answer of the lenders': ({ type }) => type === 'waterfall_recorded',
}

/** The runs of some records that have another number of ends than one. */
export function runFaults(records: readonly LogRecord[]): readonly string[] {
  const ends = new Map<string, number>()
  for (const { type, origin } of records) {
    const run = origin.run ?? ''
    if (/^(RUN|SUBAGENT)_STARTED$/.test(type)) ends.set(run, ends.get(run) ?? 0)
    if (/^(RUN|SUBAGENT)_(FINISHED|ERROR)$/.test(type)) ends.set(run, (ends.get(run) ?? 0) + 1)
  }
  return [...ends].filter(([, count]) => count !== 1).map(([run, count]) => `${run}: ${count} ends`)
}
