import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { isLoopback } from 'throughline/server'

/** A setting that cannot be used: its message names the variable, the fault and the mend. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

export interface Configuration {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly store: string
  readonly storeUrl: string
  readonly model: string
  readonly modelBaseUrl?: string
  readonly lenderBaseUrl?: string
  readonly operatorToken?: string
  readonly secret: string
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings that a process was started with.
 *
 * @throws {@link ConfigurationError}
 */
export async function readConfiguration(env: Environment): Promise<Configuration> {
  const host = env['HOST'] || '127.0.0.1'
  const operatorToken = env['OPERATOR_TOKEN'] || undefined
  if (!isLoopback(host) && operatorToken === undefined) {
    throw new ConfigurationError(
      `HOST is "${host}", which others can reach: set OPERATOR_TOKEN, or use 127.0.0.1`,
    )
  }
  const dataDir = resolve(env['DATA_DIR'] || '.throughline')
  await makeFolder(dataDir)
  const store = env['STORE'] || 'sqlite'
  return {
    host,
    port: portOf(env['PORT'] || '3000'),
    dataDir,
    store,
    storeUrl: storeUrl(store, dataDir),
    model: env['MODEL'] || 'scripted',
    ...(env['MODEL_BASE_URL'] ? { modelBaseUrl: baseUrl(env['MODEL_BASE_URL']) } : {}),
    ...lenderGateway(env['LENDER_BASE_URL']),
    ...(operatorToken === undefined ? {} : { operatorToken }),
    secret: env['SECRET'] || (await keptSecret(dataDir)),
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigurationError(`PORT is "${text}": give a whole number from 0 to 65535`)
}

function storeUrl(store: string, dataDir: string): string {
  if (store === 'sqlite') return `sqlite:${join(dataDir, 'throughline.db')}`
  if (store === 'memory') return 'memory:'
  throw new ConfigurationError(`STORE is "${store}": use "sqlite" or "memory"`)
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

async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(`DATA_DIR is "${dataDir}": it cannot be made (${why})`, {
      cause: error,
    })
  }
}

/** Made once: tokens and seeds stay valid over restarts. */
async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  try {
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return (await readFile(path, 'utf8')).trim()
}
