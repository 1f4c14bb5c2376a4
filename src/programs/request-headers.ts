/** Reads a header of the client's request. */
export type HeaderReader = (name: string) => string | undefined

interface HeaderOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly forwardedHeaders?: readonly string[] | undefined
}

/** The headers of one request: the definition's, and in their place those that go on from the client's. */
export function requestHeaders(
  { headers, forwardedHeaders = [] }: HeaderOptions,
  header: HeaderReader = () => undefined,
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const forwarded = forwardedHeaders.flatMap((given) => {
    const name = given.toLowerCase()
    const value = header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries([...own, ...forwarded])
}

const SECRET_NAME = /auth|cookie|key|secret|token/
/** Whether a header's value lets its holder in somewhere. */
export function isSecretHeader(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase())
}

/** A shorter value may be part of any text. */
const SECRET_CHARS_MIN = 8
const HIDDEN = '[hidden]'

/** Returns a function that hides the secrets of these headers in a text: an agent may repeat what it was sent. */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const secrets = Object.entries(headers).flatMap(([name, value]) => {
    if (!isSecretHeader(name)) return []
    // The scheme, such as "Bearer", and the names of cookies are no secrets.
    const parts = value.split(/[\s;,=]+/).filter((part) => part.length >= SECRET_CHARS_MIN)
    return parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)])
  })
  if (secrets.length === 0) return (text) => text
  return (text) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), withFewEscapes(text))
}

/** The same JSON, with characters that need no escape as themselves: some writers escape each slash, or all. */
function withFewEscapes(text: string): string {
  return text.replaceAll(/\\(?:\\|\/|u00[2-7][\da-f])/gi, (escape) => {
    if (escape === '\\/') return '/'
    const char =
      escape === '\\\\' ? '\\' : String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    return char === '\\' || char === '"' ? `\\${char}` : char
  })
}
