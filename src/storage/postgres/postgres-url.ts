import { LogError } from '../../log/index.ts'

const URL_PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/@]*)@)?([^/?]*)\/([^/?]+)(?:\?(.*))?$/

/** How a log hears that another process has appended. */
export type WakeUps = 'listen' | 'poll'

export interface PostgresAddress {
  /** One address for each host, in the order in which they are tried. */
  readonly hosts: readonly string[]
  readonly wakeUps: WakeUps
  /** The address for messages: without the user and the password. */
  readonly shown: string
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url)
}

/**
 * Reads `postgres://user@host:port,otherhost:port/database?wakeups=poll`. Other parameters are the driver's.
 *
 * @throws {@link LogError} `configuration`; the message does not repeat the address, which may hold a password
 */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [, scheme = '', user, hosts = '', database = '', query = ''] = URL_PARTS.exec(url) ?? []
  if (scheme === '') {
    throw badUrl('it names no database; give "postgres://user@host:5432/database"')
  }
  const parameters = new URLSearchParams(query)
  const wakeUps = wakeUpsIn(parameters)
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : ''
  const before = user === undefined ? scheme : `${scheme}${user}@`
  return {
    hosts: hosts.split(',').map((host) => `${before}${host}/${database}${rest}`),
    wakeUps,
    shown: `postgres://${hosts}/${database}`,
  }
}

function wakeUpsIn(parameters: URLSearchParams): WakeUps {
  const given = parameters.get('wakeups') ?? 'listen'
  parameters.delete('wakeups')
  if (given === 'listen' || given === 'poll') return given
  throw badUrl(`its "wakeups" is ${JSON.stringify(given)}; use "listen" or "poll"`)
}

function badUrl(fault: string): LogError {
  return new LogError('configuration', `Cannot open the log at its Postgres address: ${fault}`)
}
