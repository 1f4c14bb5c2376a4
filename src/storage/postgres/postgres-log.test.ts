import { test } from 'vitest'
import { eventLogContract } from '../../log/log.contract.ts'
import { openLog } from '../open-log.ts'
import { noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

for (const { name, run } of eventLogContract(async () => openLog(await server.emptiedDatabase()))) {
  test.skipIf(noPostgres)(name, run)
}

const polled = eventLogContract(async () =>
  openLog(`${await server.emptiedDatabase()}?wakeups=poll`),
)
for (const { name, run } of polled) test.skipIf(noPostgres)(`polled: ${name}`, run)
