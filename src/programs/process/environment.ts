/** The variables that every program needs. Without a further name, no other variable reaches it. */
const NAMED: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'SYSTEMROOT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
]

/** The secrets of the server, which no program may have. */
const WITHHELD: ReadonlySet<string> = new Set(['SECRET', 'OPERATOR_TOKEN', 'CHECKPOINT_KEY'])

export type Environment = Readonly<Record<string, string | undefined>>

/** The variables of an environment that a program gets: what every program needs, and these names. */
export function childEnvironment(
  from: Environment,
  names: readonly string[] = [],
): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const name of [...NAMED, ...names]) {
    const value = from[name]
    if (value !== undefined && !WITHHELD.has(name)) given[name] = value
  }
  return given
}
