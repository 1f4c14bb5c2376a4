import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { ThroughlineError } from '../assert/index.ts'
import { LogError } from '../log/index.ts'
import { anchorKeysFor } from './anchor-keys.ts'
import type { ProxyOptions, RunningProxy } from '../proxy/index.ts'
import type { Print } from './replay.ts'

/** The options of the command, as they are given. */
export interface ProxyArguments {
  readonly agent?: string | undefined
  readonly name?: string | undefined
  readonly store?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly header?: readonly string[] | undefined
  readonly 'forward-header'?: readonly string[] | undefined
  readonly 'owner-header'?: string | undefined
  readonly origin?: readonly string[] | undefined
  readonly 'public-url'?: string | undefined
  readonly 'stop-url'?: string | undefined
  readonly 'follow-redirects'?: boolean | undefined
  readonly silence?: string | undefined
  readonly 'state-events'?: string | undefined
  readonly 'anchor-key-file'?: string | undefined
}

export const PROXY_EXIT = { ended: 0, failed: 1, unusable: 2, storeInUse: 75 } as const

/** Serves until the process is told to end, and returns the exit code. */
export async function proxy(given: ProxyArguments, print: Print): Promise<number> {
  const { openProxy } = await import('../proxy/index.ts')
  let running: RunningProxy
  try {
    running = await openProxy(await optionsOf(given))
  } catch (error) {
    return told(error, print)
  }
  print(`ready ${running.url}`)
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await running.close()
  return PROXY_EXIT.ended
}

async function optionsOf(given: ProxyArguments): Promise<ProxyOptions> {
  const { store: named = 'sqlite:proxy.db' } = given
  const store = /^[a-z]+:/.test(named) ? named : `sqlite:${named}`
  const keys = anchorKeysFor(store, given['anchor-key-file'])
  if (keys.status !== 'read') throw unusable(keys.fault)
  return {
    ...(await agentOptions(given)),
    store,
    anchorKeys: keys.keys,
    host: given.host ?? '127.0.0.1',
    port: portOf(given.port ?? '3900'),
    ownerHeader: headerNameOf(given['owner-header']),
    origins: given.origin ?? [],
    publicUrl: given['public-url'],
    operatorToken: operatorTokenOf(process.env['OPERATOR_TOKEN']),
  }
}

async function agentOptions({ agent, header = [], ...given }: ProxyArguments) {
  if (agent === undefined) throw unusable('Cannot start the proxy: give --agent URL')
  const module = given['state-events']
  if (module !== undefined && !existsSync(module)) {
    throw unusable(`Cannot use "${module}" for --state-events: there is no such file`)
  }
  return {
    agent,
    name: given.name ?? 'agent',
    headers: Object.fromEntries(header.map(headerOf)),
    forwardedHeaders: given['forward-header'] ?? [],
    stopUrl: given['stop-url'],
    followsRedirects: given['follow-redirects'] ?? false,
    silenceMaxMs: given.silence === undefined ? undefined : Number(given.silence) * 1_000,
    domain: module === undefined ? undefined : await domainOf(module),
  }
}

async function domainOf(module: string) {
  const { loadDomain } = await import('../proxy/index.ts')
  return loadDomain(module)
}

function unusable(message: string): LogError {
  return new LogError('configuration', message)
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+):\s*(.+)$/

/** The value may be a secret, so no message repeats it. */
function headerOf(text: string, at: number): readonly [string, string] {
  const [, name, value] = HEADER.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  const which = `--header number ${at + 1}`
  throw unusable(`Cannot read ${which}: give it as "Name: value"`)
}

function headerNameOf(name: string | undefined): string | undefined {
  if (name === undefined || HEADER.test(`${name}: value`)) return name
  throw unusable(`Cannot use --owner-header "${name}": it is no name of a header, such as x-user`)
}

/** The same as for the server: it opens every thread, and must not be guessed. */
const OPERATOR_TOKEN_CHARS_MIN = 32

function operatorTokenOf(token = ''): string | undefined {
  if (token === '' || token.length >= OPERATOR_TOKEN_CHARS_MIN) return token || undefined
  const mend = `give at least ${OPERATOR_TOKEN_CHARS_MIN} characters, such as the output of "openssl rand -base64 32"`
  throw unusable(`Cannot use OPERATOR_TOKEN: it is too short; ${mend}`)
}

const LAST_PORT = 65_535

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= LAST_PORT) return port
  throw unusable(`Cannot listen on port "${text}": give 0 to ${LAST_PORT}; 0 takes a free one`)
}

/** Prints why the proxy cannot start. Errors of other kinds are faults of the program. */
function told(error: unknown, print: Print): number {
  if (error instanceof ThroughlineError) {
    print(`${error.message} (${error.code})`)
    return error.code === 'locked' ? PROXY_EXIT.storeInUse : PROXY_EXIT.unusable
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    print('Cannot listen: the port is in use; give another with --port, or 0 for a free one')
    return PROXY_EXIT.failed
  }
  throw error
}
