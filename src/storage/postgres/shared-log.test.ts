import { expect, test } from 'vitest'
import { fullTest, timesInTier } from '../../../test/tier.fixture.ts'
import { sharedLogContract } from '../../log/shared-log.contract.ts'
import { checkHolders } from '../../log/lease-holders.fixture.ts'
import { openLog } from '../open-log.ts'
import { noPostgres, postgresServer } from './postgres-server.fixture.ts'

const server = postgresServer()

async function openTwo(parameters = '') {
  const url = `${await server.newDatabase()}${parameters}`
  const [one, other] = await Promise.all([openLog(url), openLog(url)])
  return { one, other }
}

for (const { name, run } of sharedLogContract(() => openTwo())) test.skipIf(noPostgres)(name, run)

const polled = sharedLogContract(() => openTwo('?wakeups=poll'))
/** Where news comes from concerns the rules of those who wait for it. */
const WAITING = /subscri|feed|lease/
for (const { name, run } of polled) {
  const each = WAITING.test(name) ? test : fullTest
  each.skipIf(noPostgres)(`polled: ${name}`, run)
}

test.skipIf(noPostgres)(
  '[D11] of holders of leases in Postgres none appends after its lease has ended',
  async () => {
    const open = async () => openLog(await server.newDatabase())
    const runs = timesInTier({ quick: 5, full: 15 })
    const { stale } = await checkHolders(open, runs)
    expect(stale).toBeGreaterThan(runs)
  },
)
