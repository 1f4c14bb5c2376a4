import { APPEND_LAWS } from './append.contract.ts'
import { CHAIN_LAWS } from './chain.contract.ts'
import { DATA_LAWS } from './data.contract.ts'
import type { EventLog } from './event-log.ts'
import { READ_LAWS, SUBSCRIBE_LAWS } from './subscribe.contract.ts'

const LAWS = [...APPEND_LAWS, ...DATA_LAWS, ...READ_LAWS, ...SUBSCRIBE_LAWS, ...CHAIN_LAWS]

export interface OpenedLog {
  readonly log: EventLog
  /** Removes what opening it made; the log itself is closed when absent. */
  readonly close?: () => Promise<void>
}

export interface ContractCase {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * What every log promises, as data for any test runner: `run` rejects where the log breaks a promise.
 * Each case opens a log of its own, which must hold nothing.
 *
 * @example
 * for (const { name, run } of eventLogContract(() => ({ log: new MyLog() }))) test(name, run)
 */
export function eventLogContract(
  open: () => OpenedLog | Promise<OpenedLog>,
): readonly ContractCase[] {
  return LAWS.map(({ name, check }) => ({
    name,
    run: async () => {
      const { log, close = () => log.close() } = await open()
      try {
        await check(log)
      } finally {
        await close()
      }
    },
  }))
}
