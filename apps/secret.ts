import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'

/** Shorter secrets can be guessed. */
export const SECRET_BYTES_MIN = 32
/** Settings that sign or let in: they are read once, and taken out of the environment. */
export const SECRET_VARIABLES = ['SECRET', 'OPERATOR_TOKEN', 'WEBHOOK_SECRET'] as const
/** Accepted at once, the signing secret included. */
export const SECRETS_MAX = 10

/** The first one signs and seals, all of them are accepted. */
export type Secrets = readonly [string, ...string[]]

/**
 * Reads the secrets from `SECRET`, or from the file in the data folder, which it makes on a first start.
 *
 * @throws {@link ConfigurationError}
 */
export async function readSecrets(given: string | undefined, dataDir: string): Promise<Secrets> {
  if (given !== undefined) {
    const mend = 'give a secret, or unset it to have one made in DATA_DIR'
    return parseSecrets(given, { name: 'SECRET', mend })
  }
  const path = join(dataDir, 'secret')
  const text = (await readIfThere(path)) ?? (await makeSecret(dataDir, path))
  await closeToOthers(path)
  const mend = 'restore the file, or delete it to get a new one (which ends all tokens)'
  return parseSecrets(text, { name: `SECRET in the file "${path}"`, mend })
}

/**
 * Reads the secrets of a server that has run before, and makes none.
 *
 * @throws {@link ConfigurationError}
 */
export async function readKeptSecrets(
  given: string | undefined,
  dataDir: string,
): Promise<Secrets> {
  if (given === undefined && !existsSync(join(dataDir, 'secret'))) {
    throw new ConfigurationError(
      `SECRET is not set, and there is no file "${join(dataDir, 'secret')}": set SECRET or DATA_DIR ` +
        'as the server has them',
    )
  }
  return readSecrets(given, dataDir)
}

interface SecretPlace {
  readonly name: string
  readonly mend: string
}

function parseSecrets(text: string, { name, mend }: SecretPlace): Secrets {
  const [first = '', ...others] = text.split(',').map((each) => each.trim())
  const secrets: Secrets = [first, ...others]
  if (secrets.includes('')) {
    const what = others.length > 0 ? 'holds an empty value between its commas' : 'is empty'
    throw new ConfigurationError(`${name} ${what}: ${mend}`)
  }
  const shortest = Math.min(...secrets.map((each) => Buffer.byteLength(each)))
  if (shortest < SECRET_BYTES_MIN) {
    const has = others.length > 0 ? 'holds, between its commas, a value of' : 'has'
    throw new ConfigurationError(
      `${name} ${has} ${shortest} bytes, which can be guessed: give at least ${SECRET_BYTES_MIN}, ` +
        'such as the output of "openssl rand -base64 32"',
    )
  }
  if (secrets.length > SECRETS_MAX) {
    throw new ConfigurationError(
      `${name} holds ${secrets.length} values: give at most ${SECRETS_MAX}`,
    )
  }
  return secrets
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw new ConfigurationError(
      `SECRET cannot be read from the file "${path}" (${reason(error)}): make the file readable, or set SECRET`,
      { cause: error },
    )
  }
}

/** Makes the file whole or not at all, and never replaces one: every process reads the same secret. */
async function makeSecret(dataDir: string, path: string): Promise<string> {
  const temporary = join(dataDir, `secret-${randomUUID()}.tmp`)
  try {
    await writeDurably(temporary, `${randomBytes(SECRET_BYTES_MIN).toString('base64url')}\n`)
    await linkUnlessThere(temporary, path)
    await syncFolder(dataDir)
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(
      `SECRET cannot be kept in the file "${path}" (${reason(error)}): let the server write there, or set SECRET`,
      { cause: error },
    )
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    // The umask may have taken the owner's rights from the mode.
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function linkUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function closeToOthers(path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) await chmod(path, 0o600)
  } catch (error) {
    throw new ConfigurationError(
      `SECRET in the file "${path}" can be read by others (${reason(error)}): set its mode to 0600`,
      { cause: error },
    )
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
