import { APPEND_RULES } from './append.contract.ts'
import { CHAIN_RULES } from './chain.contract.ts'
import { DATA_RULES } from './data.contract.ts'
import type { EventLog } from './event-log.ts'
import { FEED_RULES } from './feed.contract.ts'
import { LEASE_RULES } from './leases.contract.ts'
import { NOTES_RULES } from './notes.contract.ts'
import { READ_RULES, SUBSCRIBE_RULES } from './subscribe.contract.ts'

const RULES = [
  ...APPEND_RULES,
  ...DATA_RULES,
  ...READ_RULES,
  ...SUBSCRIBE_RULES,
  ...FEED_RULES,
  ...LEASE_RULES,
  ...NOTES_RULES,
  ...CHAIN_RULES,
]

export interface ContractCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * The contract of every log, as data for any test runner: `run` rejects where the log breaks a rule.
 * Each case opens a log of its own, which must hold nothing, and closes it.
 *
 * @example
 * for (const { name, run } of eventLogContract(() => new MyLog())) test(name, run)
 */
export function eventLogContract(
  open: () => EventLog | Promise<EventLog>,
): readonly ContractCase[] {
  return RULES.map(({ name, check }) => ({
    name,
    run: async () => {
      const log = await open()
      try {
        await check(log)
      } finally {
        await log.close()
      }
    },
  }))
}
