import { resolve } from 'node:path'
import { uuidv7 } from '../../platform/index.ts'
import { keysIn } from '../heads/heads-options.ts'
import type { HeadsOptions } from '../heads/heads-options.ts'
import { checkKeys, hasAdoptedKey } from './check-keys.ts'
import { checkServer } from './check-server.ts'
import { ConnectionPool } from './connection-pool.ts'
import { Connector } from './connection.ts'
import type { Connection } from './connection.ts'
import { HeadsOutside } from './heads-outside.ts'
import { postgresError } from './postgres-error.ts'
import type { OpenedEngine } from '../sql/opened-engine.ts'
import { startPostgres } from './postgres-backend.ts'
import type { PostgresBackendParts } from './postgres-backend.ts'
import { parsePostgresUrl } from './postgres-url.ts'
import { PostgresShelves } from './postgres-shelves.ts'
import { claimShelfTables } from './shelf-tables.ts'
import { claimTables } from './tables.ts'

export type PostgresOptions = HeadsOptions &
  Pick<PostgresBackendParts, 'sources' | 'onFatal' | 'onWarning'>

/** @throws {@link LogError} `configuration`, `busy`, `storage_full`, `io` */
export async function openPostgres(url: string, options: PostgresOptions): Promise<OpenedEngine> {
  const address = parsePostgresUrl(url)
  const { shown, wakeUps } = address
  const connector = new Connector(address)
  const pool = new ConnectionPool(connector)
  let claimed: Claimed | undefined
  try {
    claimed = await pool.lend((connection) => claim(connection, shown, options))
    const self = uuidv7()
    const log = await startPostgres({ ...options, ...claimed, connector, pool, wakeUps, self })
    const shelves = new PostgresShelves(pool, 'shelves')
    const unlogged = new PostgresShelves(pool, 'unlogged_shelves')
    return { log, openShelves: async () => ({ shelves, unlogged }) }
  } catch (error) {
    claimed?.headsOutside?.close()
    await pool.close()
    throw postgresError(`open "${shown}"`, error)
  }
}

type Claimed = Pick<PostgresBackendParts, 'epoch' | 'signer' | 'headsOutside'>

async function claim(
  connection: Connection,
  shown: string,
  options: PostgresOptions,
): Promise<Claimed> {
  const { unsignedHeads = 'adopt', onWarning } = options
  const keys = keysIn(options)
  const headsFile = options.headsFile === undefined ? undefined : resolve(options.headsFile)
  await checkServer(connection, shown)
  const epoch = await claimTables(connection, shown)
  await claimShelfTables(connection)
  const terms = { epoch, keys, shown, unsignedHeads }
  const signer = await checkKeys(connection, { ...terms, headsFile, onWarning })
  if (headsFile === undefined) return { epoch, signer, headsOutside: undefined }
  const hadNoKey = await hasAdoptedKey(connection)
  const outside = { ...terms, unsignedHeads: hadNoKey ? unsignedHeads : 'refuse' } as const
  const headsOutside = HeadsOutside.open({ ...outside, path: headsFile, connection, signer })
  return { epoch, signer, headsOutside: await headsOutside }
}
