import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { replay } from 'throughline'
import { openLog } from 'throughline/log'
import type { EventLog, LogRecord } from 'throughline/log'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { Mix } from './any-mix.fixture.ts'
import { mixDesk } from './mix-agents.fixture.ts'
import { mixFaults } from './mix-rules.oracle.ts'
import { memoryLog, recordsOf } from '../memory-log.fixture.ts'

const MIXES = timesInTier({ quick: 120, full: 20_000 })
/** One mix in so many runs over SQLite. */
const ON_DISK_EACH = 50
/** Cancels just after a run or its sub-agent had stopped to ask; crashes after a message passed over a call. */
const ONCE_FAILED = [10_090, 12_050, 19_242, 19_299]
const RULES = { cancelsAreOrdered: true, callsAreAnswered: true }

test(
  '[S15] any mix of turns, resumes, hand-offs, cancels and crashes: every run ends once',
  async ({ annotate }) => {
    const unhandled: unknown[] = []
    const hear = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', hear)
    const onDisk = await openLog(`sqlite:${freshPath()}`)
    const total = { actions: 0, crashes: 0, runs: 0 }
    try {
      const seeds = Array.from({ length: MIXES }, (_, at) => at + 1)
      for (const seed of new Set([...ONCE_FAILED, ...seeds])) {
        const inMemory = memoryLog()
        const log = seed % ON_DISK_EACH === 0 ? onDisk : inMemory
        const mix = new Mix(seed, { log, thread: `mix-${seed}` })
        await mix.run()
        const records = await recordsOf(log, `mix-${seed}`)
        const faults = [...mix.faults, ...(await faultsOf(mix, log, records))]
        expect({ seed, faults, unhandled }).toEqual({ seed, faults: [], unhandled: [] })
        total.actions += mix.counts.actions
        total.crashes += mix.counts.crashes
        total.runs += records.filter(({ type }) => /^(RUN|SUBAGENT)_STARTED$/.test(type)).length
      }
    } finally {
      process.off('unhandledRejection', hear)
      await onDisk.close()
    }
    expect(total.crashes).toBeGreaterThan(MIXES / 2)
    await annotate(
      `${MIXES} random mixes of ${total.actions} actions and ${total.crashes} crashes: ${total.runs} runs, one end each`,
      'promise',
    )
  },
  timesInTier({ quick: 300_000, full: 3_000_000 }),
)

/** Returns the faults of a mix's records, and of the state that its engine folded from them. */
async function faultsOf(
  mix: Mix,
  log: EventLog,
  records: readonly LogRecord[],
): Promise<readonly string[]> {
  const { state } = await mix.snapshot()
  const isReplayed = isDeepStrictEqual(state, replay(mixDesk, records))
  const verdict = await log.verify(records[0]?.thread ?? '')
  return [
    ...mixFaults(records, mix.turns, RULES),
    ...(isReplayed ? [] : ['the state is not that of a replay']),
    ...(verdict.ok ? [] : ['the chain does not verify']),
  ]
}
