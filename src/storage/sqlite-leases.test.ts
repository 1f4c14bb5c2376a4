import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { checkHolders } from '../log/lease-holders.fixture.ts'
import { openLog } from './open-log.ts'
import { openOnASlowDisk } from './slow-disk.fixture.ts'
import { counted, freshPath } from './sqlite-folder.fixture.ts'

test('[D11] of holders of leases in a database none appends after its lease has ended', async () => {
  const runs = timesInTier({ quick: 20, full: 60 })
  const { stale } = await checkHolders(() => openLog(`sqlite:${freshPath()}`), runs)
  expect(stale).toBeGreaterThan(runs)
})

test('[D11] the same is true when a thread of its own commits', async () => {
  const runs = timesInTier({ quick: 8, full: 25 })
  const { stale } = await checkHolders(() => openOnASlowDisk(freshPath()), runs)
  expect(stale).toBeGreaterThan(runs)
})

test('[D11] a lease passes on when the appends under it that are being committed have settled', async () => {
  const path = freshPath()
  const log = await openLog(`sqlite:${path}`)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const lease = await log.leases.acquire('t')
  const appending = log.append('t', counted(0, 1), { fence: lease?.fence ?? 0 })
  await setTimeout(20)
  const late = log.append('t', counted(1, 2), { fence: lease?.fence ?? 0 })
  const released = lease?.release()
  expect(await log.leases.acquire('t')).toBeUndefined()
  other.exec('COMMIT')
  await released
  expect(await log.leases.acquire('t')).toMatchObject({ name: 't' })
  expect(await log.head('t')).toBe(0)
  expect(await appending).toHaveLength(1)
  await expect(late).rejects.toMatchObject({ code: 'fenced' })
  other.close()
  await log.close()
})

test('appends that are under way when the log is closed are committed under their lease', async () => {
  const log = await openLog(`sqlite:${freshPath()}`)
  const lease = await log.leases.acquire('t')
  const appending = log.append('t', counted(0, 3), { fence: lease?.fence ?? 0 })
  await log.close()
  expect(await appending).toHaveLength(3)
  expect(lease?.signal.aborted).toBe(true)
})
