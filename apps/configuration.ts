import { chmod, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  OUTPUT_TOKENS_MAX,
  STREAMS_PER_TOKEN_DEFAULT,
  STREAMS_PER_TOKEN_MAX,
  TURNS_PER_MINUTE_DEFAULT,
  TURNS_PER_MINUTE_MAX,
  isLoopback,
  quotedNames,
} from 'throughline/server/extend'
import { readAccess } from './access-settings.ts'
import type { AccessSettings } from './access-settings.ts'
import { ConfigurationError } from './configuration-error.ts'
import { MODEL_PROVIDERS } from './model-providers.ts'
import { readSecrets } from './secret.ts'
import type { Secrets } from './secret.ts'
import { readTeam } from './team-settings.ts'
import type { TeamSettings } from './team-settings.ts'

export interface Configuration extends AccessSettings {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly store: string
  readonly storeUrl: string
  readonly headsFile?: string
  /** Where the keys of erasable applications lie; by default beside the store. */
  readonly keysUrl?: string
  readonly model: string
  readonly modelBaseUrl?: string
  /** The key of the model's provider, out of the variable that the provider names. */
  readonly modelKey?: string
  readonly lenderBaseUrl?: string
  readonly webhooks?: WebhookSettings
  readonly secrets: Secrets
  /** Signs checkpoints of the log. */
  readonly checkpointKey?: string
  /** Addresses of those who sign them too. */
  readonly witnesses?: readonly string[]
  readonly logLevel: LogLevel
  readonly streamsPerToken: number
  readonly turnsPerMinute: number
  /** Tokens that the models may use in one thread and day of UTC. */
  readonly threadTokensPerDay?: number
  readonly team: TeamSettings
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export interface WebhookSettings {
  readonly url: string
  readonly secret: string
  readonly idleMs?: number
}

/** Shorter ones can be guessed. */
const WEBHOOK_SECRET_CHARS_MIN = 16
/** The longest silence that can be asked for: a year. */
const WEBHOOK_IDLE_S_MAX = 31_536_000
/** A call reserves these for its answer alone, so a smaller daily budget has room for no call. */
const THREAD_TOKENS_PER_DAY_MIN = OUTPUT_TOKENS_MAX
/** The largest daily budget of a thread, in tokens. */
const THREAD_TOKENS_PER_DAY_MAX = 1_000_000_000_000

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings that a process was started with.
 *
 * @throws {@link ConfigurationError}
 */
export async function readConfiguration(env: Environment): Promise<Configuration> {
  const host = env['HOST'] || '127.0.0.1'
  const access = readAccess(env, host)
  const logLevel = logLevelOf(env['LOG_LEVEL'] || 'warn')
  const dataDir = dataDirOf(env)
  await makeFolder(dataDir)
  const store = env['STORE'] || 'sqlite'
  requireSecret(store, env['SECRET'])
  const headsFile = env['HEADS_FILE'] ? resolve(env['HEADS_FILE']) : undefined
  const { keysUrl, keysFile } = keysOf(env['KEYS'])
  return {
    host,
    port: portOf(env['PORT'] || '3000'),
    dataDir,
    // An address may hold a password, and many people read messages about a store.
    store: isPostgres(store) ? 'postgres' : store,
    storeUrl: storeUrl(store, dataDir),
    ...(headsFile === undefined ? {} : { headsFile }),
    ...(keysUrl === undefined ? {} : { keysUrl }),
    ...modelChoice(env),
    ...lenderGateway(env['LENDER_BASE_URL']),
    ...webhookReceiver(env),
    ...checkpoints(env),
    ...access,
    secrets: await readSecrets(env['SECRET'], dataDir),
    logLevel,
    team: readTeam(env, { DATA_DIR: dataDir, HEADS_FILE: headsFile, KEYS: keysFile }),
    ...quotas(env),
  }
}

export function dataDirOf(env: Environment): string {
  return resolve(env['DATA_DIR'] || '.throughline')
}

export function databaseIn(dataDir: string): string {
  return join(dataDir, 'throughline.db')
}

type Quotas = Pick<Configuration, 'streamsPerToken' | 'turnsPerMinute' | 'threadTokensPerDay'>

function quotas(env: Environment): Quotas {
  const perDay = env['THREAD_TOKENS_PER_DAY']
  return {
    streamsPerToken: countOf('STREAMS_PER_TOKEN', {
      text: env['STREAMS_PER_TOKEN'] || String(STREAMS_PER_TOKEN_DEFAULT),
      max: STREAMS_PER_TOKEN_MAX,
    }),
    turnsPerMinute: countOf('TURNS_PER_MINUTE', {
      text: env['TURNS_PER_MINUTE'] || String(TURNS_PER_MINUTE_DEFAULT),
      max: TURNS_PER_MINUTE_MAX,
    }),
    ...(perDay && {
      threadTokensPerDay: countOf('THREAD_TOKENS_PER_DAY', {
        text: perDay,
        min: THREAD_TOKENS_PER_DAY_MIN,
        max: THREAD_TOKENS_PER_DAY_MAX,
      }),
    }),
  }
}

interface CountSetting {
  readonly text: string
  readonly min?: number
  readonly max: number
}

function countOf(name: string, { text, min = 1, max }: CountSetting): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= min && count <= max) return count
  throw new ConfigurationError(`${name} is "${text}": give a whole number from ${min} to ${max}`)
}

function logLevelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level !== undefined) return level
  const known = quotedNames(LOG_LEVELS)
  throw new ConfigurationError(`LOG_LEVEL is "${text}": use one of ${known}`)
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigurationError(`PORT is "${text}": give a whole number from 0 to 65535`)
}

function storeUrl(store: string, dataDir: string): string {
  if (store === 'sqlite') return `sqlite:${databaseIn(dataDir)}`
  if (store === 'memory') return 'memory:'
  if (isPostgres(store)) return store
  throw new ConfigurationError(`STORE is "${store}": use "sqlite", "memory" or "postgres://…"`)
}

/** In a database, or in a file. */
function keysOf(text: string | undefined): Keys {
  if (!text) return {}
  if (isPostgres(text)) return { keysUrl: text }
  const keysFile = resolve(text)
  return { keysUrl: `sqlite:${keysFile}`, keysFile }
}

interface Keys {
  readonly keysUrl?: string
  readonly keysFile?: string
}

function isPostgres(store: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(store)
}

/** Server processes on one Postgres accept each other's tokens, so none of them makes a secret. */
function requireSecret(store: string, secret: string | undefined): void {
  if (!isPostgres(store) || secret !== undefined) return
  throw new ConfigurationError(
    'SECRET is not set, which STORE with Postgres needs: give all servers on this database the same ' +
      'secret, such as the output of "openssl rand -base64 32"',
  )
}

type ModelChoice = Pick<Configuration, 'model' | 'modelBaseUrl' | 'modelKey'>

function modelChoice(env: Environment): ModelChoice {
  const model = env['MODEL'] || 'scripted'
  const [provider = ''] = model.split('/', 1)
  const known = Object.hasOwn(MODEL_PROVIDERS, provider) ? MODEL_PROVIDERS[provider] : undefined
  const key = known && env[known.keyVariable]
  return {
    model,
    ...(env['MODEL_BASE_URL'] ? { modelBaseUrl: baseUrl(env['MODEL_BASE_URL']) } : {}),
    ...(key ? { modelKey: key } : {}),
  }
}

function baseUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  throw new ConfigurationError(`MODEL_BASE_URL is "${text}": give an http or https address`)
}

function lenderGateway(text: string | undefined): Pick<Configuration, 'lenderBaseUrl'> {
  if (!text) return {}
  const url = URL.parse(text)
  // The value is not repeated: it holds what looks like a password.
  if (url?.username || url?.password) {
    throw new ConfigurationError(
      'LENDER_BASE_URL holds a user name or a password: give the address without them',
    )
  }
  const usable = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (usable && url.search === '' && url.hash === '') return { lenderBaseUrl: text }
  throw new ConfigurationError(
    `LENDER_BASE_URL is "${text}": give an http or https address without a query`,
  )
}

function checkpoints(env: Environment): Pick<Configuration, 'checkpointKey' | 'witnesses'> {
  const { CHECKPOINT_KEY: checkpointKey, CHECKPOINT_WITNESSES: given = '' } = env
  if (!checkpointKey) return {}
  const witnesses = given.split(',').flatMap((address) => address.trim() || [])
  const wrong = witnesses.find((address) => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
  if (wrong === undefined) return { checkpointKey, witnesses }
  throw new ConfigurationError(
    `CHECKPOINT_WITNESSES cannot be used: "${wrong}" is no address; give addresses with commas between them`,
  )
}

function webhookReceiver(env: Environment): Pick<Configuration, 'webhooks'> {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret = '', WEBHOOK_IDLE_S: idle } = env
  if (!url) return {}
  if (!isReceiver(URL.parse(url))) {
    // Its value is not repeated either: addresses of receivers can hold keys.
    throw new ConfigurationError(
      'WEBHOOK_URL cannot be used: give an https address without a user name, or http on loopback',
    )
  }
  if (secret.length < WEBHOOK_SECRET_CHARS_MIN) {
    throw new ConfigurationError(
      `WEBHOOK_SECRET is ${secret === '' ? 'not set' : 'too short'}: give the receiver and this ` +
        `server the same ${WEBHOOK_SECRET_CHARS_MIN} or more characters`,
    )
  }
  return { webhooks: { url, secret, ...(idle ? { idleMs: idleMsOf(idle) } : {}) } }
}

function isReceiver(url: URL | null): boolean {
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

function idleMsOf(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,8}$/.test(text) && seconds >= 1 && seconds <= WEBHOOK_IDLE_S_MAX)
    return seconds * 1_000
  throw new ConfigurationError(
    `WEBHOOK_IDLE_S is "${text}": give a whole number of seconds from 1 to ${WEBHOOK_IDLE_S_MAX}`,
  )
}

async function makeFolder(dataDir: string): Promise<void> {
  try {
    const made = await mkdir(dataDir, { recursive: true, mode: 0o700 })
    // The umask may have taken the owner's rights from the mode.
    if (made !== undefined) await chmod(dataDir, 0o700)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(`DATA_DIR is "${dataDir}": it cannot be made (${why})`, {
      cause: error,
    })
  }
}
