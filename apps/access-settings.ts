import { ALLOWED_ORIGINS_MAX, isLoopback, readOrigin } from 'throughline/server/extend'
import { ConfigurationError } from './configuration-error.ts'

/** The settings of access: the operator's token, and the address of the server for people. */
export interface AccessSettings {
  readonly operatorToken?: string
  /** An origin, such as "https://loans.example". */
  readonly publicUrl?: string
  /** Origins whose pages may call the routes of agents with a bearer token. */
  readonly allowedOrigins?: readonly string[]
}

/** Shorter operator tokens can be guessed. */
const OPERATOR_TOKEN_CHARS_MIN = 32
/** A request head holds 16 KiB, cookies included. */
const OPERATOR_TOKEN_CHARS_MAX = 1_024

/** @throws {@link ConfigurationError} */
export function readAccess(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
): AccessSettings {
  const operatorToken = operatorTokenOf(env['OPERATOR_TOKEN'])
  const publicUrl = publicUrlOf(env['PUBLIC_URL'])
  if (operatorToken === undefined) requireLoopback(host, publicUrl)
  return {
    ...(operatorToken === undefined ? {} : { operatorToken }),
    ...(publicUrl && { publicUrl: publicUrl.origin }),
    ...allowedOrigins(env['ALLOWED_ORIGINS']),
  }
}

/** Without an operator's token, anybody who reaches the server may create and list. */
function requireLoopback(host: string, publicUrl: URL | undefined): void {
  if (!isLoopback(host)) {
    throw new ConfigurationError(
      `HOST is "${host}", which others can reach: set OPERATOR_TOKEN, or use 127.0.0.1`,
    )
  }
  if (publicUrl === undefined || isLoopback(publicUrl.hostname)) return
  throw new ConfigurationError(
    `PUBLIC_URL is "${publicUrl.origin}", which others can reach: set OPERATOR_TOKEN too`,
  )
}

/** The value is not repeated: it is a secret. */
function operatorTokenOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (text === '')
    throw new ConfigurationError('OPERATOR_TOKEN is empty: give a token, or unset it')
  if (!/^[!-~]+$/.test(text)) {
    throw new ConfigurationError(
      'OPERATOR_TOKEN holds a blank or another character that no bearer header can carry: give ' +
        'letters, digits and signs of ASCII alone',
    )
  }
  if (text.length >= OPERATOR_TOKEN_CHARS_MIN && text.length <= OPERATOR_TOKEN_CHARS_MAX) {
    return text
  }
  throw new ConfigurationError(
    `OPERATOR_TOKEN has ${text.length} characters: give ${OPERATOR_TOKEN_CHARS_MIN} to ` +
      `${OPERATOR_TOKEN_CHARS_MAX}, such as the output of "openssl rand -base64 32"`,
  )
}

function publicUrlOf(text: string | undefined): URL | undefined {
  if (!text) return undefined
  const url = URL.parse(text)
  if (url?.username || url?.password) {
    throw new ConfigurationError(
      'PUBLIC_URL holds a user name or a password: give the address without them',
    )
  }
  if (!url || !isWebOrigin(url)) {
    throw new ConfigurationError(
      `PUBLIC_URL is "${text}": give an address without a path, such as "https://loans.example"`,
    )
  }
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return url
  throw new ConfigurationError(
    `PUBLIC_URL is "${text}", over which cookies could be read on the way: give an https address`,
  )
}

function isWebOrigin({ protocol, pathname, search, hash }: URL): boolean {
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && pathname === '/' && search === '' && hash === ''
}

function allowedOrigins(text: string | undefined): Pick<AccessSettings, 'allowedOrigins'> {
  if (!text) return {}
  const texts = text.split(',').map((each) => each.trim())
  if (texts.length > ALLOWED_ORIGINS_MAX) {
    throw new ConfigurationError(
      `ALLOWED_ORIGINS holds ${texts.length} origins: give at most ${ALLOWED_ORIGINS_MAX}`,
    )
  }
  return { allowedOrigins: texts.map(allowedOrigin) }
}

function allowedOrigin(text: string): string {
  const read = readOrigin(text)
  if ('origin' in read) return read.origin
  // A value with "@" may hold a password, so the message does not repeat it.
  const value = text.includes('@') ? 'a value' : `"${text}"`
  throw new ConfigurationError(`ALLOWED_ORIGINS holds ${value}, which ${read.fault}`)
}
