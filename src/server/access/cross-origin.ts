import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { ServeError } from '../problems/serve-error.ts'
import { crossOrigin, isFromOtherSite, isLoopback } from './request-guard.ts'
import type { SiteOptions } from './request-guard.ts'
import { setHeader } from './response-header.ts'

/** Origins that may be allowed. */
export const ALLOWED_ORIGINS_MAX = 32

const PREFLIGHT_MAX_AGE_S = 600

const ALLOW_IT = 'the operator may allow its origin in "ALLOWED_ORIGINS" (allowedOrigins)'

const NOTED = 'throughline.cross-origin'

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, last-event-id, x-run-id',
  'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
}

/**
 * Lets pages of the allowed origins in, and refuses those of all others, whatever their method. An
 * allowed one gets no credentials: only the bearer token that it sends says who it is.
 */
export function allowOrigins(allowed: readonly string[], options: SiteOptions): MiddlewareHandler {
  const origins = new Set(allowed)
  return async (context, next) => {
    if (!isFromOtherSite(context, options)) return next()
    const origin = context.req.header('origin') ?? ''
    if (!origins.has(origin)) throw crossOrigin(ALLOW_IT)
    context.set(NOTED, origin)
    const headers = headersFor(origin)
    if (isPreflight(context)) {
      return new Response(null, { status: 204, headers: { ...headers, ...PREFLIGHT } })
    }
    // A stream is written past the answer that we return, straight to node's response.
    const { outgoing }: Partial<HttpBindings> = context.env ?? {}
    for (const [name, value] of Object.entries(headers)) outgoing?.setHeader(name, value)
    await next()
    for (const [name, value] of Object.entries(headers)) setHeader(context, name, value)
    return undefined
  }
}

/** Whether a page of one of these origins sends a request, which the mounting program answers for. */
export function isFrom(trusted: readonly string[]): (context: Context) => boolean {
  const origins = new Set(trusted)
  return (context) => origins.has(context.req.header('origin') ?? '')
}

/** The origin of the page that sends a request, where it is another one that is allowed. */
export function crossOriginOf(context: Context): string | undefined {
  const noted: unknown = context.get(NOTED)
  return typeof noted === 'string' ? noted : undefined
}

/** Returns the origin in the spelling of browsers, or the fault of the text with its mend. */
export function readOrigin(text: string): { readonly origin: string } | { readonly fault: string } {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { fault: 'is no origin: give one such as "https://app.example"' }
  }
  if (url.hostname.includes('*')) {
    return { fault: 'holds a wildcard, which no browser sends: name each origin' }
  }
  if (url.username || url.password) {
    return { fault: 'holds a user name or a password: leave them out' }
  }
  if (url.href !== `${url.origin}/`) {
    return { fault: `has more than an origin: give "${url.origin}"` }
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { fault: 'is not encrypted, so tokens could be read on the way: give an https origin' }
  }
  return { origin: url.origin }
}

export function requireOrigins(
  texts: readonly string[],
  option: 'allowedOrigins' | 'trustedOrigins',
): readonly string[] {
  const invalidOrigin = (why: string) =>
    new ServeError('invalid_origin', `Cannot take \`${option}\`: ${why}`)
  if (texts.length > ALLOWED_ORIGINS_MAX) {
    throw invalidOrigin(`there are ${texts.length}: give at most ${ALLOWED_ORIGINS_MAX}`)
  }
  return texts.map((text, at) => {
    const read = readOrigin(text)
    // The value is not repeated: it could hold a password.
    if ('fault' in read) throw invalidOrigin(`number ${at + 1} ${read.fault}`)
    return read.origin
  })
}

function isPreflight({ req }: Context): boolean {
  return req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined
}

function headersFor(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after, x-run-id',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  }
}
