import { APPEND_LAWS } from './append.contract.ts'
import { CHAIN_LAWS } from './chain.contract.ts'
import { DATA_LAWS } from './data.contract.ts'
import type { EventLog } from './event-log.ts'
import { FEED_LAWS } from './feed.contract.ts'
import { LEASE_LAWS } from './leases.contract.ts'
import { READ_LAWS, SUBSCRIBE_LAWS } from './subscribe.contract.ts'

const LAWS = [
  ...APPEND_LAWS,
  ...DATA_LAWS,
  ...READ_LAWS,
  ...SUBSCRIBE_LAWS,
  ...FEED_LAWS,
  ...LEASE_LAWS,
  ...CHAIN_LAWS,
]

export interface ContractCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * What every log promises, as data for any test runner: `run` rejects where the log breaks a promise.
 * Each case opens a log of its own, which must hold nothing, and closes it.
 *
 * @example
 * for (const { name, run } of eventLogContract(() => new MyLog())) test(name, run)
 */
export function eventLogContract(
  open: () => EventLog | Promise<EventLog>,
): readonly ContractCase[] {
  return LAWS.map(({ name, check }) => ({
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
