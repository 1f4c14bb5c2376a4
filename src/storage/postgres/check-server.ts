import { LogError } from '../../log/index.ts'
import type { Connection, Statement } from './connection.ts'

/** Older ones cannot number transactions for good, which the feed needs. */
const VERSION_MIN = 130_000

/**
 * Refuses a server that could lose what it has acknowledged, or that cannot hold a log.
 *
 * @throws {@link LogError} `configuration`
 */
export async function checkServer(connection: Connection, shown: string): Promise<void> {
  const [server] = await connection.query(SERVER)
  const fault = faultOf(server ?? {})
  if (fault !== undefined) {
    throw new LogError('configuration', `Cannot open "${shown}": ${fault}`)
  }
}

function faultOf(server: Readonly<Record<string, unknown>>): string | undefined {
  if (Number(server['version']) < VERSION_MIN) return 'it runs a Postgres older than 13; upgrade it'
  if (server['is_standby'] === true) return 'it is a standby; give the address of the primary'
  if (server['encoding'] !== 'UTF8') return 'its database is not in UTF8; create one that is'
  const off = ['fsync', 'synchronous_commit'].find((name) => server[name] === 'off')
  if (off === undefined) return undefined
  return `its "${off}" is off, so that a crash loses what it has acknowledged; set it to on`
}

const SERVER: Statement = {
  name: 'server',
  text: `SELECT current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('server_version_num')::int AS version,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS is_standby`,
}
