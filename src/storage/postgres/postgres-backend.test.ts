import { test } from 'vitest'
import { eventLogContract } from '../../log/log.contract.ts'
import { fullTest } from '../../../test/tier.fixture.ts'
import { openLog } from '../open-log.ts'
import { noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

for (const { name, run } of eventLogContract(async () => openLog(await server.emptiedDatabase()))) {
  test.skipIf(noPostgres)(name, run)
}

const polled = eventLogContract(async () =>
  openLog(`${await server.emptiedDatabase()}?wakeups=poll`),
)
/** Where news comes from concerns the rules of those who wait for it. */
const WAITING = /subscri|feed|cursor|next\(\)|wait/
for (const { name, run } of polled) {
  const each = WAITING.test(name) ? test : fullTest
  each.skipIf(noPostgres)(`polled: ${name}`, run)
}
