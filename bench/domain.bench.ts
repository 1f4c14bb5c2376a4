import { decide, replay } from 'throughline'
import type { Domain } from 'throughline'
import type { LogRecord } from 'throughline/log'
import {
  account,
  immerAccount,
  mutativeAccount,
  payment,
  paymentOf,
  payments,
} from './account.fixture.ts'
import type { Account } from './account.fixture.ts'
import type { Benchmark } from './benchmark.ts'
import { costOver, faster, shareOf } from './goals.ts'

const RECORDS = 20_000
const DECISIONS = 1_000
const PARSE = 'JSON.parse'
const SCHEMA = 'its schema alone'

const replaying: Benchmark = {
  id: 'Y1',
  what: 'replay of stored records from memory',
  unit: 'record',
  units: RECORDS,
  yields: 'payments',
  run: () => {
    const lines = payments(RECORDS).map((record) => JSON.stringify(record))
    return () => replay(account, parseAll(lines)).payments
  },
  limit: {
    name: PARSE,
    prepare: () => {
      const lines = payments(RECORDS).map((record) => JSON.stringify(record))
      return () => {
        let count = 0
        for (const { type } of parseAll(lines)) count += type === 'pay' ? 1 : 0
        return count
      }
    },
  },
  peers: [],
  goals: [shareOf(PARSE, 0.85)],
}

const reducing: Benchmark = {
  id: 'Y3',
  what: 'replay of stored records beside other reducers, JSON.parse included on each side',
  unit: 'record',
  units: RECORDS,
  yields: 'payments',
  run: replayingWith(account),
  peers: [
    { name: 'immer', prepare: replayingWith(immerAccount) },
    { name: 'mutative', prepare: replayingWith(mutativeAccount) },
  ],
  goals: [faster('immer', 2.5), faster('mutative', 2)],
}

const deciding: Benchmark = {
  id: 'V1',
  what: 'a proposal decided',
  unit: 'proposal',
  units: DECISIONS,
  yields: 'accepted',
  run: () => {
    const proposals = Array.from({ length: DECISIONS }, (_, seq) => ({
      id: `proposal-${seq}`,
      type: 'pay',
      data: paymentOf(seq),
      origin: { source: 'ui', surface: 'customer', depth: 0 } as const,
    }))
    return () => {
      let accepted = 0
      for (const proposal of proposals) {
        if ('accepted' in decide(account, account.initial, { proposal, now: 0 })) accepted++
      }
      return accepted
    }
  },
  limit: {
    name: SCHEMA,
    prepare: () => {
      const data = Array.from({ length: DECISIONS }, (_, seq) => paymentOf(seq))
      return () => {
        let accepted = 0
        for (const item of data) if ('value' in payment['~standard'].validate(item)) accepted++
        return accepted
      }
    },
  },
  peers: [],
  goals: [costOver(SCHEMA, 60)],
}

export const domains: readonly Benchmark[] = [replaying, reducing, deciding]

function replayingWith(domain: Domain<Account>) {
  return () => {
    const lines = payments(RECORDS).map((record) => JSON.stringify(record))
    return () => replay(domain, parseAll(lines)).payments
  }
}

function* parseAll(lines: readonly string[]): Generator<LogRecord> {
  // What this file stored a moment ago.
  for (const line of lines) yield JSON.parse(line) as LogRecord
}
